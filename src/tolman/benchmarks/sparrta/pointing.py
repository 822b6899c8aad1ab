"""Which of several trees is meant: where in the picture a thing stands, in words that give no more away."""

import math

from tolman.benchmarks.sparrta.sample import Actor, Sample

LOOK_ALIKES: dict[str, frozenset[str]] = {
    "forest": frozenset({"tree", "rock"}),
    "desert": frozenset({"rock"}),
    "winter_town": frozenset({"tree"}),
    "bridge": frozenset({"tree"}),
}
"""Kinds of source that the surroundings of an environment are full of."""


def has_look_alikes(sample: Sample) -> bool:
    """Whether the source could be taken for a part of the surroundings."""
    return sample.source.kind in LOOK_ALIKES.get(sample.triple.environment, frozenset())


def place_in_picture(sample: Sample, actor: Actor) -> tuple[float, float]:
    """Where an actor's foot is: shares of the width from the left edge, and of the height from the top.

    What is behind the camera has no place, and gives NaN.
    """
    eye = sample.eye
    ahead = _unit(tuple(there - here for there, here in zip(eye.looks_at, (eye.x, eye.y, eye.z), strict=True)))
    right = _unit((ahead[1], -ahead[0], 0.0))
    up = (
        right[1] * ahead[2] - right[2] * ahead[1],
        right[2] * ahead[0] - right[0] * ahead[2],
        right[0] * ahead[1] - right[1] * ahead[0],
    )
    away = actor.x - eye.x, actor.y - eye.y, actor.z - eye.z
    far = _dot(away, ahead)
    if far <= 0:
        return math.nan, math.nan
    half = far * math.tan(math.radians(eye.field) / 2)
    return 0.5 + _dot(away, right) / half / 2, 0.5 - _dot(away, up) / half / 2


def _dot(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _unit(vector: tuple[float, ...]) -> tuple[float, ...]:
    length = math.sqrt(_dot(vector, vector)) or 1.0
    return tuple(value / length for value in vector)
