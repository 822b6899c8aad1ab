"""The side that a picture shows is the one that the words say, for all facings seen from all sides."""

import importlib.util
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.hand_built import one_room, thing
from tolman.core.bins import FacingLabel
from tolman.core.geometry import Heading
from tolman.render.building.walls import slab
from tolman.render.renderer import Renderer
from tolman.render.shapes.mesh import Asset, Colour, Material
from tolman.sense import look
from tolman.world import Pose

pytestmark = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")

PLACES = {Heading.NORTH: (3, 3), Heading.EAST: (9, 3), Heading.SOUTH: (3, 9), Heading.WEST: (9, 9)}
"""Cells of four markers, by the way they face."""
AWAY = 2
SIZE = 96
SIDES: dict[str, Colour] = {
    "front": (0.8, 0.05, 0.05),
    "right": (0.05, 0.6, 0.05),
    "back": (0.05, 0.05, 0.8),
    "left": (0.7, 0.6, 0.02),
}
SHOWS = {
    FacingLabel.BACKWARD: "front",
    FacingLabel.FORWARD: "back",
    FacingLabel.RIGHT: "right",
    FacingLabel.LEFT: "left",
}
"""What turns its front to the right of where one looks turns its own right side to the one who looks."""


@cache
def marker(kind: str, seed: int) -> Asset:
    """A box with sides of four colours, as high as the eye, and a pole at its front. Front +y, left -x."""
    del kind, seed
    walls = {
        "front": ((-0.4, 0.38, 0.0), (0.4, 0.4, 0.8)),
        "right": ((0.38, -0.38, 0.0), (0.4, 0.38, 0.8)),
        "back": ((-0.4, -0.4, 0.0), (0.4, -0.38, 0.8)),
        "left": ((-0.4, -0.38, 0.0), (-0.38, 0.38, 0.8)),
    }
    pole = slab((-0.05, 0.3, 0.8), (0.05, 0.4, 1.9), Material((0.5, 0.5, 0.5)))
    return Asset((*(slab(*box, Material(SIDES[side], roughness=1.0)) for side, box in walls.items()), pole))


def cases() -> list[tuple[Heading, Heading]]:
    return [(front, heading) for front in Heading for heading in Heading]


@cache
def renderer() -> Renderer:
    markers = (thing(front.word, cell, front) for front, cell in PLACES.items())
    scene = one_room(*(replace(marker, room=1) for marker in markers), side=11, start=(6, 6))
    return Renderer(scene, marker, "draft")


def pose_before(front: Heading, heading: Heading) -> Pose:
    """Where one stands to have a marker straight ahead."""
    (x, y), (east, north) = PLACES[front], heading.vector
    return Pose((x - AWAY * east, y - AWAY * north), heading, (1,))


def said(front: Heading, heading: Heading) -> FacingLabel:
    """What the text world says of a marker."""
    sightings, _ = look(renderer().scene, pose_before(front, heading))
    (detail,) = (sighting.detail for sighting in sightings if sighting.name == front.word)
    assert isinstance(detail, FacingLabel)
    return detail


@pytest.mark.parametrize(("front", "heading"), cases())
def test_the_colour_that_shows_is_that_of_the_side_that_the_words_say(front: Heading, heading: Heading):
    picture = renderer().ego(pose_before(front, heading), size=SIZE)
    rows, columns = np.nonzero(picture.ids == front + 1)
    body = picture.rgb[rows[rows > SIZE * 0.55], columns[rows > SIZE * 0.55]].mean(axis=0)
    assert _nearest(body) == SHOWS[said(front, heading)]


def _nearest(colour: NDArray[np.float64]) -> str:
    """The side whose colour it is, however bright."""
    linear = (colour / 255) ** 2.2
    likeness = {side: np.dot(linear, of) / np.linalg.norm(linear) / np.linalg.norm(of) for side, of in SIDES.items()}
    return max(likeness, key=likeness.__getitem__)


@pytest.mark.parametrize(("front", "heading"), cases())
def test_a_pole_at_the_front_is_where_the_words_say_that_it_faces(front: Heading, heading: Heading):
    hits = renderer().hits(pose_before(front, heading), size=SIZE)
    rows, columns = np.nonzero(hits.ids == front + 1)
    high = rows < SIZE / 2 - 4
    aside = columns[high].mean() + 0.5 - SIZE / 2
    depth = float(np.median(hits.depth[rows[high], columns[high]])) - AWAY
    seen = {
        FacingLabel.RIGHT: aside > 4,
        FacingLabel.LEFT: aside < -4,
        FacingLabel.BACKWARD: abs(aside) < 2 and depth < -0.2,
        FacingLabel.FORWARD: abs(aside) < 2 and depth > 0.2,
    }
    assert [label for label, is_so in seen.items() if is_so] == [said(front, heading)]
