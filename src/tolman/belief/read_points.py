"""Which points a reply calls unexplored, and how right it is."""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass

from tolman.belief.find_json import first_json_published, json_objects
from tolman.belief.read_map import NoMap
from tolman.belief.unexplored import Points
from tolman.geometry import Cell
from tolman.rules import Rules


@dataclass(frozen=True, slots=True)
class PointScore:
    """How well the chosen points are those not yet in view; each in [0, 1], and 0 where none of them is."""

    precision: float
    recall: float
    f1: float


def read_points(text: str, points: Points, rules: Rules) -> frozenset[Cell] | NoMap:
    """The points that a reply names; letters that were not asked about are dropped."""
    said = _listed(text) if rules.last_answer_wins else _published_letters(text)
    if said is None and rules.forgiving_answers:
        said = _bare_list(text)
    if said is None:
        return NoMap("the reply holds no list of points")
    letters = points.letters
    return frozenset(letters[letter] for each in said if (letter := each.strip().upper()) in letters)


def _listed(text: str) -> list[str] | None:
    """The last list called `unexplored` in the reply."""
    found = (every.get("unexplored") for every in json_objects(text))
    lists = [listed for listed in found if isinstance(listed, list)]
    return [letter for letter in lists[-1] if isinstance(letter, str)] if lists else None


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


def _bare_list(text: str) -> list[str] | None:
    """The letters of the last bracketed list of nothing but letters, such as `["A", "C"]` or `[A, C]`."""
    lists: list[str] = re.findall(r"\[([\s\"',A-Za-z]*)\]", text)
    for inside in reversed(lists):
        letters = re.findall(r"[A-Za-z]+", inside)
        if all(len(letter) <= 2 for letter in letters):
            return letters
    return None


def score_points(chosen: Collection[Cell] | NoMap, points: Points) -> PointScore:
    """Precision, recall and their harmonic mean; all 0 for a reply that could not be read."""
    right = 0 if isinstance(chosen, NoMap) else len(points.unexplored.intersection(chosen))
    if isinstance(chosen, NoMap) or not right:
        return PointScore(0.0, 0.0, 0.0)
    precision, recall = right / len(set(chosen)), right / len(points.unexplored)
    return PointScore(precision, recall, 2 * precision * recall / (precision + recall))
