"""The picture as it is sent: the file itself where it is small enough, else a smaller one."""

import base64
import io
from pathlib import Path

from PIL import Image

from tolman.errors import SceneFileError
from tolman.limits import PICTURE_FILE, check_pixels, read_file

_TYPES = {"JPEG": "image/jpeg", "PNG": "image/png"}


def picture_url(path: Path, size: int) -> str:
    """A data URL of a picture with at most `size` pixels along its longer side."""
    try:
        data = read_file(path, PICTURE_FILE)
        with Image.open(io.BytesIO(data), formats=list(_TYPES)) as picture:
            kind = str(picture.format)
            check_pixels(picture.size, str(path))
            picture.load()
            if max(picture.size) > size:
                data, kind = _smaller(picture, size), "PNG"
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise SceneFileError(f"{path} can't be read as a picture") from None
    return f"data:{_TYPES[kind]};base64,{base64.b64encode(data).decode('ascii')}"


def _smaller(picture: Image.Image, size: int) -> bytes:
    scale = size / max(picture.size)
    shape = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
    buffer = io.BytesIO()
    picture.convert("RGB").resize(shape, Image.Resampling.BICUBIC).save(buffer, "PNG")
    return buffer.getvalue()
