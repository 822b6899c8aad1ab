"""Columns of the main tables: a probe from one viewpoint or from both, and the triples that its numbers are of."""

from collections.abc import Sequence
from dataclasses import dataclass

from tolman.benchmarks.sparrta.probe_cells import Cell
from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.probing.head_names import HeadName
from tolman.report.sparrta.subjects import Subject, heads_of, triples_of, views_of
from tolman.report.sparrta.words import HEAD_TITLES, VIEW_TITLES

BOTH = "Both, mean"


@dataclass(frozen=True)
class ProbeColumn:
    """One probe from one viewpoint, or from both together."""

    head: HeadName
    views: tuple[Viewpoint, ...]

    @property
    def group(self) -> str:
        return VIEW_TITLES[self.views[0]] if len(self.views) == 1 else BOTH

    @property
    def title(self) -> str:
        return HEAD_TITLES[self.head]

    def cells(self, subject: Subject, environment: str = "") -> list[Cell]:
        """Cells that a number is the mean of. Both viewpoints are of the same triples: those that have both."""
        parts = [subject.some([self.head], [view], environment) for view in self.views]
        triples = set[str].intersection(*({cell.key.triple for cell in part} for part in parts))
        return [cell for part in parts for cell in part if cell.key.triple in triples]


def columns(subjects: Sequence[Subject]) -> list[ProbeColumn]:
    """Probes by viewpoint; where there are both, also by their mean."""
    views = views_of(subjects)
    groups: list[tuple[Viewpoint, ...]] = [(view,) for view in views]
    groups += [tuple(views)] * (len(views) > 1)
    return [ProbeColumn(head, group) for group in groups for head in heads_of(subjects)]


def triples_done(subject: Subject, subjects: Sequence[Subject]) -> str:
    """Of how many triples an encoder's numbers are: the least to the most, of all. Empty where each is of all."""
    every = len(triples_of(subjects))
    counts = {len({cell.key.triple for cell in column.cells(subject)}) for column in columns(subjects)} - {0}
    if not counts or min(counts) == every:
        return ""
    ends = dict.fromkeys((min(counts), max(counts)))
    return f"{'–'.join(map(str, ends))} of {every}"
