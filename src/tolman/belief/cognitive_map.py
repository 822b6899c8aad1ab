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
from tolman.world.drawing import AGENT as AGENT_COLOUR
from tolman.world.drawing import FLOOR, THING, CellDrawing

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

    def __repr__(self) -> str:
        shown = [f"{name[:40]} ({x:g}, {y:g})" for name, (x, y) in _positions(self, 3)]
        more = f", and {len(self.places) - 3} more" if len(self.places) > 3 else ""
        return f"CognitiveMap({', '.join(shown)}{more})"

    def _repr_svg_(self) -> str:
        """What the map states, in its own frame: dots with names, and bars on the sides that things face.

        Positions more than 40 cells from the origin are drawn at its edge.
        """
        places = [(_near(x), _near(y)) for _, (x, y) in _positions(self)]
        xs, ys = [0.0, *(x for x, _ in places)], [0.0, *(y for _, y in places)]
        canvas = CellDrawing((min(xs) - 1, min(ys) - 1), (max(xs) + 1, max(ys) + 1))
        parts = [canvas.cross((0, 0), "origin")]
        for (name, placed), at in zip(self.places.items(), places, strict=True):
            if name == AGENT and placed.facing is not None:
                parts.append(canvas.arrow(at, placed.facing, AGENT_COLOUR, name))
                continue
            parts.append(canvas.dot(at, THING, name))
            parts += [canvas.front(at, placed.facing)] if placed.facing is not None else []
            parts.append(canvas.label(at, name))
        return canvas.svg(parts, repr(self), FLOOR)

    def only(self, names: Iterable[str]) -> "CognitiveMap":
        """The map restricted to some names."""
        kept = set(names)
        return CognitiveMap({name: placed for name, placed in self.places.items() if name in kept})


def _positions(cognitive_map: CognitiveMap, most: int | None = None) -> list[tuple[str, Point]]:
    return [(name, placed.position) for name, placed in list(cognitive_map.places.items())[:most]]


def _near(cells: float) -> float:
    return max(-40.0, min(40.0, cells))


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
