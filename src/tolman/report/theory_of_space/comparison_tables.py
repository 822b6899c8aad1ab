"""The table of pairs: which model is better than which, and which only seems so."""

import math
from collections.abc import Iterator, Sequence

from tolman.report.comparisons import fewest_scenes
from tolman.report.intervals import UNKNOWN, Interval
from tolman.report.table import MISSING, Cell, Entry, Row, Table, heading, p_value, points
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS
from tolman.report.theory_of_space.layout import Rules, Shown
from tolman.report.theory_of_space.pairs import MANY, TOLD, Pair, Tested, pairs

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
_BEST = f"Where there are more than {MANY} runs, each is compared with the best only."
_FEW = f"With fewer than {fewest_scenes()} shared scenes every pair is a tie, however far apart."


def comparison_tables(shown: Sequence[Shown], rules: Rules) -> Iterator[Table]:
    """Runs against each other under the first of the rule sets; nothing where no two share their scenes."""
    found = pairs(shown, rules[0])
    if found:
        title = f"Which model is better, percentage points ({rules[0]})"
        notes = (*_NOTES, *_warnings(shown, found))
        yield Table("better", title, "first against second", _HEADS, tuple(map(_entry, found)), notes)


def _entry(pair: Pair) -> Entry:
    answers, maps = pair.tested.get(ANSWERS), pair.tested.get(CORRECTNESS)
    scenes = max(tested.comparison.scenes for tested in pair.tested.values())
    cells = (Cell(str(scenes)), *_test(answers), *_power(answers), *_test(maps))
    return Entry(f"{pair.first.name} against {pair.second.name}", (Row(cells),), section=pair.first.part)


def _test(tested: Tested | None) -> tuple[Cell, ...]:
    if tested is None:
        return points(UNKNOWN), p_value(math.nan), Cell()
    return points(tested.comparison.difference), p_value(tested.p), Cell(tested.verdict)


def _power(tested: Tested | None) -> tuple[Cell, ...]:
    if tested is None:
        return Cell(), Cell()
    least, needed = tested.comparison.least_detectable, tested.comparison.scenes_needed(TOLD)
    return points(Interval(least, least, least)), Cell(MISSING if needed is None else str(needed))


def _warnings(shown: Sequence[Shown], found: Sequence[Pair]) -> Iterator[str]:
    parts = [one.part for one in shown]
    if any(parts.count(part) > MANY for part in set(parts)):
        yield _BEST
    if any(tested.comparison.scenes < fewest_scenes() for pair in found for tested in pair.tested.values()):
        yield _FEW
