"""Cognitive maps: the true global and local map, the JSON forms in which maps are elicited, and the prompts that
elicit them.

A global map has its origin at the start and y to the north, a local map its origin at the agent and y straight ahead;
facings are absolute in both once a map has been parsed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict, RootModel

from tolman.core.geometry import Heading, difference, to_ego
from tolman.core.rules import Rules
from tolman.core.wording import wording
from tolman.sense import visible
from tolman.world import AGENT, Item, Pose, Scene, Thing

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Placement:
    """Where a map puts something, in cells of the map's frame, and which way it faces, if the map says so."""

    position: Point
    facing: Heading | None


@dataclass(frozen=True)
class CognitiveMap:
    """Things, doors and (in a global map) the agent by name."""

    places: Mapping[str, Placement]

    def only(self, names: Iterable[str]) -> "CognitiveMap":
        """The map restricted to some names."""
        kept = set(names)
        return CognitiveMap({name: placed for name, placed in self.places.items() if name in kept})


# ---- the truth ----


def true_global_map(scene: Scene, pose: Pose, names: Iterable[str], rules: Rules) -> CognitiveMap:
    """The true placements of some things and doors and of the agent, in cells east and north of the start."""
    kept = set(names)
    places = {
        item.name: Placement(difference(item.cell, scene.start), _facing(item, rules))
        for item in scene.items
        if item.name in kept
    }
    places[AGENT] = Placement(difference(pose.cell, scene.start), pose.heading)
    return CognitiveMap(places)


def true_local_map(scene: Scene, pose: Pose, rules: Rules) -> CognitiveMap:
    """What is in view from a pose, in cells to the right and ahead; facings are absolute."""
    return CognitiveMap(
        {
            item.name: Placement(to_ego(difference(item.cell, pose.cell), pose.heading), _facing(item, rules))
            for item in visible(scene, pose)
        }
    )


def _facing(item: Item, rules: Rules) -> Heading | None:
    """A door faces along its axis; a thing without a front has no facing, or as published faces east."""
    if not isinstance(item, Thing):
        return Heading.EAST if item.axis == "x" else Heading.NORTH
    if item.front is None and not rules.frontless_things_face_nowhere:
        return Heading.EAST
    return item.front


# ---- the JSON forms in which maps are elicited ----

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
    """Everything seen so far and `agent`, by name; in the revision phase all things and doors of the world, seen again
    or not."""


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
    """A global map in the form in which it is elicited."""
    return GlobalMapForm(
        {
            name: GlobalEntry(position=placed.position, facing=None if placed.facing is None else _WORDS[placed.facing])
            for name, placed in cognitive_map.places.items()
        }
    )


def local_form(cognitive_map: CognitiveMap, heading: Heading) -> LocalMapForm:
    """A local map in the form in which it is elicited, for an agent that faces `heading`."""
    return LocalMapForm(
        objects={
            name: LocalEntry(
                position=placed.position,
                facing=None if placed.facing is None else _AXES[(placed.facing - heading) % 4],
            )
            for name, placed in cognitive_map.places.items()
        }
    )


ElicitationKind = Literal["global", "local", "points"]
"""The map of everything seen, the map of what is in view, and the points not yet in view."""


def global_map_prompt() -> str:
    """The prompt that elicits a `GlobalMapForm`."""
    return wording("tolman.belief", "global_map").fill()


def local_map_prompt() -> str:
    """The prompt that elicits a `LocalMapForm`."""
    return wording("tolman.belief", "local_map").fill()


def revision_map_prompt() -> str:
    """The prompt that elicits a `GlobalMapForm` of the whole world in the revision phase."""
    return wording("tolman.belief", "revision_map").fill()


def unexplored_prompt(plan: str) -> str:
    """The prompt that elicits an `UnexploredForm` for the lettered points of a plan (see `point_map`)."""
    return wording("tolman.belief", "unexplored").fill(plan=plan)


def unexplored_picture_prompt(plan: str) -> str:
    """The same where the plan is an image; `plan` is its placeholder in the text."""
    return wording("tolman.belief", "unexplored_picture").fill(plan=plan)
