"""A sample: a triple of source, target and human in an environment, and a camera; and where the target is, as seen from
a viewpoint: in front of the source, behind it, or to a side of it.

World frame: x east, y north, z up, metres; headings clockwise from north. Relations depend on positions on the ground
alone, not on facing directions. Front means beyond the source, on the line from the viewpoint through it.
"""

import math
from dataclasses import dataclass
from typing import Literal, get_args

from tolman.core.errors import SettingsError, UnknownNameError

Relation = Literal["front", "back", "left", "right"]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
"""In the order of the class indices of the paper."""
Viewpoint = Literal["ego", "allo"]
"""The camera, or the human."""
VIEWPOINTS: tuple[Viewpoint, ...] = get_args(Viewpoint)
AMBIGUITY = 15.0
"""Half-width in degrees of the ambiguous zone around each diagonal, as published."""
Ground = tuple[float, float]


def parse_viewpoints(text: str) -> tuple[Viewpoint, ...]:
    """The viewpoints that an option names: `ego`, `allo`, or `both`, which is also `ego,allo`."""
    names = set(VIEWPOINTS) if text == "both" else {part.strip() for part in text.split(",")}
    if names - set(VIEWPOINTS):
        raise SettingsError(f"--viewpoint is ego, allo or both, not {text!r}")
    return tuple(name for name in VIEWPOINTS if name in names)


def bearing(viewpoint: Ground, source: Ground, target: Ground) -> float | None:
    """Angle of the target from the source, counter-clockwise degrees from the line of sight, in (-180, 180].

    None where two of the positions are the same.
    """
    sight = source[0] - viewpoint[0], source[1] - viewpoint[1]
    offset = target[0] - source[0], target[1] - source[1]
    if sight == (0, 0) or offset == (0, 0):
        return None
    across, along = sight[0] * offset[1] - sight[1] * offset[0], sight[0] * offset[0] + sight[1] * offset[1]
    return math.degrees(math.atan2(across, along))


def relation(viewpoint: Ground, source: Ground, target: Ground, ambiguity: float = AMBIGUITY) -> Relation | None:
    """The relation, or None within `ambiguity` degrees of a diagonal, the border included."""
    angle = bearing(viewpoint, source, target)
    if angle is None or any(diagonal - ambiguity <= abs(angle) <= diagonal + ambiguity for diagonal in (45.0, 135.0)):
        return None
    if abs(angle) < 45:
        return "front"
    if abs(angle) > 135:
        return "back"
    return "left" if angle > 0 else "right"


Environment = Literal["forest", "desert", "winter_town", "bridge", "city"]
ENVIRONMENTS: tuple[Environment, ...] = get_args(Environment)


@dataclass(frozen=True)
class Triple:
    """A source and a target with a human, in an environment. The source has no clear front."""

    environment: Environment
    number: int
    source: str
    target: str

    @property
    def name(self) -> str:
        """The released folder: the first triple has the environment's name alone."""
        return self.environment if self.number == 1 else f"{self.environment}_{self.number}"


_PAIRS: dict[Environment, tuple[tuple[str, str], ...]] = {
    "forest": (("tree", "rock"), ("tent", "bear"), ("rock", "fox")),
    "desert": (("rock", "truck"), ("cactus", "camel"), ("barrel", "camel")),
    "winter_town": (("tree", "truck"), ("snowman", "husky"), ("tree", "deer")),
    "bridge": (("tree", "truck"), ("trash bin", "bicycle"), ("trash bin", "motor scooter")),
    "city": (("traffic cone", "motor scooter"), ("fire hydrant", "taxi"), ("traffic cone", "bicycle")),
}
TRIPLES: tuple[Triple, ...] = tuple(
    Triple(environment, number, *pair)
    for environment, pairs in _PAIRS.items()
    for number, pair in enumerate(pairs, start=1)
)
_SINGLE_WORDS = (
    *("Tree", "Rock", "Tent", "Bear", "Fox", "Truck", "Cactus", "Camel", "Barrel"),
    *("Snowman", "Husky", "Deer"),
)
RELEASED_LABELS: dict[str, str] = {
    **{label: label.lower() for label in _SINGLE_WORDS},
    "TrashBin": "trash bin",
    "Bike": "bicycle",
    "Vespa": "motor scooter",
    "Cone": "traffic cone",
    "Hydrant": "fire hydrant",
    "FireHydrant": "fire hydrant",
    "Taxi": "taxi",
}
"""Kinds by the authors' labels, without spaces. Labels that begin with `Human` are the human."""
HUMAN = "human"


def triples_in(environment: str) -> tuple[Triple, ...]:
    """The three triples of an environment."""
    found = tuple(triple for triple in TRIPLES if triple.environment == environment)
    if not found:
        raise UnknownNameError(f"there is no environment {environment!r}; choose one of {', '.join(ENVIRONMENTS)}")
    return found


def triple_of(environment: str, number: int) -> Triple:
    """One triple of an environment, from 1 to 3."""
    for triple in triples_in(environment):
        if triple.number == number:
            return triple
    raise UnknownNameError(f"the triples of {environment} are 1, 2 and 3, not {number}")


Role = Literal["source", "target", "human"]
ROLES: tuple[Role, ...] = ("source", "target", "human")
FIELD_OF_VIEW = 53.13010235415598
"""Horizontal field of view in degrees: a 50 mm lens with a 50 mm sensor."""


@dataclass(frozen=True)
class Actor:
    """An object or person in the picture: position of its base in metres, and heading of its front."""

    role: Role
    kind: str
    x: float
    y: float
    z: float
    heading: float
    """Clockwise degrees from north."""

    @property
    def ground(self) -> Ground:
        return self.x, self.y


@dataclass(frozen=True)
class LookAtCamera:
    """The camera: its position and the point that it looks at, without roll; field of view in degrees."""

    x: float
    y: float
    z: float
    looks_at: tuple[float, float, float]
    field: float = FIELD_OF_VIEW

    @property
    def ground(self) -> Ground:
        return self.x, self.y


@dataclass(frozen=True)
class Sample:
    """One picture of a triple."""

    triple: Triple
    index: int
    source: Actor
    target: Actor
    human: Actor
    camera: LookAtCamera

    @property
    def actors(self) -> tuple[Actor, Actor, Actor]:
        return self.source, self.target, self.human

    def relation(self, viewpoint: Viewpoint, ambiguity: float = AMBIGUITY) -> Relation | None:
        """Where the target is relative to the source; None if ambiguous."""
        seen_from = self.camera.ground if viewpoint == "ego" else self.human.ground
        return relation(seen_from, self.source.ground, self.target.ground, ambiguity)
