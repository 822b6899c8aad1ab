"""Tables of accuracy by encoder, head and viewpoint, over all environments and in each, with chance, the paper's
rows and the shuffled-label control.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from tolman.benchmarks.sparrta.probes.encoders import (
    HEAD_TITLES,
    OTHER_PICTURES,
    ProbeColumn,
    ProbedEncoder,
    enumeration,
    environment_title,
    environments_of,
    probe_columns,
    published_results,
    share,
    triples_done,
    triples_of,
    views_of,
)
from tolman.benchmarks.sparrta.probes.means import interval_basis
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS, Environment, Viewpoint
from tolman.probing.protocol import HEADS
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Column, RowGroup, Table, heading, one_row, percent

CHANCE = 0.25
"""Four relations."""
BOLD = " Bold: the best of a column, if all its numbers are over the same triples."
CHANCE_NOTE = (
    "Chance: one of four relations. Majority: always the most frequent relation of the test pictures, mean over "
    "triples and seeds."
)
INTERVAL_NOTE = (
    "Test accuracy, %; below, 95 % intervals (Student's) over triples, or (Wilson's) over test pictures "
    f"where there are fewer than three triples.{BOLD}"
)
FEWER = "†"
FEWER_NOTE = f"{FEWER} Not over all triples: compare it only with numbers over the same triples."
PAPER_NOTE = (
    "Rows of the paper are on the authors' own pictures, so they can't be compared directly with encoders here. "
    "Numbers are from the authors' results page, which prints no intervals."
)


@dataclass(frozen=True)
class _Number:
    """An accuracy, and the triples that it is over."""

    share: Interval
    triples: frozenset[str]

    @property
    def known(self) -> bool:
        return not math.isnan(self.share.mean)


def accuracy_table(encoders: Sequence[ProbedEncoder], *, references: bool = True, paper: bool = True) -> Table:
    """Encoders over all environments, then chance, majority and the paper's rows."""
    shown, places = probe_columns(encoders), environments_of(encoders)
    rows = [(one.name, _below(one, encoders), [_number(one, column, "") for column in shown]) for one in encoders]
    entries = _with_best(rows, len(triples_of(encoders)))
    notes = [INTERVAL_NOTE, *_fewer_note(entries)]
    if references:
        entries += _guesses(encoders, shown, "")
        notes.append(CHANCE_NOTE)
    if references and paper:
        entries += [
            _paper_entry(model, [_paper(model, column, places) for column in shown])
            for model in published_results().models
        ]
        notes += [PAPER_NOTE, paper_scope(places, views_of(encoders))]
    title = "Accuracy over all environments"
    if len(places) == 1:
        title = f"Accuracy in one environment: {environment_title(places[0])}"
    return Table("accuracy", title, "encoder", _heads(shown), tuple(entries), tuple(notes))


def environment_table(encoders: Sequence[ProbedEncoder], *, references: bool = True) -> Table:
    """Accuracy in each environment."""
    shown = probe_columns(encoders)
    entries: list[RowGroup] = []
    for environment in environments_of(encoders):
        here = [one for one in encoders if any(cell.key.environment == environment for cell in one.table_cells)]
        rows = [(one.name, "", [_number(one, column, environment) for column in shown]) for one in here]
        found = _with_best(rows, len(triples_of(encoders, environment)))
        found += _guesses(encoders, shown, environment) if references else []
        entries += [_in_environment(entry, environment) for entry in found]
    heads = (heading("environment", words=True), *_heads(shown))
    notes = (INTERVAL_NOTE, *_fewer_note(entries))
    title = "Accuracy by environment"
    return Table("environments", title, "encoder", heads, tuple(entries), notes, ("environment",))


def paper_table(environments: Sequence[str]) -> Table:
    """The paper's accuracy in the same environments, which it prints for ego only."""
    rows = published_results()
    places: list[Environment] = [name for name in ENVIRONMENTS if name in environments]
    heads = tuple(heading(HEAD_TITLES[head], environment_title(where)) for where in places for head in HEADS)
    entries = [
        _paper_entry(model, [rows.ego_in(model, where, head) for where in places for head in HEADS])
        for model in rows.models
    ]
    title = "Environments of the same names in the paper, ego"
    return Table("paper-environments", title, "encoder", heads, tuple(entries), (PAPER_NOTE,))


def _heads(shown: Sequence[ProbeColumn]) -> tuple[Column, ...]:
    return tuple(heading(column.title, column.group) for column in shown)


def _number(encoder: ProbedEncoder, column: ProbeColumn, environment: str) -> _Number:
    cells = column.cells(encoder, environment)
    return _Number(share(cells), frozenset(cell.key.triple for cell in cells))


def _below(encoder: ProbedEncoder, encoders: Sequence[ProbedEncoder]) -> str:
    """Small print of an encoder: a layer other than its last, missing triples, or training on these pictures."""
    layer = f"layer {encoder.layer} of {encoder.layers}" if encoder.layer != encoder.layers else ""
    done = triples_done(encoder, encoders)
    missing = f"{done} triples" if done else ""
    knew = "trained on these pictures" if any(one.seen for one in encoder.cells) else ""
    return " · ".join(filter(None, (layer, missing, knew)))


def _with_best(rows: Sequence[tuple[str, str, list[_Number]]], triples: int) -> list[RowGroup]:
    """Entries with the best of each column in bold, if comparable, and numbers over fewer triples marked."""
    best = [_best(column) for column in zip(*(numbers for _, _, numbers in rows), strict=True)]
    return [
        one_row(name, (_cell(one, top, triples) for one, top in zip(numbers, best, strict=True)), below)
        for name, below, numbers in rows
    ]


def _best(column: Sequence[_Number]) -> float:
    """The largest of a column; NaN for a single row, or where numbers are not over the same triples."""
    known = [one for one in column if one.known]
    if len(column) < 2 or len({one.triples for one in known}) != 1:
        return math.nan
    return max(one.share.mean for one in known)


def _cell(number: _Number, best: float, triples: int) -> Cell:
    shown = percent(number.share)
    mark = f" {FEWER}" if number.known and len(number.triples) < triples else ""
    return replace(shown, text=f"{shown.text}{mark}", best=number.share.mean == best)


def _fewer_note(entries: Sequence[RowGroup]) -> list[str]:
    marked = any(FEWER in one.text for entry in entries for row in entry.rows for one in row.cells)
    return [FEWER_NOTE] * marked


def _guesses(encoders: Sequence[ProbedEncoder], shown: Sequence[ProbeColumn], environment: str) -> list[RowGroup]:
    chance = one_row("chance", (Cell(f"{100 * CHANCE:.1f}") for _ in shown), "these pictures", reference=True)
    found = [majority_share(encoders, column.views, environment) for column in shown]
    if all(value is None for value in found):
        return [chance]
    cells = tuple(Cell() if value is None else Cell(f"{100 * value:.1f}") for value in found)
    return [chance, one_row("majority", cells, "these pictures", reference=True)]


def majority_share(
    encoders: Sequence[ProbedEncoder], views: Sequence[Viewpoint], environment: str = ""
) -> float | None:
    """Mean share of the most frequent relation over distinct test splits; None if unknown."""
    splits = {
        (one.key.triple, one.key.viewpoint, result.seed): result.majority
        for encoder in encoders
        for one in encoder.table_cells
        for result in one.results
        if one.key.viewpoint in views and environment in ("", one.key.environment)
    }
    known = [value for value in splits.values() if value is not None]
    return fmean(known) if known else None


def _paper(model: str, column: ProbeColumn, environments: Sequence[str]) -> float | None:
    """The paper's mean: ego over the same environments; allo, and so both, over all five only."""
    if column.head not in HEADS:
        return None
    if len(column.views) == 1:
        return published_results().beside(model, column.views[0], environments, column.head)
    return fmean(published_results().mean(model, view, column.head) for view in column.views)


def paper_scope(environments: Sequence[str], views: Sequence[Viewpoint]) -> str:
    """A sentence on the environments that the paper's numbers are over."""
    every = published_results().source.environments
    named = [environment_title(name) for name in every if name in environments]
    if len(named) in (0, len(every)) or "ego" not in views:
        return "The paper's numbers are means over its five environments."
    ego = f"The paper's ego numbers are over {enumeration(named)}"
    if "allo" not in views:
        return f"{ego}."
    return f"{ego}. Its allo numbers, and so means of both, are only known over all five environments."


def _paper_entry(model: str, numbers: Sequence[float | None]) -> RowGroup:
    cells = tuple(Cell() if number is None else Cell(f"{number:.1f}") for number in numbers)
    return one_row(model, cells, OTHER_PICTURES, reference=True)


def _in_environment(entry: RowGroup, environment: str) -> RowGroup:
    return replace(
        entry, rows=tuple(replace(row, cells=(Cell(environment_title(environment)), *row.cells)) for row in entry.rows)
    )


def control_table(controls: Sequence[ProbedEncoder]) -> Table:
    """Accuracy of the shuffled-label control by probe and viewpoint."""
    shown = probe_columns(controls)
    heads = tuple(heading(column.title, column.group) for column in shown)
    entries = tuple(one_row(one.name, (percent(share(c.cells(one))) for c in shown)) for one in controls)
    over = interval_basis(c.cells(one) for one in controls for c in shown)
    note = f"Test accuracy with shuffled labels, %, with {over}."
    return Table("control", "Shuffled labels", "encoder", heads, entries, (note,))


def control_interval(controls: Sequence[ProbedEncoder]) -> Interval:
    """All control cells together."""
    return share([cell for one in controls for cell in one.cells])


def control_sentence(controls: Sequence[ProbedEncoder]) -> str:
    """A sentence on whether the shuffled-label control is at chance, as it must be."""
    found = control_interval(controls)
    commonest = majority_share(controls, views_of(controls))
    text = f"With shuffled labels accuracy is {100 * found.mean:.1f} %"
    if found.low != found.low:
        return f"{text}; chance is 25 %. One cell alone has no interval."
    text += f" (95 % interval {100 * found.low:.1f} to {100 * found.high:.1f}; chance is 25 %"
    text += f", the most frequent label {100 * commonest:.1f} %)." if commonest is not None else ")."
    if found.high < CHANCE:
        return f"{text} That is below chance, as may happen with few test pictures."
    upper = max(CHANCE, commonest or 0)
    if found.low <= upper:
        return f"{text} That is chance level, as it must be."
    return f"{text} That is above chance: labels leak, and no number in this report is valid."
