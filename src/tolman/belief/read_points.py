"""Which points a reply calls unexplored, and how right it is."""

import re
from collections.abc import Collection
from dataclasses import dataclass

from tolman.belief.find_json import json_objects
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
    """The points that a reply names; letters that were not asked about are dropped.

    As published, the first list called `unexplored` counts, be it only an example in the thoughts, and without one
    every capital that stands alone anywhere in the reply.
    """
    said = _listed(text, rules)
    if said is None and not rules.forgiving_answers:
        said = re.findall(r"\b[A-Z]\b", text)
    if said is None:
        said = _bare_list(text)
    if said is None:
        return NoMap("the reply holds no list of points")
    letters = points.letters
    named = (letter.strip().upper() if rules.forgiving_answers else letter for letter in said)
    return frozenset(letters[letter] for letter in named if letter in letters)


def _listed(text: str, rules: Rules) -> list[str] | None:
    """The list called `unexplored`: the last one in the reply, or the first as published."""
    found = (every.get("unexplored") for every in json_objects(text))
    lists = [listed for listed in found if isinstance(listed, list)]
    if not lists:
        return None
    return [letter for letter in lists[-1 if rules.last_answer_wins else 0] if isinstance(letter, str)]


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
