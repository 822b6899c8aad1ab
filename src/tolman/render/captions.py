"""Words inside a picture file, where no one sees them: for tests of a world that is told in pictures."""

import io

from PIL import Image, UnidentifiedImageError
from PIL.PngImagePlugin import PngInfo

_CHUNK = "tolman-caption"


def with_caption(png: bytes, words: str) -> bytes:
    """The same picture, with words in a text chunk of its file."""
    chunks = PngInfo()
    chunks.add_itxt(_CHUNK, words)
    buffer = io.BytesIO()
    with Image.open(io.BytesIO(png)) as picture:
        picture.save(buffer, "PNG", pnginfo=chunks)
    return buffer.getvalue()


def caption_of(data: bytes) -> str:
    """The words in a picture's file; empty where there are none. Whatever the bytes are, it never raises."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
            picture.load()
            return str(picture.info.get(_CHUNK, ""))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return ""
