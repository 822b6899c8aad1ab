"""What a model saw of a scene, from its log, as small pictures that a page can hold."""

import base64
import hashlib
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from inspect_ai.event import InfoEvent
from inspect_ai.log import EvalSample, read_eval_log_sample
from PIL import Image

from tolman.benchmarks.data_urls import picture_bytes
from tolman.benchmarks.osr_bench.osr_run import PICTURE_SOURCE
from tolman.benchmarks.osr_bench.panorama_variants import Pixels, read_panorama, turned
from tolman.benchmarks.osr_bench.shown import PANORAMA
from tolman.errors import SceneFileError
from tolman.report.log_files import SampleAddress
from tolman.report.thumbnail import thumbnail
from tolman.whole_file import write_whole

FOLDER = "panoramas"
WIDEST, _VIEW, _QUALITY = 1024, 384, 85
_UNREAD = set(EvalSample.model_fields) - {"id", "epoch", "input", "target", "events", "attachments"}
Sent = tuple[int, str, bytes]
"""Degrees that the camera was turned by, what the picture is of, and its file."""


def seen_script(addresses: Sequence[SampleAddress], folder: Path) -> str | None:
    """Put the pictures of a scene into a folder, and name the file: a script, as pages from disk may read no pictures.

    The first of the logs that holds a panorama is taken, else the first that holds cut views; None where none does.
    """
    views: list[tuple[str, str]] = []
    for address in addresses:
        sent = list(_sent(address))
        for turn, view, data in sent:
            if view == PANORAMA and (pixels := _panorama(data)) is not None:
                return _kept({"panorama": _url(_sized(turned(pixels, -turn)))}, folder)
        views = views or [(view, url) for turn, view, data in sent if turn == sent[0][0] and (url := _view(data))]
    return _kept({"views": views}, folder) if views else None


def _sent(address: SampleAddress) -> Iterator[Sent]:
    """All pictures that were sent; none where the log is gone or damaged. What is not as we wrote it is passed over."""
    try:
        sample = read_eval_log_sample(str(address.log), address.sample, address.epoch, exclude_fields=_UNREAD)
    except Exception:
        return
    for event in sample.events:
        if isinstance(event, InfoEvent) and event.source == PICTURE_SOURCE and isinstance(event.data, dict):
            data = picture_bytes(event.data.get("picture"), sample.attachments)
            turn = event.data.get("turn")
            if data is not None and isinstance(turn, int):
                yield turn, str(event.data.get("view"))[:20], data


def _panorama(data: bytes) -> Pixels | None:
    try:
        return read_panorama(data, PANORAMA)
    except SceneFileError:
        return None


def _sized(pixels: Pixels) -> Image.Image:
    """A power of two wide, as graphics cards want pictures that go on where they end."""
    width = min(WIDEST, 2 ** round(math.log2(max(2, pixels.shape[1]))))
    return Image.fromarray(pixels).resize((width, width // 2), Image.Resampling.LANCZOS)


def _view(data: bytes) -> str | None:
    small = thumbnail(data, _VIEW)
    return None if small is None else _url(small)


def _url(picture: Image.Image) -> str:
    buffer = io.BytesIO()
    picture.save(buffer, "JPEG", quality=_QUALITY)
    return f"data:image/jpeg;base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"


def _kept(seen: Mapping[str, object], folder: Path) -> str:
    text = f"window.SEEN = {json.dumps(seen)};\n"
    name = f"{hashlib.sha256(text.encode()).hexdigest()[:20]}.js"
    if not (folder / name).exists():
        write_whole(folder / name, text.encode())
    return name
