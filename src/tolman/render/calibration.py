"""A picture to go by: how far off and how far to the side things are, shown with four coloured cylinders."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.render.building.measures import EYE
from tolman.render.building.openings import slab
from tolman.render.camera import Perspective
from tolman.render.engine.light import to_srgb
from tolman.render.engine.parts import Part
from tolman.render.engine.presets import find_preset
from tolman.render.engine.stage import Stage
from tolman.render.lettering import write
from tolman.render.plan.brush import text_width
from tolman.render.shapes.material import Material, srgb
from tolman.render.shapes.model import Mesh
from tolman.render.shapes.solids import cylinder

RADIUS, HEIGHT = 0.1, 0.3
"""Of the cylinders, in metres: low enough for the nearer not to hide the farther."""
_SKY = 0.75
_DOT, _DOTS = 0.018, 0.25
"""Radius of the dots on the floor and the way between them, in metres."""
_RAYS = (-45.0, -22.5, 0.0, 22.5, 45.0)
_FLOOR = Material(srgb("#cfcac0"), roughness=0.9)
_WALL = Material(srgb("#e9e6de"), roughness=0.95)
_INK = Material(srgb("#4a4a4a"), roughness=0.9)


@dataclass(frozen=True)
class Post:
    """A cylinder so many metres off, so many degrees to the right of straight ahead."""

    colour: str
    paint: str
    metres: float
    bearing: float
    says: str

    @property
    def right(self) -> float:
        return self.metres * math.sin(math.radians(self.bearing))

    @property
    def ahead(self) -> float:
        return self.metres * math.cos(math.radians(self.bearing))


POSTS = (
    Post("blue", "#1f5fd0", 1.0, 0.0, "1 m"),
    Post("red", "#d0281f", 2.0, 0.0, "2 m"),
    Post("yellow", "#f0c419", 2.0, -45.0, "2 m, 45° left"),
    Post("green", "#1f9d4c", 3.0, 22.5, "3 m, 22.5° right"),
)
"""As published."""


def distance_picture(*, field: float, size: int, eye: float = EYE, preset: str = "standard") -> NDArray[np.uint8]:
    """Four cylinders on a floor with dotted lines every 22.5 degrees, from a camera like that of all other views.

    Each has its distance in metres and its angle written beside it.
    """
    parts = [Part(mesh, 0) for mesh in (*_hall(), *_lines())]
    parts += [Part(_stood(post), number) for number, post in enumerate(POSTS, start=1)]
    view = Stage(parts, sky=_SKY).look(Perspective(0.0, 0.0, eye, 0.0, field, size, size), find_preset(preset))
    picture = Image.fromarray(to_srgb(view.light))
    for post in POSTS:
        _label(picture, post, field, eye)
    return np.asarray(picture)


def _hall() -> Iterator[Mesh]:
    """A floor between three walls, open above."""
    yield slab((-4.0, -1.0, -0.1), (4.0, 6.0, 0.0), _FLOOR)
    yield slab((-4.0, 6.0, 0.0), (4.0, 6.1, 2.6), _WALL)
    yield slab((-4.1, -1.0, 0.0), (-4.0, 6.1, 2.6), _WALL)
    yield slab((4.0, -1.0, 0.0), (4.1, 6.1, 2.6), _WALL)


def _lines() -> Iterator[Mesh]:
    """Dots along each ray, a larger one at every whole metre."""
    for bearing in _RAYS:
        for step in range(2, 17):
            metres = step * _DOTS
            sin, cos = math.sin(math.radians(bearing)), math.cos(math.radians(bearing))
            radius = _DOT * 2 if step % 4 == 0 else _DOT
            yield cylinder(radius, 0.004, (metres * sin, metres * cos, 0.0), _INK, sides=10)


def _stood(post: Post) -> Mesh:
    return cylinder(RADIUS, HEIGHT, (post.right, post.ahead, 0.0), Material(srgb(post.paint), roughness=0.5))


def _label(picture: Image.Image, post: Post, field: float, eye: float) -> None:
    """What a cylinder stands for: above it if it is on the right, where there is no room beside it, else beside it."""
    size = picture.width
    scale = size / 2 / math.tan(math.radians(field) / 2) / post.ahead
    letters = max(7.0, size / 26)
    if post.bearing > 0:
        left = size / 2 + post.right * scale - text_width(post.says, round(letters)) / 2
        write(picture, post.says, (left, size / 2 + (eye - HEIGHT) * scale - letters), letters)
    else:
        left = size / 2 + (post.right + 1.5 * RADIUS) * scale
        write(picture, post.says, (left, size / 2 + (eye - HEIGHT / 2) * scale), letters)
