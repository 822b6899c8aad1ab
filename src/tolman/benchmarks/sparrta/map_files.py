"""Maps of what probes look at, beside the results: pictures, and what is to be said of them. Read without torch."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, cast

from tolman.benchmarks.sparrta.relations import VIEWPOINTS, Viewpoint
from tolman.errors import SceneFileError
from tolman.probing.encoders.presets import current_name
from tolman.probing.head_names import EVERY_HEAD, HeadName
from tolman.whole_file import write_whole
from tolman.world.json_file import read_json

FOLDER = "maps"
_FORMAT = "tolman.sparrta.maps/1"
_NAME = re.compile(r"[A-Za-z0-9_.-]{1,160}\.png")


@dataclass(frozen=True)
class ProbeMap:
    """What a head of one cell looks at in one picture, and what it says of it."""

    viewpoint: Viewpoint
    head: HeadName
    file: str
    """A picture in the folder of maps."""
    says: str
    true: str
    """The true relation."""
    trained_on: bool
    """Whether this head has seen the picture while it was trained or chosen."""
    on: Mapping[str, float]
    """Shares of what it looks at that lie on the source, the target, the human and the background; empty where there
    are no masks."""


@dataclass(frozen=True)
class MappedPicture:
    """A picture, and what the heads on one encoder look at in it."""

    encoder: str
    layer: int
    layers: int
    environment: str
    triple: str
    picture: str
    file: str
    maps: tuple[ProbeMap, ...]


def plain_name(text: str) -> str:
    """A text as part of a file's name."""
    return "".join(c if c.isascii() and (c.isalnum() or c in "-_.") else "-" for c in text)[:60]


def write_maps(out: Path, encoder: str, pictures: Sequence[MappedPicture]) -> None:
    """Keep what is to be said of the maps of one encoder; pictures are beside it."""
    stored = {"format": _FORMAT, "pictures": [asdict(picture) for picture in pictures]}
    write_whole(out / FOLDER / f"{plain_name(encoder)}.json", json.dumps(stored, indent=1).encode())


def read_maps(out: Path) -> list[MappedPicture]:
    """All maps of a folder of results whose pictures are there."""
    return [picture for file in sorted((out / FOLDER).glob("*.json")) for picture in _read(file)]


def _read(file: Path) -> Iterator[MappedPicture]:
    try:
        for stored in cast("Any", read_json(file))["pictures"]:
            maps = tuple(ProbeMap(**cast("Any", {**one, "on": dict(one["on"])})) for one in stored["maps"])
            picture = MappedPicture(**cast("Any", {**stored, "maps": maps}))
            kept = tuple(one for one in picture.maps if _is_known(one) and _is_there(file.parent, one.file))
            if kept and _is_there(file.parent, picture.file):
                yield replace(picture, encoder=current_name(picture.encoder), maps=kept)
    except (KeyError, TypeError, ValueError) as error:
        raise SceneFileError(f"{file} tells of no maps ({error}): make them again with tolman probe maps") from None


def _is_known(found: ProbeMap) -> bool:
    return found.viewpoint in VIEWPOINTS and found.head in EVERY_HEAD


def _is_there(folder: Path, name: str) -> bool:
    return _NAME.fullmatch(name) is not None and (folder / name).is_file()
