"""Whether what the paper found holds here: Linear < AbMILP < efficient probing, and allo < ego. Differences are paired
by triple and seed, so what is hard for all is taken out."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tolman.benchmarks.sparrta.probe_cells import Cell
from tolman.benchmarks.sparrta.probe_tables import ENOUGH, interval_of, paired, values_of
from tolman.benchmarks.sparrta.relations import VIEWPOINTS
from tolman.probing.head_names import HEADS
from tolman.report.intervals import Interval
from tolman.report.sparrta.subjects import Subject, environments_of
from tolman.report.sparrta.words import HEAD_TITLES

Claim = Literal["linear < abmilp", "abmilp < efficient", "allo < ego"]
CLAIMS: dict[Claim, str] = {
    "linear < abmilp": "Linear < AbMILP",
    "abmilp < efficient": "AbMILP < Efficient",
    "allo < ego": "allo < ego",
}
State = Literal["holds", "open", "reversed"]
SIGNS: dict[State, str] = {"holds": "✓", "open": "○", "reversed": "✗"}


@dataclass(frozen=True)
class Verdict:
    """One comparison: by how much the side that should be larger is larger, as a share."""

    claim: Claim
    subject: str
    environment: str
    """Empty for all together, where there are several."""
    within: str
    """The viewpoint, or for viewpoints the head, that it is made within."""
    difference: Interval
    triples: int
    """That it is taken over."""

    @property
    def state(self) -> State:
        return state_of(self.difference, self.triples)


def state_of(difference: Interval, triples: int) -> State:
    """It holds where the interval lies above 0, and is reversed where it lies below; else nobody can tell, nor with
    few triples."""
    if triples < ENOUGH:
        return "open"
    if difference.low > 0:
        return "holds"
    return "reversed" if difference.high < 0 else "open"


def verdicts(subjects: Sequence[Subject]) -> list[Verdict]:
    """All comparisons that there are cells for, at the layer of the tables."""
    return [one for one in _every(subjects) if not math.isnan(one.difference.mean)]


def _every(subjects: Sequence[Subject]) -> Iterator[Verdict]:
    places = environments_of(subjects)
    for subject in subjects:
        for environment in ("", *places) if len(places) > 1 else places:
            for view in VIEWPOINTS:
                linear, abmilp, efficient = (subject.some([head], [view], environment) for head in HEADS)
                yield Verdict("linear < abmilp", subject.name, environment, view, *difference(abmilp, linear))
                yield Verdict("abmilp < efficient", subject.name, environment, view, *difference(efficient, abmilp))
            for head in HEADS:
                ego, allo = (subject.some([head], [view], environment) for view in VIEWPOINTS)
                yield Verdict("allo < ego", subject.name, environment, HEAD_TITLES[head], *difference(ego, allo))


def difference(larger: Sequence[Cell], smaller: Sequence[Cell]) -> tuple[Interval, int]:
    """By how much the mean of some cells is larger than that of others, over triples and seeds that both have, and how
    many triples these are. Shares differ by 1 at the most, so ends go no further."""
    found = interval_of(paired(values_of(larger), values_of(smaller)))
    return Interval(found.mean, max(found.low, -1.0), min(found.high, 1.0)), found.triples
