"""Whether a picture on disk is as it was written."""

from pathlib import Path

from PIL import Image


def is_whole_png(path: Path) -> bool:
    """Whether a PNG file is there, with all its parts as they were written."""
    try:
        with Image.open(path, formats=["PNG"]) as picture:
            picture.verify()
    except (OSError, ValueError, SyntaxError):
        return False
    return True
