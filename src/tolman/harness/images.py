"""Pictures in logs: made in a worker thread, kept as data URLs, and shown as small copies."""

import base64
import binascii
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, TypeVar

from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from inspect_ai.event import Event, InfoEvent
from inspect_ai.log import EvalSample, read_eval_log_sample
from PIL import Image

from tolman.core.limits import THUMBNAIL_PIXELS
from tolman.harness.logs import SampleAddress


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


def data_url(data: bytes, kind: str = "png") -> str:
    """A picture file as a data URL, as messages and logs hold it."""
    return f"data:image/{kind};base64,{base64.b64encode(data).decode('ascii')}"


PICTURE_SOURCE = "picture"
"""Source of the log entries that hold each picture as sent: its data URL under `picture`, and what it shows."""
_UNREAD = set(EvalSample.model_fields) - {"id", "epoch", "input", "target", "events", "attachments"}


def noted_pictures(events: Iterable[Event], attachments: Mapping[str, str]) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Log entries of pictures, each with its picture file. Malformed entries are skipped."""
    for event in events:
        if isinstance(event, InfoEvent) and event.source == PICTURE_SOURCE and isinstance(event.data, dict):
            data = picture_bytes(event.data.get("picture"), attachments)
            if data is not None:
                yield event.data, data


def logged_pictures(at: SampleAddress) -> list[tuple[dict[str, Any], bytes]]:
    """Log entries and files of all pictures that were sent in a sample; none if the log is missing or damaged."""
    try:
        sample = read_eval_log_sample(str(at.log), at.sample, at.epoch, exclude_fields=_UNREAD)
        return list(noted_pictures(sample.events, sample.attachments))
    except Exception:  # whatever a damaged file makes its readers raise
        return []


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
