"""What was explored: node and edge coverage (objects seen, and pairs of which one was seen from the other), and the
unexplored-points task: draw lettered points, show them on a plan, parse which of them a reply calls unexplored, and
score it.

Points are cells of the world frame.
"""

import json
import math
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import combinations
from typing import cast

from tolman.belief.map_parsing import NoMap, first_json_published
from tolman.core.geometry import Cell, difference
from tolman.core.reading import Mention, ParseFailure, asserted_mentions, asserted_objects
from tolman.core.rules import Rules
from tolman.core.seeds import rng
from tolman.sense import Observation, in_view
from tolman.world import START, Pose, Scene
from tolman.world.files import DOOR_X, OUTSIDE, WALL, mask_of


@dataclass(frozen=True, slots=True)
class Coverage:
    """Shares in [0, 1] of things and doors seen, and of pairs in one room observed directly; NaN for an empty scene."""

    node: float
    edge: float


def coverage(scene: Scene, observations: Iterable[Observation]) -> Coverage:
    """Coverage after some observations. A pair counts once one of it was seen from the other; the start is a node."""
    seen: set[str] = set()
    related: set[frozenset[str]] = set()
    for observation in observations:
        seen.update(observation.names)
        related.update(frozenset((observation.standing_on, name)) for name in observation.names)
    rooms = (scene.items_in((number,)) for number in scene.room_ids)
    pairs = {frozenset((a.name, b.name)) for items in rooms for a, b in combinations(items, 2)}
    return Coverage(
        _share(seen, set(scene.names)),
        _share(related, pairs | {frozenset((START, item.name)) for item in scene.items_in((1,))}),
    )


def _share(reached: AbstractSet[object], every: AbstractSet[object]) -> float:
    return len(reached & every) / len(every) if every else math.nan


PER_SIDE = 3
"""Most points drawn from the unexplored cells of a room, and from its explored cells."""


@dataclass(frozen=True)
class CandidatePoints:
    """Lettered points in the order of their letters, and those among them that have not been in view."""

    cells: tuple[Cell, ...]
    unexplored: frozenset[Cell]

    @property
    def letters(self) -> dict[str, Cell]:
        return dict(zip(letters_in_order(), self.cells, strict=False))


def letters_in_order() -> Iterator[str]:
    """A to Z, then AA, AB and so on."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    yield from alphabet
    for first in letters_in_order():
        yield from (first + last for last in alphabet)


# ---- what has been in view ----


def cells_in_view(scene: Scene, pose: Pose) -> dict[int, list[Cell]]:
    """By room, the floor that an observation from a pose explores: the field of view and the agent's own cell."""
    return {
        number: [
            cell
            for cell in scene.room(number).cells
            if cell == pose.cell or in_view(difference(cell, pose.cell), pose.heading)
        ]
        for number in pose.rooms
    }


def explored_cells(scene: Scene, poses: Iterable[Pose]) -> dict[int, set[Cell]]:
    """By room observed, the floor explored by observations from some poses."""
    explored: dict[int, set[Cell]] = {}
    for pose in poses:
        for room, cells in cells_in_view(scene, pose).items():
            explored.setdefault(room, set()).update(cells)
    return explored


# ---- the points ----


def draw_points(scene: Scene, explored: Mapping[int, set[Cell]], pose: Pose, seed: int, turn: int) -> CandidatePoints:
    """Points to ask about for an agent in `pose`, given the explored floor by room observed.

    Per room up to `PER_SIDE` explored and as many unexplored ones.
    """
    stream = rng(seed, "unexplored", turn)
    cells: list[Cell] = []
    unexplored: list[Cell] = []
    for room, seen in sorted(explored.items()):
        floor = [cell for cell in scene.room(room).cells if cell != pose.cell]
        sides = [[c for c in floor if c not in seen], [c for c in floor if c in seen]]
        count = min(PER_SIDE, *map(len, sides))
        drawn = [[side[int(i)] for i in stream.permutation(len(side))[:count]] for side in sides]
        unexplored += drawn[0]
        cells += drawn[0] + drawn[1]
    order = stream.permutation(len(cells))
    return CandidatePoints(tuple(cells[int(i)] for i in order), frozenset(unexplored))


def released_points(scene: Scene, turns: Sequence[tuple[Pose, bool]], seed: int) -> tuple[CandidatePoints, ...]:
    """The points that the authors' code drew after each turn; a turn is its pose and whether the agent observed.

    Their draws depend on CPython's iteration order of sets, which depends on how a set was built. So each set is built
    here as it was there, cell by cell.
    """
    stream = random.Random(seed)  # noqa: S311
    unexplored = {room.id: set(room.cells) for room in scene.rooms}
    explored: dict[int, set[Cell]] = {}
    points: list[CandidatePoints] = []
    for pose, observed in turns:
        for room, seen in cells_in_view(scene, pose).items() if observed else ():
            if left := unexplored[room]:
                known = explored.setdefault(room, set())
                left.discard(pose.cell)
                known.add(pose.cell)
                for cell in [cell for cell in left if cell in seen]:
                    left.discard(cell)
                    known.add(cell)
        points.append(_released_draw(scene, pose, unexplored, explored, stream))
    return tuple(points)


def _released_draw(
    scene: Scene, pose: Pose, unexplored: dict[int, set[Cell]], explored: dict[int, set[Cell]], stream: random.Random
) -> CandidatePoints:
    cells: list[Cell] = []
    asked: list[Cell] = []
    for room, known in sorted(explored.items()):
        floor = frozenset(scene.room(room).cells)
        left, seen = (
            _set_by_insertion(sorted(unexplored[room])),
            _set_by_insertion(cell for cell in known if cell in floor),
        )
        left.discard(pose.cell)
        seen.discard(pose.cell)
        count = min(PER_SIDE, len(left), len(seen))
        asked += (drawn := stream.sample(list(left), count))
        cells += [*drawn, *stream.sample(list(seen), count)]
    stream.shuffle(cells)
    return CandidatePoints(tuple(cells), frozenset(asked))


def _set_by_insertion(cells: Iterable[Cell]) -> set[Cell]:
    """A set built by insertion; one copied from another set may iterate in another order."""
    grown: set[Cell] = set()
    for cell in cells:
        grown.add(cell)
    return grown


def point_map(scene: Scene, pose: Pose, points: CandidatePoints) -> str:
    """The plan, north on top: `#` wall or outside, `.` floor, `+` door, `*` the agent, and the points' letters.

    Every cell is one character wide, or two where there are more points than letters.
    """
    (x0, y0), _ = scene.bounds
    columns = [["#" if v in (OUTSIDE, WALL) else "." if v < DOOR_X else "+" for v in col] for col in mask_of(scene)]
    for mark, (x, y) in (*points.letters.items(), ("*", pose.cell)):
        columns[x - x0][y - y0] = mark
    width = max(map(len, points.letters), default=1)
    rows = reversed(list(zip(*columns, strict=True)))
    return "\n".join("".join(mark.ljust(width, "#" if mark == "#" else " ") for mark in row) for row in rows)


_LETTERS = re.compile(r"\[([\s\"',A-Za-z]*+)\]")
_EXPLORED = re.compile(
    r"(?<!un)(?<!not )(?<!not yet )\b(?:explored|seen|visited|observed)\b[^.\n]{0,30}$", re.IGNORECASE
)
_LONGEST = 20_000


@dataclass(frozen=True, slots=True)
class PointScore:
    """Precision, recall and F1 of the chosen points for those not yet in view; all 0 where none is right."""

    precision: float
    recall: float
    f1: float


def read_unexplored_points(text: str, points: CandidatePoints, rules: Rules) -> frozenset[Cell] | NoMap:
    """The points that a reply names; letters that were not asked about are dropped."""
    said = find_letters(text) if rules.last_answer_wins else _published_letters(text)
    if isinstance(said, ParseFailure):
        return NoMap("the reply holds no list of points", said)
    letters = points.letters
    return frozenset(letters[letter] for each in said if (letter := each.strip().upper()) in letters)


def find_letters(text: str) -> list[str] | ParseFailure:
    """The last list called `unexplored` that the reply asserts, else its last list of letters only."""
    said = asserted_objects(text)
    if isinstance(said, ParseFailure):
        return said if said is not ParseFailure.NOT_JSON else _bare_list(text)
    for listed in (each.value.get("unexplored") for each in reversed(said)):
        if isinstance(listed, list):
            return [letter for letter in cast("list[object]", listed) if isinstance(letter, str)]
    return _bare_list(text)


def _published_letters(text: str) -> list[str]:
    """The letters that the released code finds; it always returns a list, possibly an empty one.

    The first JSON object counts, fenced ones first, even if it is an example in the reasoning. If it has no non-empty
    list, every isolated capital in it is a point; without an object, every isolated capital in the reply.
    """
    found = first_json_published(text)
    if found is None:
        return _capitals(text.strip())
    listed = found.get("unexplored") or found.get("points") or found.get("candidates")
    if isinstance(listed, list):
        flat = (each for item in listed for each in (item if isinstance(item, list) else [item]))
        return [letter for letter in flat if isinstance(letter, str) and len(letter.strip()) == 1]
    return _capitals(listed if isinstance(listed, str) else json.dumps(found))


def _capitals(text: str) -> list[str]:
    """Isolated capitals or, where there are none, the quoted letters of a list."""
    return re.findall(r"\b([A-Z])\b", text) or re.findall(r"['\"]([A-Za-z])[ '\"]?[,;\]]", text)


def _bare_list(text: str) -> list[str] | ParseFailure:
    """The letters of the last bracketed list of letters that the reply asserts: `["A", "C"]`, `[A, C]`.

    A list that is said to be of explored points does not count.
    """
    text = text[-_LONGEST:]
    lists = [(found, re.findall(r"[A-Za-z]+", found[1])) for found in _LETTERS.finditer(text)]
    kept = asserted_mentions(
        text, [Mention(*at.span(), tuple(said)) for at, said in lists if max(map(len, said), default=0) <= 2]
    )
    if isinstance(kept, ParseFailure):
        return kept
    named = [list_ for list_ in kept if not _EXPLORED.search(text[max(0, list_.start - 60) : list_.start])]
    return [*named[-1].value] if named else ParseFailure.NO_ANSWER


def score_points(chosen: Collection[Cell] | NoMap, points: CandidatePoints) -> PointScore:
    """Precision, recall and their harmonic mean; all 0 for an unparseable reply."""
    right = 0 if isinstance(chosen, NoMap) else len(points.unexplored.intersection(chosen))
    if isinstance(chosen, NoMap) or not right:
        return PointScore(0.0, 0.0, 0.0)
    precision, recall = right / len(set(chosen)), right / len(points.unexplored)
    return PointScore(precision, recall, 2 * precision * recall / (precision + recall))


def point_score(chosen: Collection[Cell] | NoMap, points: CandidatePoints, rules: Rules) -> float | None:
    """The score of the task: F1 as published, under `strict` Youden's J, in [-1, 1].

    J is the share of unexplored points named minus the share of explored points named: 1 if all are right, 0 for all,
    none and (in expectation) any uninformed choice, -1 if all are wrong. An unparseable reply scores 0; None where the
    points are not of both sorts.
    """
    if not rules.points_corrected_for_chance:
        return score_points(chosen, points).f1
    explored = set(points.cells) - points.unexplored
    if not explored or not points.unexplored:
        return None
    named: set[Cell] = set() if isinstance(chosen, NoMap) else set(chosen)
    return len(named & points.unexplored) / len(points.unexplored) - len(named & explored) / len(explored)
