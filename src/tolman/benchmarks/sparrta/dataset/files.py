"""The files of a set of pictures, ours and the authors', read with the labels on which probes are trained; and the
authors' `params_####.json` (centimetres in a left-handed frame, y to the right of x).

DIR/desert_2/mid-objects/img_00017.jpg, params_00017.json    as released
DIR/desert_2/truth/ids_00017.png                             1 source, 2 target, 3 human, 0 all else
DIR/desert_2/truth/depth_00017.png                           centimetres along each pixel's ray, 16 bits
DIR/desert_2/truth/truth_00017.json                          poses, boxes, pixels, labels, light, seeds
"""

import json
import math
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.benchmarks.sparrta.sample import (
    AMBIGUITY,
    ENVIRONMENTS,
    FIELD_OF_VIEW,
    HUMAN,
    RELATIONS,
    RELEASED_LABELS,
    ROLES,
    VIEWPOINTS,
    Actor,
    LookAtCamera,
    Role,
    Sample,
    Triple,
    Viewpoint,
    triple_of,
)
from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.files import read_json
from tolman.core.limits import check_pixels

PICTURES_FOLDER, TRUTH_FOLDER = "mid-objects", "truth"
_DIGITS = 5


def picture_paths(out: Path, triple: Triple, index: int) -> dict[str, Path]:
    """Paths of the files of a picture by kind, in the order of writing."""
    inner, truth, number = out / triple.name / PICTURES_FOLDER, out / triple.name / TRUTH_FOLDER, f"{index:0{_DIGITS}}"
    return {
        "image": inner / f"img_{number}.jpg",
        "params": inner / f"params_{number}.json",
        "ids": truth / f"ids_{number}.png",
        "depth": truth / f"depth_{number}.png",
        "truth": truth / f"truth_{number}.json",
    }


def is_complete(files: Mapping[str, Path]) -> bool:
    """Whether all files of a picture exist. Each is written atomically."""
    return all(path.is_file() and path.stat().st_size > 0 for path in files.values())


_KINDS = {".jpg", ".jpeg", ".png"}


def whole_path(path: Path) -> Path:
    """The absolute path with links as they are: in a hub's cache the name of a file is that of its link."""
    return Path(os.path.abspath(path))


def snapshot_in(data: Path) -> Path:
    """The folder itself; of a data set in a hub's cache, the snapshot that its branch `main` names, or its only one."""
    snapshots = data / "snapshots"
    if not snapshots.is_dir():
        return data
    main = data / "refs" / "main"
    named = main.read_text(encoding="utf-8").strip() if main.is_file() else ""
    there = {path.name: path for path in sorted(snapshots.iterdir()) if path.is_dir()}
    found = there.get(named) or (next(iter(there.values())) if len(there) == 1 else None)
    if found is None:
        raise SceneFileError(f"{snapshots} holds {len(there)} versions of the data: name one of its folders")
    return found


def triple_folders(data: Path) -> list[Path]:
    """All `TRIPLE/mid-objects` below a folder, or its own."""
    if not data.is_dir():
        raise SceneFileError(f"{data} is not a folder")
    data = snapshot_in(data)
    found = [path for path in (data / PICTURES_FOLDER, *sorted(data.glob(f"*/{PICTURES_FOLDER}"))) if path.is_dir()]
    if not found:
        raise SceneFileError(f"{data} holds no TRIPLE/{PICTURES_FOLDER}: make pictures with tolman make sparrta")
    return found


def pictures_in(inner: Path) -> list[Path]:
    """`img_*` of one triple, in the order of their names."""
    return sorted(path for path in inner.glob("img_*") if path.suffix.lower() in _KINDS)


def params_of_picture(picture: Path) -> Path | None:
    """The parameter file of a picture, with its number as written or padded otherwise; None if missing."""
    return next((path for path in _may_be(picture) if path.is_file()), None)


def _may_be(picture: Path) -> Iterator[Path]:
    number = picture_number(picture)
    yield picture.with_name(f"params_{number}.json")
    if number.isdecimal():
        for digits in (1, 4, 5):
            yield picture.with_name(f"params_{int(number):0{digits}}.json")


def picture_number(picture: Path) -> str:
    """The number in a picture's file name, as written."""
    return re.sub(r"^img_", "", picture.stem)


_CENTIMETRES = 100.0
_WRITTEN = {kind: label for label, kind in reversed(RELEASED_LABELS.items())}
_SENSOR = 50.0
Json = Mapping[str, object]


def read_params(path: Path) -> Sample:
    """The sample that a file describes. Its triple defines source and target; released files do not name it, so it is
    taken from the folder, such as `winter_town_2/mid-objects`."""
    stored = cast("Json", read_json(path))
    try:
        triple = _triple(stored, path)
        index = int(digits[-1]) if (digits := re.findall(r"\d+", path.stem)) else 0
        actors = [_actor(cast("Json", actor), triple) for actor in cast("Json", stored["actors"]).values()]
        by_role = {actor.role: actor for actor in actors}
        return Sample(
            triple,
            index,
            by_role["source"],
            by_role["target"],
            by_role["human"],
            _camera(cast("Json", stored["camera"])),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SceneFileError(f"{path} does not describe a sample of SpaRRTa: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return f"it has no {error}" if isinstance(error, KeyError) else str(error)


def _triple(stored: Json, path: Path) -> Triple:
    if "triple_id" in stored:
        return _named(str(stored["triple_id"]), (str(stored["environment"]),))
    return _named(whole_path(path).parent.parent.name.lower().replace("-", "_"), ENVIRONMENTS)


def _named(name: str, environments: Sequence[str]) -> Triple:
    """The triple of a name such as `desert` (or `desert_1`) and `desert_2`."""
    for environment in environments:
        if number := re.fullmatch(rf"{re.escape(environment)}(?:_(\d+))?", name):
            return triple_of(environment, int(number[1] or 1))
    raise ValueError(f"{name!r} is not a triple of {', '.join(environments)}")


def kind_of_label(label: str) -> str:
    """The kind of object of an authors' label; `Human 1` is a human, `Trash Bin` equals `TrashBin`."""
    plain = label.replace(" ", "").rstrip("0123456789_")
    kind = HUMAN if plain.lower().startswith(HUMAN) else RELEASED_LABELS.get(plain)
    if kind is None:
        raise SceneFileError(f"{label!r} is not an object of SpaRRTa: {', '.join(RELEASED_LABELS)}, Human")
    return kind


def _actor(stored: Json, triple: Triple) -> Actor:
    kind = kind_of_label(str(stored["label"]))
    roles: dict[str, Role] = {triple.source: "source", triple.target: "target", HUMAN: "human"}
    if kind not in roles:
        raise ValueError(f"{stored['label']!r} is not part of the triple {triple.name}")
    x, y, z = _place(stored)
    return Actor(roles[kind], kind, x, y, z, _number(cast("Json", stored["rotation"]), "yaw") % 360)


def _camera(stored: Json) -> LookAtCamera:
    x, y, z = _place(stored)
    rotation = cast("Json", stored["rotation"])
    heading, pitch = (math.radians(_number(rotation, name)) for name in ("yaw", "pitch"))
    level = math.cos(pitch)
    ahead = x + math.sin(heading) * level, y + math.cos(heading) * level, z + math.sin(pitch)
    return LookAtCamera(
        x, y, z, ahead, _number(cast("Json", stored.get("intrinsics", {"hfov_deg": FIELD_OF_VIEW})), "hfov_deg")
    )


def _place(stored: Json) -> tuple[float, float, float]:
    """Position in metres: their x is our north, their y our east."""
    at = cast("Json", stored["location"])
    return (
        _number(at, "y") / _CENTIMETRES,
        _number(at, "x") / _CENTIMETRES,
        _number(at, "z") / _CENTIMETRES,
    )


def _number(values: Json, name: str) -> float:
    value = values[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{name} is {value!r}, not a number")
    return float(value)


def params_of(sample: Sample) -> dict[str, object]:
    """The sample in the authors' format."""
    camera = sample.camera
    east, north, up = (
        there - here for there, here in zip(camera.looks_at, (camera.x, camera.y, camera.z), strict=True)
    )
    yaw, pitch = math.degrees(math.atan2(east, north)), math.degrees(math.atan2(up, math.hypot(east, north)))
    focal = _SENSOR / 2 / math.tan(math.radians(camera.field) / 2)
    lens = {"sensor_width_mm": _SENSOR, "sensor_height_mm": _SENSOR, "focal_length_mm": focal}
    return {
        "environment": sample.triple.environment,
        "triple_id": f"{sample.triple.environment}_{sample.triple.number}",
        "camera": {
            "label": "RenderCamera",
            "path": "",
            "location": _location(camera.x, camera.y, camera.z),
            "rotation": {"pitch": pitch, "yaw": yaw, "roll": 0.0},
            "intrinsics": {**lens, "hfov_deg": camera.field, "vfov_deg": camera.field},
        },
        "actors": {
            actor.role: {
                "label": "Human 1" if actor.role == "human" else _WRITTEN[actor.kind],
                "location": _location(actor.x, actor.y, actor.z),
                "rotation": {"pitch": 0.0, "yaw": actor.heading, "roll": 0.0},
            }
            for actor in sample.actors
        },
    }


def _location(east: float, north: float, up: float) -> dict[str, float]:
    return {"x": north * _CENTIMETRES, "y": east * _CENTIMETRES, "z": up * _CENTIMETRES}


def params_json(sample: Sample) -> bytes:
    """The file of a sample."""
    return json.dumps(params_of(sample), indent=2).encode()


@dataclass(frozen=True)
class StoredPicture:
    """One picture of a set with its metadata files."""

    image: Path
    sample: Sample
    ids: Path | None
    """Actor ids per pixel; None in the authors' data."""
    depth: Path | None
    truth: Path | None

    @cached_property
    def rgb(self) -> NDArray[np.uint8]:
        """Red, green and blue, eight bits."""
        try:
            with Image.open(self.image) as picture:
                check_pixels(picture.size, str(self.image))
                return np.asarray(picture.convert("RGB"))
        except (OSError, ValueError, Image.DecompressionBombError):
            raise SceneFileError(f"{self.image} is damaged; make it again") from None

    def mask(self, role: Role) -> NDArray[np.bool_] | None:
        """The visible pixels of an actor; None if unknown."""
        if self.ids is None:
            return None
        try:
            with Image.open(self.ids) as picture:
                check_pixels(picture.size, str(self.ids))
                return np.asarray(picture) == ROLES.index(role) + 1
        except (OSError, ValueError, Image.DecompressionBombError):
            raise SceneFileError(f"{self.ids} is damaged; make it again") from None


def read_set(folder: Path) -> Iterator[StoredPicture]:
    """All pictures below a folder that have parameters, in order: `TRIPLE/mid-objects/img_####.jpg` (or png)."""
    for inner in triple_folders(folder):
        for image in pictures_in(inner):
            if params_of_picture(image) is not None:
                yield stored_picture(image)


def stored_picture(image: Path) -> StoredPicture:
    """One picture of a set by its path."""
    number, params = picture_number(image), params_of_picture(image)
    if params is None:
        raise SceneFileError(f"{image} has no params_{number}.json beside it")
    beside = image.parent.parent / TRUTH_FOLDER
    ids, depth, truth = (
        path if path.is_file() else None
        for path in (beside / f"ids_{number}.png", beside / f"depth_{number}.png", beside / f"truth_{number}.json")
    )
    return StoredPicture(image, read_params(params), ids, depth, truth)


EGO_PICTURES = 5000
"""Only the first pictures, up to this number, have egocentric labels, as released; all have allocentric ones."""
AMBIGUOUS_LABEL = -1
"""The label of a picture whose relation is ambiguous."""


@dataclass(frozen=True, eq=False)
class PictureSet:
    """Pictures of one triple in order, with the class index of the relation for each viewpoint."""

    name: str
    environment: str
    paths: tuple[Path, ...]
    labels: Mapping[Viewpoint, NDArray[np.int64]]
    ambiguity: float = AMBIGUITY
    """Half-width in degrees of the ambiguous zone around each diagonal."""
    left_out: int = 0
    """Number of pictures without a parameter file."""


def read_picture_sets(data: Path, ambiguity: float = AMBIGUITY) -> list[PictureSet]:
    """All triples below a folder: `TRIPLE/mid-objects/img_####.jpg` (or png) beside `params_####.json`.

    Relations within `ambiguity` degrees of a diagonal are labelled ambiguous.
    """
    if not 0 <= ambiguity < 45:
        raise SettingsError(f"--ambiguity is from 0 to below 45 degrees, not {ambiguity:g}")
    return [_read_set(folder, ambiguity) for folder in triple_folders(data)]


def _read_set(folder: Path, ambiguity: float) -> PictureSet:
    pictures = pictures_in(folder)
    if not pictures:
        raise SceneFileError(f"{folder} holds no pictures img_####.jpg or .png")
    described = [(path, params) for path in pictures if (params := params_of_picture(path)) is not None]
    if not described:
        raise SceneFileError(f"{folder} holds no params_####.json beside its pictures")
    samples = [read_params(params) for _, params in described]
    labels: dict[Viewpoint, NDArray[np.int64]] = {
        viewpoint: _labels(samples, viewpoint, ambiguity) for viewpoint in VIEWPOINTS
    }
    labels["ego"][EGO_PICTURES:] = AMBIGUOUS_LABEL
    return PictureSet(
        whole_path(folder).parent.name,
        samples[0].triple.environment,
        tuple(path for path, _ in described),
        labels,
        ambiguity,
        len(pictures) - len(described),
    )


def _labels(samples: list[Sample], viewpoint: Viewpoint, ambiguity: float) -> NDArray[np.int64]:
    said = (sample.relation(viewpoint, ambiguity) for sample in samples)
    return np.array(
        [AMBIGUOUS_LABEL if relation is None else RELATIONS.index(relation) for relation in said], dtype=np.int64
    )
