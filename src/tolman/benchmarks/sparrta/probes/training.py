"""Tables of how probes were trained (protocol, parameters of heads, numbers of pictures, device and time) and of how
well single tokens of an encoder show the source, the target and the human: average precision by layer.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import cast

from tolman.benchmarks.sparrta.probes.cells import CellTime, ProbeCell, ThingRow
from tolman.benchmarks.sparrta.probes.encoders import VIEW_SHORT, ProbedEncoder, head_title, heads_of, plain_encoder
from tolman.benchmarks.sparrta.probes.means import interval_of
from tolman.core.grouping import gathered
from tolman.harness.names import counted, printable
from tolman.probing.protocol import heads_in_order
from tolman.report.statistics import Interval
from tolman.report.table import Cell, RowGroup, Table, heading, number, one_row


def training_tables(encoders: Sequence[ProbedEncoder], times: Sequence[tuple[ProbeCell, CellTime]]) -> Iterator[Table]:
    """All tables of training; those without data are left out."""
    yield _protocols(encoders)
    if any(cell.parameters for one in encoders for cell in one.cells):
        yield _parameters(encoders)
    yield _pictures(encoders)
    if times:
        yield _times(times)


def _protocols(encoders: Sequence[ProbedEncoder]) -> Table:
    seen: dict[tuple[str, ...], None] = {}
    for one in encoders:
        for cell in one.cells:
            how = cell.key.protocol
            validation, test = cast("tuple[float, float]", how["split"])
            rates, dropouts = (cast("Sequence[float]", how[name]) for name in ("rates", "dropouts"))
            row = (
                head_title(cell.key.head),
                f"{how['name']}{', best epoch' if how.get('select') == 'epoch' else ''}",
                f"{how['epochs']} ({how['warm_up']})",
                ", ".join(f"{rate:g}" for rate in rates),
                ", ".join(f"{dropout:g}" for dropout in dropouts),
                f"{100 * (1 - validation - test):.0f}, {100 * validation:.0f}, {100 * test:.0f}",
                ", ".join(str(seed) for seed in cast("Sequence[int]", how["seeds"])),
            )
            seen.setdefault(row)
    order = [head_title(head) for head in heads_in_order(cell.key.head for one in encoders for cell in one.cells)]
    heads = tuple(
        heading(title, words=True)
        for title in ("protocol", "epochs (warm-up)", "rates", "dropouts", "train, validate, test, %", "seeds")
    )
    entries = tuple(
        one_row(name, map(Cell, rest)) for name, *rest in sorted(seen, key=lambda row: (order.index(row[0]), row[1:]))
    )
    return Table("protocol", "How heads were trained", "probe", heads, entries)


def _parameters(encoders: Sequence[ProbedEncoder]) -> Table:
    heads = heads_of(encoders)
    counts = {
        (one.name, cell.key.head): cell.parameters for one in encoders for cell in one.table_cells if cell.parameters
    }
    entries = tuple(
        one_row(
            one.name,
            (Cell(f"{counts[one.name, h]:,}") if (one.name, h) in counts else Cell() for h in heads),
            f"{counted(one.layers, 'layer')} · weights {printable(one.cells[0].key.weights)[:12]}",
        )
        for one in encoders
    )
    titles = tuple(heading(head_title(head)) for head in heads)
    return Table("parameters", "Parameters of one head", "encoder", titles, entries)


def _pictures(encoders: Sequence[ProbedEncoder]) -> Table:
    """Numbers of pictures of each triple."""
    found: dict[tuple[str, str], ProbeCell] = {}
    for one in encoders:
        for cell in one.cells:
            found.setdefault((cell.key.triple, cell.key.viewpoint), cell)
    entries = tuple(one_row(triple, _counts(found[triple, view])) for triple, view in sorted(found, key=_order))
    heads = (
        heading("viewpoint", words=True),
        heading("to train"),
        heading("to test"),
        heading("majority in the test, %"),
        heading("digest", words=True),
    )
    note = "Pictures with a label, for each seed. The digest is of all pictures of the triple, in order."
    return Table("pictures", "Pictures", "triple", heads, entries, (note,))


def _order(unit: tuple[str, str]) -> tuple[str, bool]:
    return unit[0], unit[1] != "ego"


def _counts(cell: ProbeCell) -> tuple[Cell, ...]:
    shares = [f"{100 * result.majority:.1f}" for result in cell.results if result.majority is not None]
    return (
        Cell(VIEW_SHORT[cell.key.viewpoint]),
        Cell(f"{cell.results[0].training_pictures:,}"),
        Cell(f"{cell.results[0].test_pictures:,}"),
        Cell(", ".join(shares)) if shares else Cell(),
        Cell(cell.key.pictures[:12]),
    )


def _times(times: Sequence[tuple[ProbeCell, CellTime]]) -> Table:
    found = gathered(((cell.key.encoder, printable(time.device)), time.seconds) for cell, time in times)
    entries = tuple(
        one_row(
            printable(encoder),
            (
                Cell(device),
                Cell(f"{len(seconds):,}"),
                Cell(f"{sum(seconds) / 60:,.1f}"),
                Cell(f"{sum(seconds) / len(seconds):,.1f}"),
            ),
        )
        for (encoder, device), seconds in found.items()
    )
    heads = (heading("device", words=True), heading("cells"), heading("minutes"), heading("seconds per cell"))
    note = "Training of all grid points and seeds of a head, without extracting tokens."
    return Table("times", "Device and time", "encoder", heads, entries, (note,))


@dataclass(frozen=True)
class ThingDetection:
    """Detection of objects in the tokens of one encoder."""

    encoder: str
    rows: tuple[ThingRow, ...]

    @property
    def name(self) -> str:
        """Its name in reports."""
        return printable(plain_encoder(self.encoder))

    @property
    def layers(self) -> int:
        """Of the encoder."""
        return self.rows[0].layers

    @cached_property
    def tried(self) -> list[int]:
        """Layers that were evaluated, in order."""
        return sorted({row.layer for row in self.rows})

    @cached_property
    def triples(self) -> set[str]:
        return {row.triple for row in self.rows}

    def at(self, layer: int, thing: str) -> Interval:
        """Average precision over triples in which the object is visible; no interval with fewer than three."""
        values = {
            (row.triple, 0): row.average_precision
            for row in self.rows
            if row.layer == layer and row.thing == thing and not math.isnan(row.average_precision)
        }
        found = interval_of(values)
        return Interval(found.mean, max(found.low, 0.0), min(found.high, 1.0))

    def best(self, thing: str) -> int:
        """The layer with the highest average precision."""
        return max(self.tried, key=lambda layer: self.at(layer, thing).mean)

    def guesses(self, thing: str) -> float:
        """Average precision of chance: the mean share of patches that show the object."""
        shares = {row.triple: row.share for row in self.rows if row.thing == thing}
        return sum(shares.values()) / len(shares)


def thing_detections(rows: Sequence[ThingRow], encoders: Sequence[ProbedEncoder] = ()) -> list[ThingDetection]:
    """Encoders in the order of the report, then others."""
    by_encoder: dict[str, list[ThingRow]] = {one.encoder: [] for one in encoders}
    for row in rows:
        by_encoder.setdefault(row.encoder, []).append(row)
    return [ThingDetection(encoder, tuple(found)) for encoder, found in by_encoder.items() if found]


def things_of(detections: Sequence[ThingDetection]) -> list[str]:
    """Objects that were evaluated for any of them."""
    return list(dict.fromkeys(row.thing for one in detections for row in one.rows))


_NOTE = (
    "Average precision of a linear classifier of single tokens, fitted per triple, for patches that show the object (a "
    "tenth of the patch or more) in held-out pictures; below, 95 % intervals over triples where there are three, or "
    "the layer. Chance is the share of such patches."
)


def thing_table(detections: Sequence[ThingDetection]) -> Table:
    """Encoders by object, in the last evaluated layer and in the best."""
    things = things_of(detections)
    deep = any(len(one.tried) > 1 for one in detections)
    heads = [heading(thing, "last layer") for thing in things] + [
        heading(thing, "best layer") for thing in things
    ] * deep
    entries = [one_row(one.name, (*_last(one, things), *(_best(one, things) if deep else ()))) for one in detections]
    return Table(
        "things",
        "Detection of objects in single tokens",
        "encoder",
        tuple(heads),
        (*entries, *_guesses(detections, things, deep)),
        (_NOTE,),
    )


def _last(one: ThingDetection, things: Sequence[str]) -> list[Cell]:
    return [number(2)(one.at(one.tried[-1], thing)) for thing in things]


def _best(one: ThingDetection, things: Sequence[str]) -> list[Cell]:
    best = [(one.best(thing), thing) for thing in things]
    return [Cell(f"{one.at(layer, thing).mean:.2f}", f"layer {layer}") for layer, thing in best]


def _guesses(detections: Sequence[ThingDetection], things: Sequence[str], deep: bool) -> list[RowGroup]:
    """Chance: the largest over encoders, as it depends on the patch size."""
    most = [max(one.guesses(thing) for one in detections) for thing in things]
    cells = tuple(Cell(f"{share:.2f}") for share in most)
    return [one_row("chance", cells * (1 + deep), reference=True)]
