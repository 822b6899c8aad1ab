"""Columns of the tables of probes, one for each head and viewpoint, and the titles of heads, viewpoints and
environments.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from tolman.benchmarks.sparrta.probes.cells import ProbeCell
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, heads_of, triples_of, views_of
from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.probing.protocol import HeadName

HEAD_TITLES: dict[HeadName, str] = {
    "linear": "Linear",
    "abmilp": "AbMILP",
    "efficient": "Efficient",
    "cls": "[CLS]",
}
VIEW_TITLES: dict[Viewpoint, str] = {"ego": "Ego, as the camera sees it", "allo": "Allo, as the person sees it"}
VIEW_SHORT: dict[Viewpoint, str] = {"ego": "ego", "allo": "allo"}
OTHER_PICTURES = "paper, other pictures"


def environment_title(environment: str) -> str:
    """An environment's name in words."""
    return environment.replace("_", " ")


def counted(number: int, one: str, many: str = "") -> str:
    """So many of something."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def enumeration(words: list[str]) -> str:
    """Some words as a sentence lists them."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


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

    def cells(self, subject: ProbedEncoder, environment: str = "") -> list[ProbeCell]:
        """Cells that a number is the mean of. Both viewpoints are of the same triples: those that have both."""
        parts = [subject.some([self.head], [view], environment) for view in self.views]
        triples = set[str].intersection(*({cell.key.triple for cell in part} for part in parts))
        return [cell for part in parts for cell in part if cell.key.triple in triples]


def probe_columns(subjects: Sequence[ProbedEncoder]) -> list[ProbeColumn]:
    """Probes by viewpoint; where there are both, also by their mean."""
    views = views_of(subjects)
    groups: list[tuple[Viewpoint, ...]] = [(view,) for view in views]
    groups += [tuple(views)] * (len(views) > 1)
    return [ProbeColumn(head, group) for group in groups for head in heads_of(subjects)]


def triples_done(subject: ProbedEncoder, subjects: Sequence[ProbedEncoder]) -> str:
    """Of how many triples an encoder's numbers are: the least to the most, of all. Empty where each is of all."""
    every = len(triples_of(subjects))
    counts = {len({cell.key.triple for cell in column.cells(subject)}) for column in probe_columns(subjects)} - {0}
    if not counts or min(counts) == every:
        return ""
    ends = dict.fromkeys((min(counts), max(counts)))
    return f"{'–'.join(map(str, ends))} of {every}"
