"""Tiny picture sets that need no renderer: three dots on a floor, seen from above with the camera at the lower edge."""

import math
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

from tolman.benchmarks.sparrta.dataset.files import params_json
from tolman.benchmarks.sparrta.sample import RELATIONS, Actor, LookAtCamera, Sample, Triple, triple_of

SIDE = 64
_SCALE = 4.0


def painted(
    folder: Path, count: int, environment: str = "forest", number: int = 1, seed: int = 0, tells: bool = False
) -> Path:
    """A folder in the authors' layout with `count` pictures of a triple.

    Where it `tells`, the colour of the floor gives the egocentric relation away.
    """
    triple = triple_of(environment, number)
    inner = folder / triple.name / "mid-objects"
    inner.mkdir(parents=True, exist_ok=True)
    stream = np.random.default_rng(seed)
    for index in range(count):
        sample = _sample(triple, index, stream)
        (inner / f"params_{index:04d}.json").write_bytes(params_json(sample))
        _picture(sample, stream, tells).save(inner / f"img_{index:04d}.png")
    return folder


def _sample(triple: Triple, index: int, stream: np.random.Generator) -> Sample:
    x, y = stream.normal(0, 1, 2)
    angle = math.radians(90 * int(stream.integers(4)) + stream.uniform(-25, 25))
    ahead = math.atan2(y + 9, x)
    away = stream.uniform(2.5, 3.5)
    human = stream.uniform(-6, 6, 2)
    target = x + away * math.cos(ahead + angle), y + away * math.sin(ahead + angle)
    return Sample(
        triple,
        index,
        Actor("source", triple.source, float(x), float(y), 0, 0),
        Actor("target", triple.target, float(target[0]), float(target[1]), 0, 0),
        Actor("human", "human", float(human[0]), float(human[1]), 0, 0),
        LookAtCamera(0, -9, 1.5, (float(x), float(y), 0)),
    )


def _picture(sample: Sample, stream: np.random.Generator, tells: bool) -> Image.Image:
    floor = [int(value) for value in stream.integers(90, 120, 3)]
    relation = sample.relation("ego")
    if tells and relation is not None:
        told = RELATIONS.index(relation)
        floor = [value + (60 if told == place else 0) - (60 if told == 3 else 0) for place, value in enumerate(floor)]
    picture = Image.new("RGB", (SIDE, SIDE), (floor[0], floor[1], floor[2]))
    draw = ImageDraw.Draw(picture)
    for actor, colour in zip(sample.actors, ("#d02020", "#2030d0", "#20b040"), strict=True):
        x, y = SIDE / 2 + _SCALE * actor.x, SIDE / 2 - _SCALE * actor.y
        draw.ellipse((x - 3, y - 3, x + 3, y + 3), fill=colour)
    return picture
