"""Columns of the main tables of probes, and the published results of the paper beside them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from statistics import fmean

from pydantic import BaseModel

from tolman.benchmarks.sparrta.probes.cells import ProbeCell
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, heads_of, triples_of, views_of
from tolman.benchmarks.sparrta.sample import Environment, Viewpoint
from tolman.probing.protocol import HeadName
from tolman.report.baselines import read_paper

HEAD_TITLES: dict[HeadName, str] = {
    "linear": "Linear",
    "abmilp": "AbMILP",
    "efficient": "Efficient",
    "cls": "[CLS]",
}
"""Of the published heads."""
VIEW_TITLES: dict[Viewpoint, str] = {"ego": "Ego, from the camera", "allo": "Allo, from the person"}
VIEW_SHORT: dict[Viewpoint, str] = {"ego": "ego", "allo": "allo"}
OTHER_PICTURES = "paper, other pictures"


def head_title(head: HeadName) -> str:
    """A head's title; one that the paper lacks has its name."""
    return HEAD_TITLES.get(head, head)


def environment_title(environment: str) -> str:
    """An environment's name in words."""
    return environment.replace("_", " ")


def enumeration(words: list[str]) -> str:
    """Words joined with commas and `and`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


BOTH = "Both, mean"


@dataclass(frozen=True)
class ProbeColumn:
    """One head and viewpoint, or the mean of both viewpoints."""

    head: HeadName
    views: tuple[Viewpoint, ...]

    @property
    def group(self) -> str:
        return VIEW_TITLES[self.views[0]] if len(self.views) == 1 else BOTH

    @property
    def title(self) -> str:
        return head_title(self.head)

    def cells(self, encoder: ProbedEncoder, environment: str = "") -> list[ProbeCell]:
        """The cells of a mean. A mean of both viewpoints is over the triples that have both."""
        parts = [encoder.select([self.head], [view], environment) for view in self.views]
        triples = set[str].intersection(*({cell.key.triple for cell in part} for part in parts))
        return [cell for part in parts for cell in part if cell.key.triple in triples]


def probe_columns(encoders: Sequence[ProbedEncoder]) -> list[ProbeColumn]:
    """Heads by viewpoint and, if there are both, by their mean."""
    views = views_of(encoders)
    groups: list[tuple[Viewpoint, ...]] = [(view,) for view in views]
    groups += [tuple(views)] * (len(views) > 1)
    return [ProbeColumn(head, group) for group in groups for head in heads_of(encoders)]


def triples_done(encoder: ProbedEncoder, encoders: Sequence[ProbedEncoder]) -> str:
    """Number of triples of an encoder's columns, such as `2 of 15`; empty if all columns have all triples."""
    every = len(triples_of(encoders))
    counts = {len({cell.key.triple for cell in column.cells(encoder)}) for column in probe_columns(encoders)} - {0}
    if not counts or min(counts) == every:
        return ""
    ends = dict.fromkeys((min(counts), max(counts)))
    return f"{'–'.join(map(str, ends))} of {every}"


class _Source(BaseModel, extra="forbid", frozen=True):
    title: str
    environments: tuple[Environment, ...]
    heads: tuple[HeadName, ...]


class _Layers(BaseModel, extra="forbid", frozen=True):
    count: int
    numbers: tuple[int, ...]
    ego: dict[str, tuple[float, ...]]
    allo: dict[str, tuple[float, ...]]


class PublishedResults(BaseModel, extra="forbid", frozen=True):
    """Test accuracy in percent."""

    source: _Source
    ego: dict[str, tuple[tuple[float, ...], ...]]
    allo: dict[str, tuple[float, ...]]
    cls: dict[str, dict[HeadName, tuple[float, ...]]]
    layers: _Layers
    elsewhere: dict[str, dict[Viewpoint, float]]

    @property
    def models(self) -> tuple[str, ...]:
        """Encoders by accuracy of efficient probing, the best first."""
        return tuple(sorted(self.ego, key=lambda model: -(self.both(model, "efficient"))))

    def ego_in(self, model: str, environment: Environment, head: HeadName) -> float:
        """From the camera, in one environment."""
        return self.ego[model][self.source.environments.index(environment)][self._column(head)]

    def mean(self, model: str, viewpoint: Viewpoint, head: HeadName) -> float:
        """Over the five environments."""
        if viewpoint == "allo":
            return self.allo[model][self._column(head)]
        return fmean(self.ego_in(model, environment, head) for environment in self.source.environments)

    def beside(self, model: str, viewpoint: Viewpoint, environments: Sequence[str], head: HeadName) -> float:
        """Mean over the given environments if known, else over all five."""
        named: list[Environment] = [name for name in self.source.environments if name in environments]
        if viewpoint == "allo" or not named:
            return self.mean(model, viewpoint, head)
        return fmean(self.ego_in(model, name, head) for name in named)

    def both(self, model: str, head: HeadName) -> float:
        """Over environments and both viewpoints, as in figure 7."""
        return (self.mean(model, "ego", head) + self.mean(model, "allo", head)) / 2

    def cls_in(self, model: str, environment: Environment, head: HeadName) -> float:
        """A linear probe on [CLS] or efficient probing, over both viewpoints."""
        return self.cls[model][head][self.source.environments.index(environment)]

    def curve(self, model: str, viewpoint: Viewpoint) -> list[tuple[int, float]]:
        """Efficient probing by layer."""
        return list(zip(self.layers.numbers, getattr(self.layers, viewpoint)[model], strict=True))

    def _column(self, head: HeadName) -> int:
        return self.source.heads.index(head)


@cache
def published_results() -> PublishedResults:
    """Read all published numbers."""
    return read_paper("tolman.benchmarks.sparrta.probes", PublishedResults)
