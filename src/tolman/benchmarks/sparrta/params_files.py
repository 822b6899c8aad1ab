"""The authors' `params_####.json`, read and written: centimetres in a left-handed frame, y to the right of x."""

import json
import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

from tolman.benchmarks.sparrta.sample import FIELD, Actor, Eye, Role, Sample
from tolman.benchmarks.sparrta.triples import ENVIRONMENTS, HUMAN, RELEASED_LABELS, Triple, triple_of
from tolman.errors import SceneFileError
from tolman.world.json_file import read_json

_CENTIMETRES = 100.0
_WRITTEN = {kind: label for label, kind in reversed(RELEASED_LABELS.items())}
_SENSOR = 50.0
Json = Mapping[str, object]


def read_params(path: Path) -> Sample:
    """The sample that a file describes. Which of the things is the source its triple says; where a file names none, as
    those of the released pictures do, its folder does: `winter_town_2/mid-objects`."""
    stored = cast("Json", read_json(path))
    try:
        triple = _triple(stored, path)
        index = int(digits[-1]) if (digits := re.findall(r"\d+", path.stem)) else 0
        actors = [_actor(cast("Json", actor), triple) for actor in cast("Json", stored["actors"]).values()]
        by_role = {actor.role: actor for actor in actors}
        return Sample(
            triple, index, by_role["source"], by_role["target"], by_role["human"], _eye(cast("Json", stored["camera"]))
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SceneFileError(f"{path} does not describe a sample of SpaRRTa: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    return f"it has no {error}" if isinstance(error, KeyError) else str(error)


def _triple(stored: Json, path: Path) -> Triple:
    if "triple_id" in stored:
        return _named(str(stored["triple_id"]), (str(stored["environment"]),))
    return _named(path.resolve().parent.parent.name.lower().replace("-", "_"), ENVIRONMENTS)


def _named(name: str, environments: Sequence[str]) -> Triple:
    """`desert_1`, `desert` and `desert_2` are names of triples."""
    for environment in environments:
        if number := re.fullmatch(rf"{re.escape(environment)}(?:_(\d+))?", name):
            return triple_of(environment, int(number[1] or 1))
    raise ValueError(f"{name!r} is no triple of {', '.join(environments)}")


def kind_of(label: str) -> str:
    """The kind of thing that the authors' label means: `Human 1` is a human, `Trash Bin` and `TrashBin` are one."""
    plain = label.replace(" ", "").rstrip("0123456789_")
    kind = HUMAN if plain.lower().startswith(HUMAN) else RELEASED_LABELS.get(plain)
    if kind is None:
        raise SceneFileError(f"{label!r} is none of the things in SpaRRTa: {', '.join(RELEASED_LABELS)}, Human")
    return kind


def _actor(stored: Json, triple: Triple) -> Actor:
    kind = kind_of(str(stored["label"]))
    roles: dict[str, Role] = {triple.source: "source", triple.target: "target", HUMAN: "human"}
    if kind not in roles:
        raise ValueError(f"{stored['label']!r} is not of the triple {triple.name}")
    x, y, z = _place(stored)
    return Actor(roles[kind], kind, x, y, z, _number(cast("Json", stored["rotation"]), "yaw") % 360)


def _eye(stored: Json) -> Eye:
    x, y, z = _place(stored)
    rotation = cast("Json", stored["rotation"])
    heading, pitch = (math.radians(_number(rotation, name)) for name in ("yaw", "pitch"))
    level = math.cos(pitch)
    ahead = x + math.sin(heading) * level, y + math.cos(heading) * level, z + math.sin(pitch)
    return Eye(x, y, z, ahead, _number(cast("Json", stored.get("intrinsics", {"hfov_deg": FIELD})), "hfov_deg"))


def _place(stored: Json) -> tuple[float, float, float]:
    """Their x is our north, their y our east: seen from above both run alike."""
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
    """The sample as the authors' files have it."""
    eye = sample.eye
    east, north, up = (there - here for there, here in zip(eye.looks_at, (eye.x, eye.y, eye.z), strict=True))
    yaw, pitch = math.degrees(math.atan2(east, north)), math.degrees(math.atan2(up, math.hypot(east, north)))
    focal = _SENSOR / 2 / math.tan(math.radians(eye.field) / 2)
    lens = {"sensor_width_mm": _SENSOR, "sensor_height_mm": _SENSOR, "focal_length_mm": focal}
    return {
        "environment": sample.triple.environment,
        "triple_id": f"{sample.triple.environment}_{sample.triple.number}",
        "camera": {
            "label": "RenderCamera",
            "path": "",
            "location": _location(eye.x, eye.y, eye.z),
            "rotation": {"pitch": pitch, "yaw": yaw, "roll": 0.0},
            "intrinsics": {**lens, "hfov_deg": eye.field, "vfov_deg": eye.field},
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
