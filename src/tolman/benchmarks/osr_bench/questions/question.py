"""A question about a room, and its answer computed on the cells of the map by the released rules."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from tolman.benchmarks.osr_bench.maps.grid import GridCell, GridMap
from tolman.core.wording import wording

NOT_FOUND = "The positioning object is not found in the picture."
NOT_UNIQUE = "The positioning object is not unique in the picture."
NO_CANDIDATE = "None of the candidates were found in the picture."
NO_OTHER = "The orienting object or querying object is not found in the picture."
SPECIAL = (NOT_FOUND, NOT_UNIQUE, NO_CANDIDATE, NO_OTHER)
"""Answers where an object is absent or there are several; worded as in the released data."""
DIRECTIONS = ("Front", "Front Right", "Right", "Back Right", "Back", "Back Left", "Left", "Front Left")
"""Clockwise. One word: exactly on the axis; two words: anywhere between the axes."""


def count_of(world: GridMap, name: str) -> str:
    """How many objects of a class there are."""
    return str(world.counts.get(name, 0))


def closest_of(world: GridMap, place: str, candidates: Sequence[str]) -> str:
    """The candidate closest to the positioning object; the first of equally close ones."""
    origin = _origin(world, place)
    if isinstance(origin, str):
        return origin
    there = [name for name in candidates if name in world.places]
    return min(there, key=lambda name: _least(origin, world.places[name])) if there else NO_CANDIDATE


def direction_of(world: GridMap, place: str, faced: str, wanted: str) -> str:
    """Direction of `wanted` for an observer at `place` who faces `faced`; empty if either is in the cell of `place`."""
    origin = _origin(world, place)
    if isinstance(origin, str):
        return origin
    if faced not in world.places or wanted not in world.places:
        return NO_OTHER
    ahead, there = (step_between(nearest_cell(world, origin, name), origin) for name in (faced, wanted))
    return direction_word(ahead, there)


def direction_word(ahead: GridCell, there: GridCell) -> str:
    """The direction of the offset `there` (rows, columns) for an observer who looks along `ahead`."""
    along = ahead[0] * there[0] + ahead[1] * there[1]
    across = ahead[0] * there[1] - ahead[1] * there[0]
    lengthwise = "Front" if along > 0 else "Back" if along < 0 else ""
    sideways = "Left" if across > 0 else "Right" if across < 0 else ""
    return f"{lengthwise} {sideways}".strip()


def nearest_cell(world: GridMap, origin: GridCell, name: str) -> GridCell:
    """The closest cell with a class; among ties the first clockwise from the right."""
    cells = world.places[name]
    if len(cells) == 1:
        return cells[0]
    least = _least(origin, cells)
    closest = [cell for cell in cells if squared_distance(origin, cell) == least]
    return closest[0] if len(closest) == 1 else min(closest, key=lambda cell: _turn(step_between(cell, origin)))


def squared_distance(a: GridCell, b: GridCell) -> int:
    """Squared distance in cells, an exact integer."""
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _least(origin: GridCell, cells: Sequence[GridCell]) -> int:
    return min(squared_distance(origin, cell) for cell in cells)


def step_between(a: GridCell, b: GridCell) -> GridCell:
    return a[0] - b[0], a[1] - b[1]


def _turn(step: GridCell) -> float:
    return math.atan2(step[0], step[1]) % (2 * math.pi)


def _origin(world: GridMap, place: str) -> GridCell | str:
    found = world.places.get(place, [])
    if not found:
        return NOT_FOUND
    return found[0] if len(found) == 1 else NOT_UNIQUE


QuestionKind = Literal["counting", "distance", "direction"]
QUESTION_KINDS: tuple[QuestionKind, ...] = ("counting", "distance", "direction")
SKILLS: dict[QuestionKind, str] = {
    "counting": "object_counting",
    "distance": "relative_distance",
    "direction": "relative_direction",
}
"""Names of the kinds in the authors' files."""
MAP_SKILL = "cognitive_map"
ASKED = ("standard", "negative")
"""Sets of questions: about present objects only, and also about absent ones."""
AskedSet = Literal["standard", "negative"]


@dataclass(frozen=True)
class Question:
    """One question about a room."""

    turn: int
    """Its number in its set, from 1; the map is number 0. Numbers can have gaps."""
    kind: QuestionKind
    names: tuple[str, ...]
    """Counting: the class. Distance: positioning object and four candidates. Direction: positioning, orienting and
    querying object."""
    answer: str
    text: str


def answer_of(world: GridMap, kind: QuestionKind, names: tuple[str, ...]) -> str:
    """The answer to a question, computed from a map."""
    if kind == "counting":
        return count_of(world, names[0])
    if kind == "distance":
        return closest_of(world, names[0], names[1:])
    place, faced, wanted = names
    return direction_of(world, place, faced, wanted)


def ask(turn: int, kind: QuestionKind, names: tuple[str, ...], world: GridMap) -> Question:
    """A question with its text and answer."""
    return Question(turn, kind, names, answer_of(world, kind, names), _words(kind, names))


def _words(kind: QuestionKind, names: tuple[str, ...]) -> str:
    text = wording(__package__ or "", kind)
    if kind == "distance":
        return text.fill(place=names[0], candidates=", ".join(names[1:]))
    if kind == "direction":
        return text.fill(place=names[0], faced=names[1], wanted=names[2])
    return text.fill(name=names[0])
