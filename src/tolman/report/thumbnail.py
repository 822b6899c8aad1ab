"""A picture that came from elsewhere, small and drawn anew: nothing else of its file gets into a page."""

import io

from PIL import Image

from tolman.limits import THUMBNAIL_PIXELS


def thumbnail(data: bytes, side: int) -> Image.Image | None:
    """A PNG or JPEG file as a picture with no side longer than so many pixels; None where it is none, or huge."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG", "JPEG"]) as picture:
            if picture.width * picture.height > THUMBNAIL_PIXELS:
                return None
            small = picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    small.thumbnail((side, side))
    return small
