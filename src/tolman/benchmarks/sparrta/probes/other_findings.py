"""The paper's findings beside Linear < AbMILP < efficient and allo < ego: clutter, depth, [CLS], 3D supervision, kinds
of training. Each is tested where cells allow, and else said not to be measured here.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from tolman.benchmarks.sparrta.probes.benchmark_correlation import best_head
from tolman.benchmarks.sparrta.probes.cells import ProbeCell
from tolman.benchmarks.sparrta.probes.encoders import (
    ProbedEncoder,
    enumeration,
    environment_title,
    environments_of,
    head_title,
    views_of,
)
from tolman.benchmarks.sparrta.probes.findings import SIGNS, State, difference, state_of
from tolman.benchmarks.sparrta.probes.means import TOO_FEW_TRIPLES, unpaired_difference, values_of
from tolman.benchmarks.sparrta.sample import VIEWPOINTS, Viewpoint
from tolman.harness.names import counted
from tolman.probing.protocol import HEADS, HeadName
from tolman.report.statistics import UNKNOWN, Interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, points

CLUTTERED, HOMOGENEOUS = ("city", "winter_town"), ("desert", "forest")
"""Environments that the paper calls hard for their clutter, and easy for their uniform background."""
_PARENT, _SUPERVISED_3D = "dinov2-l14-reg", "vggt-l14"
_SELF_SUPERVISED = (
    *("dino-b16", "dinov2-b14", "dinov2-b14-reg", "dinov3-b16", "mae-b16", "maskfeat-b16", "spa-b16"),
    *("croco-b16", "crocov2-b16"),
)
_LABELS_OR_TEXT = ("deit3-b16", "clip-b16")


@dataclass(frozen=True)
class OtherFinding:
    """One comparison: the side that is higher in the paper minus the other, in shares."""

    claim: str
    compared: str
    """What is compared with what; where nothing is, what to probe."""
    difference: Interval = UNKNOWN
    triples: int = 0
    """That it is taken over; of two groups of triples, the smaller."""

    @property
    def state(self) -> State | None:
        """None where it was not measured."""
        return None if math.isnan(self.difference.mean) else state_of(self.difference, self.triples)


def other_findings(encoders: Sequence[ProbedEncoder]) -> list[OtherFinding]:
    """All comparisons that there are cells for; a finding without any has one entry that says what is missing."""
    return [one for part in (_clutter, _depth, _cls, _three_dimensional, _training) for one in part(encoders)]


def _measured(claim: str, found: Sequence[OtherFinding], missing: str) -> list[OtherFinding]:
    known = [one for one in found if one.state is not None]
    return known or [OtherFinding(claim, missing)]


def _clutter(encoders: Sequence[ProbedEncoder]) -> list[OtherFinding]:
    claim = "cluttered environments are harder"
    easy, hard = ([name for name in names if name in environments_of(encoders)] for names in (HOMOGENEOUS, CLUTTERED))
    found: list[OtherFinding] = []
    for one in encoders if easy and hard else ():
        groups = _comparable([[cell for where in names for cell in _all_heads(one, where)] for names in (easy, hard)])
        shown = " minus ".join(enumeration([environment_title(name) for name in names]) for names in (easy, hard))
        found.append(OtherFinding(claim, f"{one.name}: {shown}", *unpaired_difference(*map(values_of, groups))))
    return _measured(claim, found, "probe desert or forest, and city or winter town")


def _all_heads(encoder: ProbedEncoder, environment: str) -> list[ProbeCell]:
    """Cells of all heads of the paper's tables and both viewpoints."""
    return encoder.select(HEADS, VIEWPOINTS, environment)


def _comparable(groups: Sequence[Sequence[ProbeCell]]) -> list[list[ProbeCell]]:
    """The cells of heads and viewpoints that every triple has, so that a missing head makes no triple look harder."""
    by_triple: dict[str, set[tuple[str, str]]] = {}
    for cell in (cell for group in groups for cell in group):
        by_triple.setdefault(cell.key.triple, set()).add((cell.key.head, cell.key.viewpoint))
    shared = set[tuple[str, str]].intersection(*by_triple.values()) if by_triple else set[tuple[str, str]]()
    return [[cell for cell in group if (cell.key.head, cell.key.viewpoint) in shared] for group in groups]


def _depth(encoders: Sequence[ProbedEncoder]) -> list[OtherFinding]:
    claim = "relations peak before the last layer"
    found = [finding for one in encoders for view in views_of([one]) for finding in _peak(claim, one, view)]
    return _measured(claim, found, "probe several layers, --layers all")


def _peak(claim: str, encoder: ProbedEncoder, view: Viewpoint) -> Iterator[OtherFinding]:
    """The layer before the last that is best in validation, against the last, in the test."""
    head = best_head([encoder])
    layers = sorted({cell.key.layer for cell in encoder.cells})
    by_layer = {layer: cells for layer in layers if (cells := encoder.select([head], [view], layer=layer))}
    last, before = by_layer.get(encoder.layers), {at: cells for at, cells in by_layer.items() if at < encoder.layers}
    if last is None or not before:
        return
    peak = max(before, key=lambda layer: _validation(before[layer]))
    compared = f"{encoder.name}, {view}, {head_title(head)}: layer {peak} minus layer {encoder.layers}, the last"
    yield OtherFinding(claim, compared, *difference(before[peak], last))


def _validation(cells: Sequence[ProbeCell]) -> float:
    return fmean(result.validation for cell in cells for result in cell.results)


def _cls(encoders: Sequence[ProbedEncoder]) -> list[OtherFinding]:
    claim = "patches tell more than [CLS]"
    found = [
        OtherFinding(
            claim,
            f"{one.name}, {view}: Efficient minus [CLS]",
            *difference(one.select(["efficient"], [view]), one.select(["cls"], [view])),
        )
        for one in encoders
        for view in views_of([one])
    ]
    return _measured(claim, found, "probe with --probe efficient,cls")


def _three_dimensional(encoders: Sequence[ProbedEncoder]) -> list[OtherFinding]:
    heads: tuple[tuple[HeadName, bool], ...] = (
        ("linear", False),
        ("abmilp", True),
        ("efficient", True),
        ("cls", False),
    )
    dense, pooled = "3D supervision helps patches: VGGT > DINOv2", "3D supervision does not help pooled tokens"
    parents, tuned = ([one for one in encoders if one.encoder == name] for name in (_PARENT, _SUPERVISED_3D))
    found: list[OtherFinding] = []
    for head, helps in heads:
        for parent, other in ((parent, other) for parent in parents for other in tuned):
            for view in views_of([parent, other]):
                high, low = (other, parent) if helps else (parent, other)
                compared = f"{high.name} minus {low.name}, {head_title(head)}, {view}"
                cells = (one.select([head], [view]) for one in (high, low))
                found.append(OtherFinding(dense if helps else pooled, compared, *difference(*cells)))
    missing = f"probe {_PARENT} and {_SUPERVISED_3D}"
    return [
        *_measured(dense, [one for one in found if one.claim == dense], missing),
        *_measured(pooled, [one for one in found if one.claim == pooled], missing),
    ]


def _training(encoders: Sequence[ProbedEncoder]) -> list[OtherFinding]:
    claim = "self-supervised > labels or text"
    one, other = ([each for each in encoders if each.encoder in names] for names in (_SELF_SUPERVISED, _LABELS_OR_TEXT))
    found = [
        OtherFinding(
            claim,
            f"{better.name} minus {worse.name}, {view}, Efficient",
            *difference(better.select(["efficient"], [view]), worse.select(["efficient"], [view])),
        )
        for better in one
        for worse in other
        for view in views_of([better, worse])
    ]
    return _measured(claim, found, f"probe {_LABELS_OR_TEXT[0]} or {_LABELS_OR_TEXT[1]}, and a self-supervised one")


_COMPARED = Column("compared", "compared", words=True, definition="The side that is higher in the paper comes first.")
_DIFFERENCE = Column("difference", "difference", definition="Percentage points, with its 95 % interval.")
_NOTE = (
    "Percentage points with 95 % intervals, paired by triple and seed; between environments, which share no triples, "
    "Welch's over triples. The layer before the last is chosen by validation and compared in the test. ✓ holds: the "
    f"interval is above 0. ✗ reversed: below 0. ○ open: it includes 0, is missing, or {TOO_FEW_TRIPLES}."
)


def other_findings_tables(found: Sequence[OtherFinding]) -> Iterator[Table]:
    """A table with a row for each comparison, by finding; none where nothing was measured."""
    measured = [one for one in found if one.state is not None]
    if measured:
        yield _table(measured)


def _table(found: Sequence[OtherFinding]) -> Table:
    entries = tuple(
        RowGroup(
            claim, tuple(Row((_signed(one), Cell(one.compared))) for one in found if one.claim == claim), apart=True
        )
        for claim in dict.fromkeys(one.claim for one in found)
    )
    return Table(
        "verdicts-other", "Other findings of the paper", "finding", (_DIFFERENCE, _COMPARED), entries, (_NOTE,)
    )


def _signed(one: OtherFinding) -> Cell:
    if one.state is None:
        return Cell()
    shown = points(one.difference)
    return replace(shown, text=f"{shown.text} {SIGNS[one.state]}")


def other_sentences(found: Sequence[OtherFinding]) -> list[str]:
    """A sentence on each finding that was measured, and one on all others."""
    said: list[str] = []
    missing = [f"{one.claim} ({one.compared})" for one in found if one.state is None]
    for claim in dict.fromkeys(one.claim for one in found):
        states = [one.state for one in found if one.claim == claim]
        title = f"{claim[0].upper()}{claim[1:]}"
        if states == [None]:
            continue
        text = f"{title}: it holds in {states.count('holds')} of {counted(len(states), 'comparison')}"
        against, unsettled = states.count("reversed"), states.count("open")
        text += f", is reversed in {against}" if against else ""
        said.append(f"{text}, and is open in {unsettled}." if unsettled else f"{text}.")
    return [*said, f"Not measured here: {enumeration(missing)}."] if missing else said
