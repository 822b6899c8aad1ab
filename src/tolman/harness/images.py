"""Pictures in logs: made in a worker thread, kept as data URLs, and shown as small copies."""

import base64
import binascii
import io
from collections.abc import Callable, Mapping
from typing import TypeVar

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from PIL import Image

from tolman.core.limits import THUMBNAIL_PIXELS


def picture_bytes(text: object, attachments: Mapping[str, str]) -> bytes | None:
    """Bytes of a picture in a log; None for anything but a base64 data URL of an image."""
    url = str(text)
    url = attachments.get(url.removeprefix("attachment://"), "") if url.startswith("attachment://") else url
    head, comma, data = url.partition(";base64,")
    if not comma or not head.startswith("data:image/"):
        return None
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        return None


T = TypeVar("T")
_LIMITER: RunVar[CapacityLimiter] = RunVar("pictures")


async def in_worker_thread(work: Callable[[], T]) -> T:
    """The result of `work`, run in a thread after all earlier work of this event loop."""
    return await run_sync(work, limiter=_limiter())


def _limiter() -> CapacityLimiter:
    """One limiter for each event loop."""
    try:
        return _LIMITER.get()
    except LookupError:
        limiter = CapacityLimiter(1)
        _LIMITER.set(limiter)
        return limiter


def thumbnail(data: bytes, side: int) -> Image.Image | None:
    """A PNG or JPEG file as a picture with no side longer than `side` pixels; None for other or too large files."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG", "JPEG"]) as picture:
            if picture.width * picture.height > THUMBNAIL_PIXELS:
                return None
            small = picture.convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    small.thumbnail((side, side))
    return small
