"""Cognitive maps: what an agent says is where, the form in which it says so, and the true map to compare with.

Two frames. A global map has its origin where the agent started, y to the north. A local map has its origin where the
agent stands, y straight ahead and x to the right. Facings are absolute in both once a map has been read.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, RootModel

from tolman.geometry import Heading, difference, to_ego
from tolman.rules import Rules
from tolman.sense import visible
from tolman.world import AGENT, Item, Pose, Scene, Thing

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a map puts something, in cells of the map's frame, and which way it faces, if the map says so."""

    position: Point
    facing: Heading | None


@dataclass(frozen=True)
class CognitiveMap:
    """Things, doors and (in a global map) the agent by name."""

    places: Mapping[str, Placed]

    def only(self, names: Iterable[str]) -> "CognitiveMap":
        """The part of the map that is about some names."""
        wanted = set(names)
        return CognitiveMap({name: placed for name, placed in self.places.items() if name in wanted})


# ---- the truth ----


def true_global_map(scene: Scene, pose: Pose, names: Iterable[str], rules: Rules) -> CognitiveMap:
    """Where some things and doors really are, and the agent, in cells east and north of the start."""
    wanted = set(names)
    places = {
        item.name: Placed(difference(item.cell, scene.start), _facing(item, rules))
        for item in scene.items
        if item.name in wanted
    }
    places[AGENT] = Placed(difference(pose.cell, scene.start), pose.heading)
    return CognitiveMap(places)


def true_local_map(scene: Scene, pose: Pose, rules: Rules) -> CognitiveMap:
    """What is in view from a pose, in cells to the right and ahead; facings are absolute."""
    return CognitiveMap(
        {
            item.name: Placed(to_ego(difference(item.cell, pose.cell), pose.heading), _facing(item, rules))
            for item in visible(scene, pose)
        }
    )


def _facing(item: Item, rules: Rules) -> Heading | None:
    """A door faces along its axis; a thing without a front faces nowhere, or east as published."""
    if not isinstance(item, Thing):
        return Heading.EAST if item.axis == "x" else Heading.NORTH
    if item.front is None and not rules.frontless_things_face_nowhere:
        return Heading.EAST
    return item.front


# ---- the form in which maps are asked for and written ----

FacingWord = Literal["north", "east", "south", "west"]
FacingAxis = Literal["+y", "+x", "-y", "-x"]
_WORDS: tuple[FacingWord, ...] = ("north", "east", "south", "west")
_AXES: tuple[FacingAxis, ...] = ("+y", "+x", "-y", "-x")


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class GlobalEntry(_Form):
    """One thing, door or the agent: cells east and north of the start."""

    position: Point
    facing: FacingWord | None = None


class GlobalMapForm(RootModel[dict[str, GlobalEntry]]):
    """Everything seen so far and `agent`, by name. The map asked for while revising has the same form."""


class RevisionMapForm(GlobalMapForm):
    """All things and doors of the world, seen again or not, and `agent`, by name."""


class LocalEntry(_Form):
    """One thing or door in view: cells to the right and ahead; a facing is `+y` for ahead, `+x` for right."""

    position: Point
    facing: FacingAxis | None = None


class LocalMapForm(_Form):
    """Only what is in view."""

    origin: Literal["agent"] = "agent"
    objects: dict[str, LocalEntry]


class UnexploredForm(_Form):
    """Letters of the candidate points that have not been in view yet."""

    unexplored: list[str]


def global_form(cognitive_map: CognitiveMap) -> GlobalMapForm:
    """A global map in the form in which agents are asked for it."""
    return GlobalMapForm(
        {
            name: GlobalEntry(position=placed.position, facing=None if placed.facing is None else _WORDS[placed.facing])
            for name, placed in cognitive_map.places.items()
        }
    )


def local_form(cognitive_map: CognitiveMap, heading: Heading) -> LocalMapForm:
    """A local map in the form in which agents are asked for it, said by someone who faces `heading`."""
    return LocalMapForm(
        objects={
            name: LocalEntry(
                position=placed.position,
                facing=None if placed.facing is None else _AXES[(placed.facing - heading) % 4],
            )
            for name, placed in cognitive_map.places.items()
        }
    )
