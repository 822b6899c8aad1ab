"""The picture that a model was sent, from its log, as a small file beside the pages."""

import hashlib
import io
from pathlib import Path

from inspect_ai.event import InfoEvent
from inspect_ai.log import EvalSample, read_eval_log_sample

from tolman.benchmarks.data_urls import picture_bytes
from tolman.benchmarks.sparrta.sparrta_run import PICTURE_SOURCE
from tolman.report.log_files import SampleAddress
from tolman.report.thumbnail import thumbnail
from tolman.whole_file import write_whole

_UNREAD = set(EvalSample.model_fields) - {"id", "epoch", "input", "target", "events", "attachments"}
_WIDEST, _QUALITY = 448, 88


def keep_picture(address: SampleAddress, folder: Path) -> str | None:
    """Write the picture of a sample into a folder, encoded anew; its name there, or None where there is none."""
    data = _sent(address)
    small = None if data is None else _small(data)
    if small is None:
        return None
    name = f"{hashlib.sha256(small).hexdigest()[:20]}.jpg"
    if not (folder / name).exists():
        write_whole(folder / name, small)
    return name


def _sent(address: SampleAddress) -> bytes | None:
    try:
        sample = read_eval_log_sample(str(address.log), address.sample, address.epoch, exclude_fields=_UNREAD)
    except Exception:  # whatever a damaged file makes its readers raise
        return None
    for event in sample.events:
        if isinstance(event, InfoEvent) and event.source == PICTURE_SOURCE and isinstance(event.data, dict):
            return picture_bytes(event.data.get("picture"), sample.attachments)
    return None


def _small(data: bytes) -> bytes | None:
    small = thumbnail(data, _WIDEST)
    if small is None:
        return None
    buffer = io.BytesIO()
    small.save(buffer, "JPEG", quality=_QUALITY)
    return buffer.getvalue()
