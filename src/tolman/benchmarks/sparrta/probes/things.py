"""How well single tokens of an encoder show the source, the target and the human: average precision by layer, and
its table.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tolman.benchmarks.sparrta.probes.analysis_files import ThingRow
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, plain_encoder
from tolman.benchmarks.sparrta.probes.means import interval_of
from tolman.harness.names import printable
from tolman.report.statistics import Interval
from tolman.report.table import Cell, RowGroup, Table, heading, number, one_row


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
