"""The tables of the paper: answers, belief and revision, with reference rows below the runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tolman.benchmarks.theory_of_space.columns import BELIEF_COLUMNS, MAP_MODE_TITLES, REVISION_COLUMNS, answer_columns
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, RuleSetNames, part_title, run_table
from tolman.benchmarks.theory_of_space.tables.reference_row import ReferenceRow
from tolman.benchmarks.theory_of_space.tables.run_summary import RunSummary
from tolman.report.statistics import Interval
from tolman.report.table import Column, Row, RowGroup, Table

References = Sequence[ReferenceRow]
_SAME_QUESTIONS, _OTHER_SCENES = "For comparison, the same questions", "As published, of other scenes"
_COST = "cost: one for each look, two for each query (the paper's steps); if passive, of the log that was read"
_BELIEF = (
    "Correctness: last map; all else: mean over turns. cover: share of what can be compared on both maps",
    "uncertainty: points not looked at: Youden's J (all, none, random: 0); published: F1 (all: 67)",
    "Under strict, stable or agreed: over all that was seen, and as far as it is right",
)
_REVISION = (
    "redundant: after all that changed had been in view. Inertia of positions: pooled over moved things",
    "F1 under strict: as many as were announced can be right, the first ones; the rest count as wrong",
)
_BLIND = (
    "all, none: every point and change, or none; constant: everything at the start; blind: points, places, changes at "
    "random; one thing: a map of what was seen first; far, near: points by distance; turned: things that have a front",
)


def answer_tables(shown: Sequence[NamedRun], rules: RuleSetNames, references: References = ()) -> Iterator[Table]:
    """Scores by kind of question, a table for each way of asking with a map."""
    for mode, title in MAP_MODE_TITLES.items():
        asked = [one for one in shown if mode in one.figures.run.options.maps]
        prefix = f"ask/{mode}/"
        kinds = {key.removeprefix(prefix) for one in asked for key in _keys(one.figures) if key.startswith(prefix)}
        others = references if mode == "none" else ()
        notes = (_COST, *reference_notes(others)) if mode == "none" else ()
        yield from score_table(f"answers-{mode}", title, answer_columns(mode, kinds), asked, rules, notes, others)


def belief_tables(shown: Sequence[NamedRun], rules: RuleSetNames, references: References = ()) -> Iterator[Table]:
    """How good the maps are that a model states."""
    notes = (*_BELIEF, *_blind_notes(references))
    yield from score_table("belief", "Belief quality, %", BELIEF_COLUMNS, shown, rules, notes, references)


def revision_tables(shown: Sequence[NamedRun], rules: RuleSetNames, references: References = ()) -> Iterator[Table]:
    """How a belief is revised once the world has changed."""
    title = "Revision after the world has changed, %"
    notes = (*_REVISION, *_blind_notes(references))
    yield from score_table("revision", title, REVISION_COLUMNS, shown, rules, notes, references)


def score_table(
    name: str,
    title: str,
    columns: Sequence[Column],
    shown: Sequence[NamedRun],
    rules: RuleSetNames,
    notes: tuple[str, ...] = (),
    references: References = (),
) -> Iterator[Table]:
    """Runs under each rule set, and the references of their worlds and modes; nothing where no run is known."""

    def row(interval: Callable[[str], Interval], label: str) -> Row:
        return Row(tuple(column.style(interval(column.key)) for column in columns), label)

    def rows(one: NamedRun) -> tuple[Row, ...]:
        return tuple(row(one.figures.measured[name].interval, name) for name in rules)

    below = _reference_entries(references, shown, row, rules)
    yield from run_table(name, title, columns, shown, rows, notes, below=below)


def _keys(figures: RunSummary) -> set[str]:
    return {name for measured in figures.measured.values() for name in measured.values}


# ---- rows to compare with ----


def reference_notes(references: References) -> Iterator[str]:
    """What the rows are, for below a table."""
    if any(row.same_scenes for row in references):
        yield "chance: all valid answers alike; constant: one answer a kind; blind: a guess from names and format"
    if any(not row.same_scenes for row in references):
        yield "as published: means of the paper's tables, which give no intervals"


def _blind_notes(references: References) -> tuple[str, ...]:
    """What strategies without knowledge do, where they stand below maps or reports of changes."""
    return _BLIND if any(row.same_scenes for row in references) else ()


_MakeRow = Callable[[Callable[[str], Interval], str], Row]


def _reference_entries(
    references: References, shown: Sequence[NamedRun], row: _MakeRow, rules: RuleSetNames
) -> Iterator[RowGroup]:
    """Rows of the worlds and modes of the runs; what is the same for several stands once."""
    for title, same in ((_SAME_QUESTIONS, True), (_OTHER_SCENES, False)):
        places: dict[tuple[RowGroup, ...], list[str]] = {}
        for place in dict.fromkeys(one.part for one in shown):
            here = [known for known in references if known.same_scenes == same and _part_of(known) == place]
            if entries := tuple(_entries(here, row, rules)):
                places.setdefault(entries, []).append(place)
        for entries, found in places.items():
            alone = same and len(places) == 1
            section = title if alone else f"{title}: {'; '.join(found)}"
            whose = "these scenes" if same else "paper"
            where = whose if alone else f"{'; '.join(found).replace(' world', '').lower()} · {whose}"
            yield from (replace(entry, section=section, where=where, reference=True) for entry in entries)


def _part_of(row: ReferenceRow) -> str:
    return part_title(row.setting.world, row.setting.mode)


def _entries(references: References, row: _MakeRow, rules: RuleSetNames) -> Iterator[RowGroup]:
    named: dict[tuple[str, str], dict[str, ReferenceRow]] = {}
    for known in references:
        explorer = f", {known.setting.explorer}'s log" if known.setting.explorer else ""
        scenes = f"{known.scenes} scene{'s' * (known.scenes != 1)}" if known.scenes else ""
        named.setdefault((f"{known.name}{explorer}", scenes), {})[known.rules] = known
    for (name, scenes), by_rules in named.items():
        entry = RowGroup(name, tuple(row(by_rules[one].interval, one) for one in rules if one in by_rules), scenes)
        if entry.known:
            yield entry
