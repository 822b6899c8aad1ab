"""Accuracy from layer to layer."""

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.probing.head_names import HeadName
from tolman.report.intervals import Interval
from tolman.report.sparrta.subjects import Subject, share


def curve(subject: Subject, view: Viewpoint, head: HeadName) -> list[tuple[int, Interval]]:
    """Layers that were probed, with what was right there."""
    layers = sorted({cell.key.layer for cell in subject.cells})
    return [(layer, share(cells)) for layer in layers if (cells := subject.some([head], [view], layer=layer))]


def has_curves(subject: Subject) -> bool:
    """Whether more than one layer was probed."""
    return len({cell.key.layer for cell in subject.cells}) > 1
