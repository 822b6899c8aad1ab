"""Paired comparison of runs on shared scenes and questions, by corrected permutation tests, and its table."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, RuleSetNames
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS, ValuesByScene
from tolman.core.rules import RuleSetName
from tolman.report.statistics import ALPHA, UNKNOWN, Comparison, Interval, compare, fewest_scenes, holm
from tolman.report.table import MISSING, Cell, Row, RowGroup, Table, heading, p_value, points

COMPARED_COLUMNS = (ANSWERS, CORRECTNESS)
"""Columns of scores that are compared."""
FEWEST_SHARED_SCENES = 3
"""Runs with fewer scenes in common are not compared."""
MOST_COMPARED_RUNS = 8
"""Where more runs than this are of one world and mode, they are compared with the best of them only."""

PLANNED_DIFFERENCE = 0.05
"""The difference to plan for: 5 percentage points."""


@dataclass(frozen=True, slots=True)
class TestedColumn:
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
class RunPair:
    """Two runs, the one with better answers first, and what of them could be compared, by column."""

    first: NamedRun
    second: NamedRun
    tested: Mapping[str, TestedColumn]


def compared_pairs(shown: Sequence[NamedRun], rules: RuleSetName) -> list[RunPair]:
    """All pairs of runs with enough scenes in common, by world and mode, from the best answers to the worst."""
    found = [pair for one, other in _candidates(shown, rules) if (pair := _compared_pair(one, other, rules)).tested]
    for column in COMPARED_COLUMNS:
        adjusted = holm([pair.tested[column].p if column in pair.tested else math.nan for pair in found])
        found = [_corrected(pair, column, p) for pair, p in zip(found, adjusted, strict=True)]
    return found


def _candidates(shown: Sequence[NamedRun], rules: RuleSetName) -> Iterator[tuple[NamedRun, NamedRun]]:
    for part in dict.fromkeys(one.part for one in shown):
        ranked = sorted((one for one in shown if one.part == part), key=lambda one: _answer_rank(one, rules))
        yield from (
            combinations(ranked, 2)
            if len(ranked) <= MOST_COMPARED_RUNS
            else ((ranked[0], other) for other in ranked[1:])
        )


def _answer_rank(one: NamedRun, rules: RuleSetName) -> float:
    answers = one.figures.measured[rules].interval(ANSWERS).mean
    return math.inf if math.isnan(answers) else -answers


def _compared_pair(one: NamedRun, other: NamedRun, rules: RuleSetName) -> RunPair:
    """Both runs compared over the scenes that they share, which may turn their order round."""
    common = _shared_scenes(one.figures.run, other.figures.run)
    tested: dict[str, TestedColumn] = {}
    for column in COMPARED_COLUMNS:
        found = compare(_values(one, rules, column, common), _values(other, rules, column, common))
        if found.scenes >= FEWEST_SHARED_SCENES:
            tested[column] = TestedColumn(found, found.p)
    turned = bool(tested) and next(iter(tested.values())).comparison.difference.mean < 0
    return _compared_pair(other, one, rules) if turned else RunPair(one, other, tested)


def _shared_scenes(one: TheoryOfSpaceRun, other: TheoryOfSpaceRun) -> set[str]:
    """Ids of scenes that are the same world, with the same questions, in both runs."""
    first, second = scene_contents(one), scene_contents(other)
    return {scene for scene, content in first.items() if content == second.get(scene)}


def scene_contents(run: TheoryOfSpaceRun) -> dict[str, frozenset[str]]:
    """What each scene is and what is asked there."""
    cases = [case.logged.case for case in run.cases]
    return {case.id: frozenset([case.scene.digest, *(question.id for question in case.questions)]) for case in cases}


def _values(one: NamedRun, rules: RuleSetName, column: str, scenes: set[str]) -> ValuesByScene:
    values = one.figures.measured[rules].values.get(column, {})
    return {scene: of_scene for scene, of_scene in values.items() if scene in scenes}


def _corrected(pair: RunPair, column: str, p: float) -> RunPair:
    if column not in pair.tested:
        return pair
    return replace(pair, tested={**pair.tested, column: replace(pair.tested[column], p=p)})


_TEST = ("differ-\nence", "p", "verdict")
_HEADS = (
    heading("scenes\nshared"),
    *(heading(title, "Answers") for title in (*_TEST, "could\nshow", "scenes\nneeded")),
    *(heading(title, "Map correctness") for title in _TEST),
)
_NOTES = (
    "p: permutation test by scene, corrected for all pairs (Holm); intervals are not",
    "tie: p above .05; these scenes do not tell the two apart. They need not be equal",
    "could show: true difference that the shared scenes would find 8 times in 10",
    "scenes needed: to find one of 5 points so often. Both roughly, for a pair alone",
)
_BEST_ONLY_NOTE = f"Where there are more than {MOST_COMPARED_RUNS} runs, each is compared with the best only."
_FEW_SCENES_NOTE = f"With fewer than {fewest_scenes()} shared scenes every pair is a tie, however far apart."


def comparison_tables(shown: Sequence[NamedRun], rules: RuleSetNames) -> Iterator[Table]:
    """Runs against each other under the first of the rule sets; nothing where no two share their scenes."""
    found = compared_pairs(shown, rules[0])
    if found:
        title = f"Which model is better, percentage points ({rules[0]})"
        notes = (*_NOTES, *_warnings(shown, found))
        yield Table("better", title, "first against second", _HEADS, tuple(map(_pair_entry, found)), notes)


def _pair_entry(pair: RunPair) -> RowGroup:
    answers, maps = pair.tested.get(ANSWERS), pair.tested.get(CORRECTNESS)
    scenes = max(tested.comparison.scenes for tested in pair.tested.values())
    cells = (Cell(str(scenes)), *_test_cells(answers), *_power_cells(answers), *_test_cells(maps))
    return RowGroup(f"{pair.first.name} against {pair.second.name}", (Row(cells),), section=pair.first.part)


def _test_cells(tested: TestedColumn | None) -> tuple[Cell, ...]:
    if tested is None:
        return points(UNKNOWN), p_value(math.nan), Cell()
    return points(tested.comparison.difference), p_value(tested.p), Cell(tested.verdict)


def _power_cells(tested: TestedColumn | None) -> tuple[Cell, ...]:
    if tested is None:
        return Cell(), Cell()
    least, needed = tested.comparison.least_detectable, tested.comparison.scenes_needed(PLANNED_DIFFERENCE)
    return points(Interval(least, least, least)), Cell(MISSING if needed is None else str(needed))


def _warnings(shown: Sequence[NamedRun], found: Sequence[RunPair]) -> Iterator[str]:
    parts = [one.part for one in shown]
    if any(parts.count(part) > MOST_COMPARED_RUNS for part in set(parts)):
        yield _BEST_ONLY_NOTE
    if any(tested.comparison.scenes < fewest_scenes() for pair in found for tested in pair.tested.values()):
        yield _FEW_SCENES_NOTE
