"""Paired comparison of runs on shared scenes and questions, by corrected permutation tests, and its table."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Literal

from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun
from tolman.benchmarks.theory_of_space.tables.run_summary import ANSWERS, CORRECTNESS
from tolman.core.rules import RuleSetName, RuleSetNames
from tolman.report.statistics import ALPHA, ByCase, Comparison, Interval, compare, fewest_scenes, holm
from tolman.report.table import MISSING, Cell, RowGroup, Table, heading, one_row, p_value, points

COMPARED_COLUMNS = (ANSWERS, CORRECTNESS)
"""Columns on which runs are compared."""
FEWEST_SHARED_SCENES = 3
"""Runs with fewer shared scenes are not compared."""
MOST_COMPARED_RUNS = 8
"""If a world and mode has more runs than this, they are compared with the best one only."""
PLANNED_DIFFERENCE = 0.05
"""Difference for which the number of needed scenes is computed: 5 percentage points."""


@dataclass(frozen=True, slots=True)
class TestedColumn:
    """Test of one column: the first run of a pair against the second."""

    comparison: Comparison
    p: float
    """Corrected for all pairs (Holm)."""

    @property
    def verdict(self) -> Literal["better", "worse", "tie"]:
        """Of the first run. A tie means that no difference was found, not that the models are equal."""
        if self.p > ALPHA:
            return "tie"
        return "better" if self.comparison.difference.mean > 0 else "worse"


@dataclass(frozen=True, slots=True)
class RunPair:
    """Two runs, the one with better answers first, with the tests by column."""

    first: NamedRun
    second: NamedRun
    tested: Mapping[str, TestedColumn]


def compared_pairs(runs: Sequence[NamedRun], rules: RuleSetName) -> list[RunPair]:
    """All pairs of runs with enough shared scenes, by world and mode, best answers first."""
    found = [pair for one, other in _candidates(runs, rules) if (pair := _compared_pair(one, other, rules))[2]]
    adjusted = {
        column: iter(holm([compared[column].p for _, _, compared in found if column in compared]))
        for column in COMPARED_COLUMNS
    }
    return [
        RunPair(one, other, {column: TestedColumn(each, next(adjusted[column])) for column, each in compared.items()})
        for one, other, compared in found
    ]


def _candidates(runs: Sequence[NamedRun], rules: RuleSetName) -> Iterator[tuple[NamedRun, NamedRun]]:
    for section in dict.fromkeys(one.section for one in runs):
        ranked = sorted((one for one in runs if one.section == section), key=lambda one: _answer_rank(one, rules))
        few = len(ranked) <= MOST_COMPARED_RUNS
        yield from combinations(ranked, 2) if few else product(ranked[:1], ranked[1:])


def _answer_rank(one: NamedRun, rules: RuleSetName) -> float:
    answers = one.summary.measured[rules].interval(ANSWERS).mean
    return math.inf if math.isnan(answers) else -answers


def _compared_pair(
    one: NamedRun, other: NamedRun, rules: RuleSetName
) -> tuple[NamedRun, NamedRun, dict[str, Comparison]]:
    """Both runs compared, by column, on the scenes with the same world and questions; swapped if the second is better
    there."""
    first, second = scene_contents(one.summary.run), scene_contents(other.summary.run)
    shared = {scene for scene, content in first.items() if content == second.get(scene)}
    every = {c: compare(_values(one, rules, c, shared), _values(other, rules, c, shared)) for c in COMPARED_COLUMNS}
    compared = {column: found for column, found in every.items() if found.scenes >= FEWEST_SHARED_SCENES}
    swapped = bool(compared) and next(iter(compared.values())).difference.mean < 0
    return _compared_pair(other, one, rules) if swapped else (one, other, compared)


def scene_contents(run: TheoryOfSpaceRun) -> dict[str, frozenset[str]]:
    """By id of a scene: its digest and the ids of its questions."""
    cases = [case.logged.case for case in run.cases]
    return {case.id: frozenset([case.scene.digest, *(question.id for question in case.questions)]) for case in cases}


def _values(one: NamedRun, rules: RuleSetName, column: str, scenes: set[str]) -> ByCase:
    values = one.summary.measured[rules].values.get(column, {})
    return {scene: of_scene for scene, of_scene in values.items() if scene in scenes}


_TEST = ("differ-\nence", "p", "verdict")
_HEADS = (
    heading("scenes\nshared"),
    *(heading(title, "Answers") for title in (*_TEST, "could\nshow", "scenes\nneeded")),
    *(heading(title, "Map correctness") for title in _TEST),
)
_NOTES = (
    "p: permutation test by scene, corrected for all pairs (Holm); intervals are not",
    "tie: p above .05; no difference found on these scenes, which does not mean equal",
    "could show: true difference that the shared scenes detect with 80 % power",
    "scenes needed: for 80 % power at 5 points. Both approximate, uncorrected",
)
_BEST_ONLY_NOTE = f"Where there are more than {MOST_COMPARED_RUNS} runs, each is compared with the best only."
_FEW_SCENES_NOTE = f"With fewer than {fewest_scenes()} shared scenes every pair is a tie, whatever the difference."


def comparison_tables(runs: Sequence[NamedRun], rules: RuleSetNames) -> Iterator[Table]:
    """Paired comparisons under the first of the rule sets; nothing if no two runs share enough scenes."""
    found = compared_pairs(runs, rules[0])
    if found:
        title = f"Which model is better, percentage points ({rules[0]})"
        notes = (*_NOTES, *_warnings(runs, found))
        yield Table("better", title, "first against second", _HEADS, tuple(map(_pair_entry, found)), notes)


def _pair_entry(pair: RunPair) -> RowGroup:
    answers, maps = pair.tested.get(ANSWERS), pair.tested.get(CORRECTNESS)
    scenes = max(tested.comparison.scenes for tested in pair.tested.values())
    cells = (Cell(str(scenes)), *_test_cells(answers), *_power_cells(answers), *_test_cells(maps))
    return one_row(f"{pair.first.name} against {pair.second.name}", cells, section=pair.first.section)


def _test_cells(tested: TestedColumn | None) -> tuple[Cell, ...]:
    if tested is None:
        return (Cell(),) * 3
    return points(tested.comparison.difference), p_value(tested.p), Cell(tested.verdict)


def _power_cells(tested: TestedColumn | None) -> tuple[Cell, ...]:
    if tested is None:
        return (Cell(),) * 2
    least, needed = tested.comparison.least_detectable, tested.comparison.scenes_needed(PLANNED_DIFFERENCE)
    return points(Interval(least, least, least)), Cell(MISSING if needed is None else str(needed))


def _warnings(runs: Sequence[NamedRun], found: Sequence[RunPair]) -> Iterator[str]:
    sections = [one.section for one in runs]
    if any(sections.count(section) > MOST_COMPARED_RUNS for section in set(sections)):
        yield _BEST_ONLY_NOTE
    if any(tested.comparison.scenes < fewest_scenes() for pair in found for tested in pair.tested.values()):
        yield _FEW_SCENES_NOTE
