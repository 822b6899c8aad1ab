"""Whether encoders that do well here do well elsewhere: scores that the user gave, beside ours."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.errors import SettingsError
from tolman.probing.correlation import Correlation, correlation
from tolman.probing.head_names import HeadName
from tolman.report.sparrta.subjects import Subject, heads_of, share, views_of


@dataclass(frozen=True)
class Compared:
    """Scores of one benchmark beside ours from one viewpoint."""

    benchmark: str
    view: Viewpoint
    points: tuple[tuple[Subject, float, float], ...]
    """Encoders with their score there, and here in percent."""
    found: Correlation | None
    """None for too few, or where one side never varies."""


def best_head(subjects: Sequence[Subject]) -> HeadName:
    """Efficient probing as in the paper; where it was not done, what comes nearest to it."""
    order: tuple[HeadName, ...] = ("cls", "linear", "abmilp", "efficient")
    return max(heads_of(subjects), key=order.index)


def compared(subjects: Sequence[Subject], scores: Mapping[str, Mapping[str, float]]) -> list[Compared]:
    """Every benchmark against every viewpoint."""
    head = best_head(subjects)
    return [
        _compare(benchmark, view, subjects, given, head)
        for benchmark, given in scores.items()
        for view in views_of(subjects)
    ]


def _compare(
    benchmark: str, view: Viewpoint, subjects: Sequence[Subject], given: Mapping[str, float], head: HeadName
) -> Compared:
    points = tuple(
        (one, score, 100 * share(cells).mean)
        for one in subjects
        if (score := given.get(one.name, given.get(one.encoder))) is not None and (cells := one.some([head], [view]))
    )
    try:
        found = correlation({one.name: here for one, _, here in points}, {one.name: there for one, there, _ in points})
    except SettingsError:
        found = None
    return Compared(benchmark, view, points, found)
