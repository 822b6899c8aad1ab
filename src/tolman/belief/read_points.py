"""Which points a reply calls unexplored, and how right it is."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import cast

from tolman.belief.find_json import first_json_published
from tolman.belief.read_map import NoMap
from tolman.belief.unexplored import Points
from tolman.geometry import Cell
from tolman.reading import Mention, Unread, said_objects, standing
from tolman.rules import Rules

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


def read_points(text: str, points: Points, rules: Rules) -> frozenset[Cell] | NoMap:
    """The points that a reply names; letters that were not asked about are dropped."""
    said = find_letters(text) if rules.last_answer_wins else _published_letters(text)
    if isinstance(said, Unread):
        return NoMap("the reply holds no list of points", said)
    letters = points.letters
    return frozenset(letters[letter] for each in said if (letter := each.strip().upper()) in letters)


def find_letters(text: str) -> list[str] | Unread:
    """The last list called `unexplored` that the reply stands by, else its last list of nothing but letters."""
    said = said_objects(text)
    if isinstance(said, Unread):
        return said if said is not Unread.NOT_JSON else _bare_list(text)
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


def _bare_list(text: str) -> list[str] | Unread:
    """The letters of the last bracketed list of nothing but letters that the reply stands by: `["A", "C"]`, `[A, C]`.

    A list that is said to be of explored points is none.
    """
    text = text[-_LONGEST:]
    lists = [(found, re.findall(r"[A-Za-z]+", found[1])) for found in _LETTERS.finditer(text)]
    kept = standing(
        text, [Mention(*at.span(), tuple(said)) for at, said in lists if max(map(len, said), default=0) <= 2]
    )
    if isinstance(kept, Unread):
        return kept
    named = [list_ for list_ in kept if not _EXPLORED.search(text[max(0, list_.start - 60) : list_.start])]
    return [*named[-1].value] if named else Unread.NO_ANSWER


def score_points(chosen: Collection[Cell] | NoMap, points: Points) -> PointScore:
    """Precision, recall and their harmonic mean; all 0 for a reply that could not be read."""
    right = 0 if isinstance(chosen, NoMap) else len(points.unexplored.intersection(chosen))
    if isinstance(chosen, NoMap) or not right:
        return PointScore(0.0, 0.0, 0.0)
    precision, recall = right / len(set(chosen)), right / len(points.unexplored)
    return PointScore(precision, recall, 2 * precision * recall / (precision + recall))


def point_score(chosen: Collection[Cell] | NoMap, points: Points, rules: Rules) -> float | None:
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
