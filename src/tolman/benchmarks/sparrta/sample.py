"""A sample: three things and a camera. World frame: x east, y north, z up, metres; headings clockwise from north."""

from dataclasses import dataclass
from typing import Literal

from tolman.benchmarks.sparrta.relations import AMBIGUITY, Ground, Relation, Viewpoint, relation
from tolman.benchmarks.sparrta.triples import Triple

Role = Literal["source", "target", "human"]
ROLES: tuple[Role, ...] = ("source", "target", "human")
FIELD = 53.13010235415598
"""Degrees across a picture: a lens of 50 mm before a sensor of 50 mm."""


@dataclass(frozen=True)
class Actor:
    """A thing in the picture: where it stands on the ground and which way its front looks."""

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
class Eye:
    """The camera: where it is, and the point that it looks at. It is never tilted to a side."""

    x: float
    y: float
    z: float
    looks_at: tuple[float, float, float]
    field: float = FIELD

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
    eye: Eye

    @property
    def actors(self) -> tuple[Actor, Actor, Actor]:
        return self.source, self.target, self.human

    def relation(self, viewpoint: Viewpoint, ambiguity: float = AMBIGUITY) -> Relation | None:
        """Where the target is to the source; None in the zones where it can't be said."""
        seen_from = self.eye.ground if viewpoint == "ego" else self.human.ground
        return relation(seen_from, self.source.ground, self.target.ground, ambiguity)
