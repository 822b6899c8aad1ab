"""The unexplored-points task: draw lettered points, show them on a plan, parse which of them a reply calls unexplored,
and score it.

Points are cells of the world frame.
"""

import json
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from tolman.belief.map_parsing import NoMap, first_json_published
from tolman.core.geometry import Cell, difference
from tolman.core.reading import Mention, ParseFailure, asserted_mentions, asserted_objects
from tolman.core.rules import Rules
from tolman.core.seeds import rng
from tolman.sense import in_view
from tolman.world import Pose, Scene
from tolman.world.grid import DOOR_X, OUTSIDE, WALL, mask_of

PER_SIDE = 3
"""Most points drawn from the unexplored, and as many from the explored, cells of a room."""


@dataclass(frozen=True)
class CandidatePoints:
    """Lettered points in the order of their letters, and those among them that have not been in view."""

    cells: tuple[Cell, ...]
    unexplored: frozenset[Cell]

    @property
    def letters(self) -> dict[str, Cell]:
        return dict(zip(_letters(), self.cells, strict=False))


def _letters() -> Iterator[str]:
    """A to Z, then AA, AB and so on."""
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    yield from alphabet
    for first in _letters():
        yield from (first + last for last in alphabet)


# ---- what has been in view ----


def cells_in_view(scene: Scene, pose: Pose) -> dict[int, list[Cell]]:
    """By room, the floor that a look from a pose explores: the field of view and the cell one stands on."""
    return {
        number: [
            cell
            for cell in scene.room(number).cells
            if cell == pose.cell or in_view(difference(cell, pose.cell), pose.heading)
        ]
        for number in pose.rooms
    }


def explored_cells(scene: Scene, looks: Iterable[Pose]) -> dict[int, set[Cell]]:
    """By room that was looked into, the floor explored by some looks."""
    explored: dict[int, set[Cell]] = {}
    for pose in looks:
        for room, cells in cells_in_view(scene, pose).items():
            explored.setdefault(room, set()).update(cells)
    return explored


# ---- the points ----


def draw_points(scene: Scene, looks: Iterable[Pose], pose: Pose, seed: int, turn: int) -> CandidatePoints:
    """Points to ask about after some looks, for an agent in `pose`: up to three explored and as many not, a room."""
    return draw_points_among(scene, explored_cells(scene, looks), pose, seed, turn)


def draw_points_among(
    scene: Scene, explored: Mapping[int, set[Cell]], pose: Pose, seed: int, turn: int
) -> CandidatePoints:
    """The same, given the floor that was explored, by room that was looked into."""
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
    """The points that the authors' code drew after each turn; a turn is its pose and whether the agent looked.

    Their draws depend on the order in which CPython goes through a set, which depends on how the set came about. So
    each set is built here as it was there, one cell after the other.
    """
    stream = random.Random(seed)  # noqa: S311
    unexplored = {room.id: set(room.cells) for room in scene.rooms}
    explored: dict[int, set[Cell]] = {}
    points: list[CandidatePoints] = []
    for pose, looked in turns:
        for room, seen in cells_in_view(scene, pose).items() if looked else ():
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
        left, seen = _one_by_one(sorted(unexplored[room])), _one_by_one(cell for cell in known if cell in floor)
        left.discard(pose.cell)
        seen.discard(pose.cell)
        count = min(PER_SIDE, len(left), len(seen))
        asked += (drawn := stream.sample(list(left), count))
        cells += [*drawn, *stream.sample(list(seen), count)]
    stream.shuffle(cells)
    return CandidatePoints(tuple(cells), frozenset(asked))


def _one_by_one(cells: Iterable[Cell]) -> set[Cell]:
    """A set that grew: a set made of another, or of two, may go through the same cells in another order."""
    grown: set[Cell] = set()
    for cell in cells:
        grown.add(cell)
    return grown


def point_map(scene: Scene, pose: Pose, points: CandidatePoints) -> str:
    """The layout, north on top: `#` wall or outside, `.` floor, `+` door, `*` the agent, and the points' letters.

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
    """How well the chosen points are those not yet in view; each in [0, 1], and 0 where none of them is."""

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
    """The last list called `unexplored` that the reply stands by, else its last list of nothing but letters."""
    said = asserted_objects(text)
    if isinstance(said, ParseFailure):
        return said if said is not ParseFailure.NOT_JSON else _bare_list(text)
    for listed in (each.value.get("unexplored") for each in reversed(said)):
        if isinstance(listed, list):
            return [letter for letter in cast("list[object]", listed) if isinstance(letter, str)]
    return _bare_list(text)


def _published_letters(text: str) -> list[str]:
    """The letters that the released code finds, which always finds some list, be it an empty one.

    The first JSON object counts, be it only an example in the thoughts, and fenced ones come first. If it has no list
    that is not empty, or there is none, every capital that stands alone in it, or anywhere in the reply, is a point.
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
    """Capitals that stand alone or, where there is none, any quoted letters of a list."""
    return re.findall(r"\b([A-Z])\b", text) or re.findall(r"['\"]([A-Za-z])[ '\"]?[,;\]]", text)


def _bare_list(text: str) -> list[str] | ParseFailure:
    """The letters of the last bracketed list of nothing but letters that the reply stands by: `["A", "C"]`, `[A, C]`.

    A list that is said to be of explored points is none.
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
    """Precision, recall and their harmonic mean; all 0 for a reply that could not be read."""
    right = 0 if isinstance(chosen, NoMap) else len(points.unexplored.intersection(chosen))
    if isinstance(chosen, NoMap) or not right:
        return PointScore(0.0, 0.0, 0.0)
    precision, recall = right / len(set(chosen)), right / len(points.unexplored)
    return PointScore(precision, recall, 2 * precision * recall / (precision + recall))


def point_score(chosen: Collection[Cell] | NoMap, points: CandidatePoints, rules: Rules) -> float | None:
    """The one number of the probe: F1 as published, under `strict` Youden's J, in [-1, 1].

    J is the share of unexplored points that were named, less the share of the others that were: 1 if all are right, 0
    for all, none and (in expectation) any choice that does not know, -1 if all are wrong. A reply that could not be
    read is worth 0; None where there were no points of both sorts to tell apart.
    """
    if not rules.points_corrected_for_chance:
        return score_points(chosen, points).f1
    explored = set(points.cells) - points.unexplored
    if not explored or not points.unexplored:
        return None
    named: set[Cell] = set() if isinstance(chosen, NoMap) else set(chosen)
    return len(named & points.unexplored) / len(points.unexplored) - len(named & explored) / len(explored)
