"""The main tables: encoders by probe and viewpoint, over all environments and in each, with rows to compare with."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.benchmarks.sparrta.triples import ENVIRONMENTS, Environment
from tolman.probing.head_names import HEADS, HeadName
from tolman.report.cells import percent
from tolman.report.intervals import UNKNOWN, Interval
from tolman.report.site.from_sheet import cell
from tolman.report.site.table import Cell, Entry, Head, Row, Table
from tolman.report.sparrta.published_rows import published
from tolman.report.sparrta.subjects import Subject, environments_of, heads_of, share, triples_of, views_of
from tolman.report.sparrta.words import HEAD_TITLES, OTHER_PICTURES, VIEW_TITLES, counted, place

CHANCE = 0.25
"""Four relations."""
BOTH = "Both, mean"
BOLD = " Bold: the best here."
CHANCE_NOTE = (
    "Chance: four relations, one is right. Majority: always saying the commonest relation of the test pictures, mean "
    "over triples and seeds."
)
INTERVAL_NOTE = (
    "Right in the test, %; below, 95 % intervals (Student's) over triples, or over seeds where there are fewer than "
    f"three triples.{BOLD}"
)
PAPER_NOTE = (
    "Rows of the paper are of the authors' own pictures and of other encoders: they show what to expect, never who is "
    "better. Ego by environment and allo means are those of the authors' results page; it prints no intervals."
)


@dataclass(frozen=True)
class Column:
    """One probe from one viewpoint, or from both together."""

    head: HeadName
    views: tuple[Viewpoint, ...]

    @property
    def group(self) -> str:
        return VIEW_TITLES[self.views[0]] if len(self.views) == 1 else BOTH

    @property
    def title(self) -> str:
        return HEAD_TITLES[self.head]


def columns(subjects: Sequence[Subject]) -> list[Column]:
    """Probes by viewpoint; where there are both, also by their mean."""
    views = views_of(subjects)
    groups: list[tuple[Viewpoint, ...]] = [(view,) for view in views]
    groups += [tuple(views)] * (len(views) > 1)
    return [Column(head, group) for group in groups for head in heads_of(subjects)]


def main_table(subjects: Sequence[Subject], *, references: bool = True, paper: bool = True) -> Table:
    """Encoders over all environments, then guesses and the paper's rows."""
    shown = columns(subjects)
    rows = [(one.name, _below(one, subjects), [_share(one, column, "") for column in shown]) for one in subjects]
    entries = _with_best(rows)
    if references:
        entries += _guesses(subjects, shown, "")
    if references and paper:
        entries += [_paper_entry(model, [_paper(model, column) for column in shown]) for model in published().models]
    notes = (INTERVAL_NOTE, CHANCE_NOTE, *[PAPER_NOTE] * paper) if references else (INTERVAL_NOTE,)
    places = [place(name) for name in environments_of(subjects)]
    title = "Accuracy over all environments" if len(places) > 1 else f"Accuracy in one environment: {places[0]}"
    return Table("accuracy", title, "encoder", _heads(shown), tuple(entries), notes)


def environment_table(subjects: Sequence[Subject], *, references: bool = True) -> Table:
    """The same in each environment."""
    shown = columns(subjects)
    entries: list[Entry] = []
    for environment in environments_of(subjects):
        here = [one for one in subjects if any(cell.key.environment == environment for cell in one.last)]
        found = _with_best([(one.name, "", [_share(one, column, environment) for column in shown]) for one in here])
        found += _guesses(subjects, shown, environment) if references else []
        entries += [_in(entry, environment) for entry in found]
    heads = (Head("environment", words=True), *_heads(shown))
    title = "Accuracy by environment"
    return Table("environments", title, "encoder", heads, tuple(entries), (INTERVAL_NOTE,), ("environment",))


def paper_table(environments: Sequence[str]) -> Table:
    """What the paper reports of the same environments; it prints those from the camera only."""
    rows = published()
    places: list[Environment] = [name for name in ENVIRONMENTS if name in environments]
    heads = tuple(Head(HEAD_TITLES[head], place(where)) for where in places for head in HEADS)
    entries = [
        _paper_entry(model, [rows.ego_in(model, where, head) for where in places for head in HEADS])
        for model in rows.models
    ]
    title = "Environments of the same names in the paper, ego"
    return Table("paper-environments", title, "encoder", heads, tuple(entries), (PAPER_NOTE,))


def _heads(shown: Sequence[Column]) -> tuple[Head, ...]:
    return tuple(Head(column.title, column.group) for column in shown)


def _share(subject: Subject, column: Column, environment: str) -> Interval:
    parts = [subject.some([column.head], [view], environment) for view in column.views]
    return share([cell for part in parts for cell in part]) if all(parts) else UNKNOWN


def _below(subject: Subject, subjects: Sequence[Subject]) -> str:
    """What sets an encoder's row apart: another layer than its last, missing triples, or pictures that it knew."""
    layer = f"layer {subject.layer} of {subject.layers}" if subject.layer != subject.layers else ""
    here, every = len(triples_of([subject])), len(triples_of(subjects))
    missing = f"{here} of {counted(every, 'triple')}" if here < every else ""
    knew = "trained on these pictures" if any(one.seen for one in subject.cells) else ""
    return " · ".join(filter(None, (layer, missing, knew)))


def _with_best(rows: Sequence[tuple[str, str, list[Interval]]]) -> list[Entry]:
    """Entries in which the largest of each column is bold, if there are several."""
    by_column = list(zip(*(numbers for _, _, numbers in rows), strict=True))
    best = [max((one.mean for one in column if not math.isnan(one.mean)), default=math.nan) for column in by_column]
    return [
        Entry(
            name,
            (
                Row(
                    tuple(
                        replace(cell(percent(one)), best=len(rows) > 1 and one.mean == top)
                        for one, top in zip(numbers, best, strict=True)
                    )
                ),
            ),
            below,
        )
        for name, below, numbers in rows
    ]


def _guesses(subjects: Sequence[Subject], shown: Sequence[Column], environment: str) -> list[Entry]:
    chance = Entry(
        "chance", (Row(tuple(Cell(f"{100 * CHANCE:.1f}") for _ in shown)),), "these pictures", reference=True
    )
    found = [majority(subjects, column.views, environment) for column in shown]
    if all(value is None for value in found):
        return [chance]
    cells = tuple(Cell() if value is None else Cell(f"{100 * value:.1f}") for value in found)
    return [chance, Entry("majority", (Row(cells),), "these pictures", reference=True)]


def majority(subjects: Sequence[Subject], views: Sequence[Viewpoint], environment: str = "") -> float | None:
    """The mean share of the commonest relation in test splits; None where nobody counted. A split counts once."""
    splits = {
        (one.key.triple, one.key.viewpoint, result.seed): result.majority
        for subject in subjects
        for one in subject.last
        for result in one.results
        if one.key.viewpoint in views and environment in ("", one.key.environment)
    }
    known = [value for value in splits.values() if value is not None]
    return fmean(known) if known else None


def _paper(model: str, column: Column) -> float | None:
    if column.head not in HEADS:
        return None
    return fmean(published().mean(model, view, column.head) for view in column.views)


def _paper_entry(model: str, numbers: Sequence[float | None]) -> Entry:
    cells = tuple(Cell() if number is None else Cell(f"{number:.1f}") for number in numbers)
    return Entry(model, (Row(cells),), OTHER_PICTURES, reference=True)


def _in(entry: Entry, environment: str) -> Entry:
    return replace(entry, rows=tuple(replace(row, cells=(Cell(place(environment)), *row.cells)) for row in entry.rows))
