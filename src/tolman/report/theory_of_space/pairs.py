"""Pairs of runs that can be compared: the same world and mode, the same scenes, the same questions."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from tolman.report.comparisons import ALPHA, Comparison, compare, holm
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS, ByScene
from tolman.report.theory_of_space.layout import Shown
from tolman.report.theory_of_space.logs import Run
from tolman.rules import RuleSetName

COMPARED = (ANSWERS, CORRECTNESS)
"""Columns of scores that are compared."""
FEWEST = 3
"""Runs with fewer scenes in common are not compared."""
MANY = 8
"""Where more runs than this are of one world and mode, they are compared with the best of them only."""

TOLD = 0.05
"""The difference to plan for: 5 percentage points."""


@dataclass(frozen=True, slots=True)
class Tested:
    """One column of a pair: the first run against the second."""

    comparison: Comparison
    p: float
    """Corrected for all pairs (Holm)."""

    @property
    def verdict(self) -> Literal["better", "worse", "tie"]:
        """Of the first run. A tie says that these scenes do not tell, not that the models are equal."""
        if self.p > ALPHA:
            return "tie"
        return "better" if self.comparison.difference.mean > 0 else "worse"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two runs, the one with better answers first, and what of them could be compared, by column."""

    first: Shown
    second: Shown
    tested: Mapping[str, Tested]


def pairs(shown: Sequence[Shown], rules: RuleSetName) -> list[Pair]:
    """All pairs of runs with enough scenes in common, by world and mode, from the best answers to the worst."""
    found = [pair for one, other in _candidates(shown, rules) if (pair := _pair(one, other, rules)).tested]
    for column in COMPARED:
        adjusted = holm([pair.tested[column].p if column in pair.tested else math.nan for pair in found])
        found = [_corrected(pair, column, p) for pair, p in zip(found, adjusted, strict=True)]
    return found


def _candidates(shown: Sequence[Shown], rules: RuleSetName) -> Iterator[tuple[Shown, Shown]]:
    for part in dict.fromkeys(one.part for one in shown):
        ranked = sorted((one for one in shown if one.part == part), key=lambda one: _rank(one, rules))
        yield from combinations(ranked, 2) if len(ranked) <= MANY else ((ranked[0], other) for other in ranked[1:])


def _rank(one: Shown, rules: RuleSetName) -> float:
    answers = one.figures.measured[rules].interval(ANSWERS).mean
    return math.inf if math.isnan(answers) else -answers


def _pair(one: Shown, other: Shown, rules: RuleSetName) -> Pair:
    """Both runs compared over the scenes that they share, which may turn their order round."""
    common = _common(one.figures.run, other.figures.run)
    tested: dict[str, Tested] = {}
    for column in COMPARED:
        found = compare(_values(one, rules, column, common), _values(other, rules, column, common))
        if found.scenes >= FEWEST:
            tested[column] = Tested(found, found.p)
    turned = bool(tested) and next(iter(tested.values())).comparison.difference.mean < 0
    return _pair(other, one, rules) if turned else Pair(one, other, tested)


def _common(one: Run, other: Run) -> set[str]:
    """Ids of scenes that are the same world, with the same questions, in both runs."""
    first, second = contents(one), contents(other)
    return {scene for scene, content in first.items() if content == second.get(scene)}


def contents(run: Run) -> dict[str, frozenset[str]]:
    """What each scene is and what is asked there."""
    cases = [case.logged.case for case in run.cases]
    return {case.id: frozenset([case.scene.digest, *(question.id for question in case.questions)]) for case in cases}


def _values(one: Shown, rules: RuleSetName, column: str, scenes: set[str]) -> ByScene:
    values = one.figures.measured[rules].values.get(column, {})
    return {scene: of_scene for scene, of_scene in values.items() if scene in scenes}


def _corrected(pair: Pair, column: str, p: float) -> Pair:
    if column not in pair.tested:
        return pair
    return replace(pair, tested={**pair.tested, column: replace(pair.tested[column], p=p)})
