"""The tables of the paper: answers, belief, revision and exploration patterns, with reference rows below the runs."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from tolman.benchmarks.theory_of_space.columns import MAP_MODE_TITLES, REVISION_COLUMNS, answer_columns, belief_columns
from tolman.benchmarks.theory_of_space.exploration_patterns import OMISSION_COLUMNS, PATTERN_COLUMNS
from tolman.benchmarks.theory_of_space.tables.layout import (
    NamedRun,
    ReferenceRow,
    explorers_of,
    run_table,
    section_title,
)
from tolman.core.grouping import gathered, grouped
from tolman.core.rules import RuleSetNames
from tolman.report.statistics import Interval
from tolman.report.table import Column, Row, RowGroup, Table

References = Sequence[ReferenceRow]
_SAME_QUESTIONS, _OTHER_SCENES = "For comparison, the same questions", "As published, on other scenes"
_COST = "cost: one per observation, two per query (the paper's steps); if passive, of the log that was read"
_BELIEF = (
    "Correctness: last map; others: mean over turns. cover: share of comparable names on both maps",
    "uncertainty: unexplored points, Youden's J (all, none, random: 0); published: F1 (all: 67)",
    "Stability: entries no worse than before, so 100 for a map that never changes; still right: its accuracy",
    "Under strict, agreement of local and global map is over all in view, weighted by correctness",
)
_REVISION = (
    "redundant: after every changed thing had been in view. Position inertia: pooled over moved things",
    "F1 under strict: only as many reports as announced can be right, the first ones; the rest are wrong",
)
_BLIND = (
    "all, none: every point and change, or none; constant: everything at the start; blind: random points, positions, "
    "changes; one thing: a map of the first thing seen; far, near: points by distance; turned: things with a front",
)


def answer_tables(runs: Sequence[NamedRun], rules: RuleSetNames, references: References = ()) -> Iterator[Table]:
    """Scores by kind of question, one table per map mode."""
    for mode, title in MAP_MODE_TITLES.items():
        asked = [named for named in runs if mode in named.summary.run.options.maps]
        prefix = f"ask/{mode}/"
        keys = {key for named in asked for measured in named.summary.measured.values() for key in measured.values}
        kinds = {key.removeprefix(prefix) for key in keys if key.startswith(prefix)}
        others = references if mode == "none" else ()
        notes = (_COST, *reference_notes(others)) if mode == "none" else ()
        shown = answer_columns(mode, kinds, {named.summary.run.world for named in asked})
        yield from score_table(f"answers-{mode}", title, shown, asked, rules, notes, others)


def belief_tables(runs: Sequence[NamedRun], rules: RuleSetNames, references: References = ()) -> Iterator[Table]:
    """Quality of the stated maps."""
    notes, shown = (*_BELIEF, *_blind_notes(references)), belief_columns({named.summary.run.world for named in runs})
    yield from score_table("belief", "Belief quality, %", shown, runs, rules, notes, references)


def revision_tables(runs: Sequence[NamedRun], rules: RuleSetNames, references: References = ()) -> Iterator[Table]:
    """Belief revision after the world has changed."""
    title = "Revision after the world has changed, %"
    notes = (*_REVISION, *_blind_notes(references))
    yield from score_table("revision", title, REVISION_COLUMNS, runs, rules, notes, references)


def score_table(
    name: str,
    title: str,
    columns: Sequence[Column],
    runs: Sequence[NamedRun],
    rules: RuleSetNames,
    notes: tuple[str, ...] = (),
    references: References = (),
) -> Iterator[Table]:
    """Runs under each rule set, and the references of their worlds and modes; nothing if no run has a value."""

    def rows(named: NamedRun) -> tuple[Row, ...]:
        return tuple(_row(columns, named.summary.measured[name].interval, name) for name in rules)

    below = _reference_entries(references, runs, columns, rules)
    yield from run_table(name, title, columns, runs, rows, notes, below=below)


def _row(columns: Sequence[Column], interval: Callable[[str], Interval], label: str = "") -> Row:
    return Row(tuple(column.style(interval(column.key)) for column in columns), label)


# ---- reference rows ----


def reference_notes(references: References) -> Iterator[str]:
    """Notes that explain the reference rows."""
    if any(row.same_scenes for row in references):
        yield "chance: all valid answers, equally likely; constant: one answer per kind; blind: from names and format"
    if any(not row.same_scenes for row in references):
        yield "as published: means from the paper's tables, which give no intervals"


def _blind_notes(references: References) -> tuple[str, ...]:
    """Notes on the blind strategies, if they are among the references."""
    return _BLIND if any(row.same_scenes for row in references) else ()


def _reference_entries(
    references: References, runs: Sequence[NamedRun], columns: Sequence[Column], rules: RuleSetNames
) -> Iterator[RowGroup]:
    """Rows for the worlds and modes of the runs; rows that are the same for several are listed once."""
    for title, same in ((_SAME_QUESTIONS, True), (_OTHER_SCENES, False)):
        found = [reference for reference in references if reference.same_scenes == same]
        matching = grouped(found, lambda row: section_title(row.setting.world, row.setting.mode))
        shown = (section for section in dict.fromkeys(named.section for named in runs) if section in matching)
        listed = ((tuple(_entries(matching[section], columns, rules)), section) for section in shown)
        by_entries = gathered((entries, section) for entries, section in listed if entries)
        for entries, sections in by_entries.items():
            only = same and len(by_entries) == 1
            heading = title if only else f"{title}: {'; '.join(sections)}"
            origin = "these scenes" if same else "paper"
            where = origin if only else f"{'; '.join(sections).replace(' world', '').lower()} · {origin}"
            yield from (replace(entry, section=heading, where=where, reference=True) for entry in entries)


def _entries(references: References, columns: Sequence[Column], rules: RuleSetNames) -> Iterator[RowGroup]:
    named: dict[tuple[str, str], dict[str, ReferenceRow]] = {}
    for reference in references:
        explorer = f", {reference.setting.explorer}'s log" if reference.setting.explorer else ""
        scenes = f"{reference.scenes} scene{'s' * (reference.scenes != 1)}" if reference.scenes else ""
        named.setdefault((f"{reference.name}{explorer}", scenes), {})[reference.rules] = reference
    for (title, scenes), by_rules in named.items():
        rows = tuple(_row(columns, by_rules[name].interval, name) for name in rules if name in by_rules)
        entry = RowGroup(title, rows, scenes)
        if entry.known:
            yield entry


_PATTERNS = (
    "Shares of looks (observations) or rooms, mean over scenes; --explain defines each column",
    "directions: different ones per stop, of four. left early: a room first left with something in it unseen",
)
_OMISSIONS = ("At the end of the exploration. The first two add up to 100 less node coverage",)


def pattern_tables(runs: Sequence[NamedRun]) -> Iterator[Table]:
    """Exploration patterns, and what was omitted."""
    explorers = explorers_of(runs)
    for name, title, columns, notes in (
        ("patterns", "Exploration patterns, %", PATTERN_COLUMNS, _PATTERNS),
        ("omissions", "Omissions by kind, %", OMISSION_COLUMNS, _OMISSIONS),
    ):

        def rows(named: NamedRun, columns: Sequence[Column] = columns) -> tuple[Row, ...]:
            return (_row(columns, named.summary.measured["strict"].interval),)

        yield from run_table(name, title, columns, explorers, rows, notes)
