"""Whether things are in an encoder's tokens: means over triples, by layer."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from tolman.benchmarks.sparrta.probe_tables import interval_of
from tolman.benchmarks.sparrta.thing_files import ThingRow
from tolman.report.intervals import Interval
from tolman.report.names import printable
from tolman.report.sparrta.subjects import Subject, plain_encoder


@dataclass(frozen=True)
class ToldEncoder:
    """All that is known of one encoder."""

    encoder: str
    rows: tuple[ThingRow, ...]

    @property
    def name(self) -> str:
        """What a report calls it."""
        return printable(plain_encoder(self.encoder))

    @property
    def layers(self) -> int:
        """Of the encoder."""
        return self.rows[0].layers

    @cached_property
    def tried(self) -> list[int]:
        """Layers that were tried."""
        return sorted({row.layer for row in self.rows})

    @cached_property
    def triples(self) -> set[str]:
        return {row.triple for row in self.rows}

    def at(self, layer: int, thing: str) -> Interval:
        """Average precision over triples that show the thing; no ends with fewer than three."""
        values = {
            (row.triple, 0): row.average_precision
            for row in self.rows
            if row.layer == layer and row.thing == thing and not math.isnan(row.average_precision)
        }
        found = interval_of(values)
        return Interval(found.mean, max(found.low, 0.0), min(found.high, 1.0))

    def best(self, thing: str) -> int:
        """The layer where it is told best."""
        return max(self.tried, key=lambda layer: self.at(layer, thing).mean)

    def guesses(self, thing: str) -> float:
        """What guesses get: the mean share of patches that show it."""
        shares = {row.triple: row.share for row in self.rows if row.thing == thing}
        return sum(shares.values()) / len(shares)


def told_encoders(rows: Sequence[ThingRow], subjects: Sequence[Subject] = ()) -> list[ToldEncoder]:
    """Encoders, in the order in which they stand elsewhere in a report, then others."""
    by_encoder: dict[str, list[ThingRow]] = {one.encoder: [] for one in subjects}
    for row in rows:
        by_encoder.setdefault(row.encoder, []).append(row)
    return [ToldEncoder(encoder, tuple(found)) for encoder, found in by_encoder.items() if found]


def things_of(encoders: Sequence[ToldEncoder]) -> list[str]:
    """Things that any of them was asked for."""
    return list(dict.fromkeys(row.thing for one in encoders for row in one.rows))
