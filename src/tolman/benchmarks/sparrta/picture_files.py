"""Which picture goes with which parameters in a folder, ours or the authors'."""

import re
from collections.abc import Iterator
from pathlib import Path

from tolman.benchmarks.sparrta.set_layout import INNER
from tolman.errors import SceneFileError

_KINDS = {".jpg", ".jpeg", ".png"}


def inner_folders(data: Path) -> list[Path]:
    """All `TRIPLE/mid-objects` below a folder, or its own."""
    if not data.is_dir():
        raise SceneFileError(f"{data} is no folder")
    found = [path for path in (data / INNER, *sorted(data.glob(f"*/{INNER}"))) if path.is_dir()]
    if not found:
        raise SceneFileError(f"{data} holds no TRIPLE/{INNER}: make pictures with tolman make sparrta")
    return found


def pictures_in(inner: Path) -> list[Path]:
    """`img_*` of one triple, in the order of their names."""
    return sorted(path for path in inner.glob("img_*") if path.suffix.lower() in _KINDS)


def params_of_picture(picture: Path) -> Path | None:
    """The parameters beside a picture: with its number as it is written, or as others pad it. None without any."""
    return next((path for path in _may_be(picture) if path.is_file()), None)


def _may_be(picture: Path) -> Iterator[Path]:
    number = picture_number(picture)
    yield picture.with_name(f"params_{number}.json")
    if number.isdecimal():
        for digits in (1, 4, 5):
            yield picture.with_name(f"params_{int(number):0{digits}}.json")


def picture_number(picture: Path) -> str:
    """Of its name, as it is written there."""
    return re.sub(r"^img_", "", picture.stem)
