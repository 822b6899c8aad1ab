"""Probed encoders as reports show them: the cells of one encoder and training protocol, with a name, a colour and a
shape; columns of the main tables, and the published results of the paper beside them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import cycle
from pathlib import PureWindowsPath
from statistics import fmean

from pydantic import BaseModel

from tolman.benchmarks.sparrta.probes.cells import ProbeCell, ProbeCellKey
from tolman.benchmarks.sparrta.probes.means import mean_of
from tolman.benchmarks.sparrta.sample import AMBIGUITY, ENVIRONMENTS, Environment, Viewpoint
from tolman.core.grouping import grouped
from tolman.harness.names import printable
from tolman.probing.protocol import HEADS, HeadName, find_protocol, heads_in_order
from tolman.report.baselines import read_paper
from tolman.report.site.figures import SERIES, SHAPES
from tolman.report.statistics import UNKNOWN, Interval

_LONGEST = 40


@dataclass(frozen=True)
class ProbedEncoder:
    """One encoder under one training protocol."""

    name: str
    cells: tuple[ProbeCell, ...]
    """Of all layers."""
    colour: str = SERIES[0]
    shape: str = SHAPES[0]

    @property
    def encoder(self) -> str:
        return self.cells[0].key.encoder

    @cached_property
    def layer(self) -> int:
        """The layer that tables show: the last that was probed."""
        return max(cell.key.layer for cell in self.cells)

    @property
    def layers(self) -> int:
        """Of the encoder."""
        return self.cells[0].key.layers

    @cached_property
    def table_cells(self) -> list[ProbeCell]:
        """Cells of the layer that tables show."""
        return [cell for cell in self.cells if cell.key.layer == self.layer]

    @cached_property
    def _by_layer(self) -> dict[int, list[ProbeCell]]:
        return grouped(self.cells, lambda cell: cell.key.layer)

    def select(
        self, heads: Sequence[HeadName], viewpoints: Sequence[Viewpoint], environment: str = "", layer: int = 0
    ) -> list[ProbeCell]:
        """Cells of one layer, by default that of the tables, in one environment or in all."""
        return [
            cell
            for cell in self._by_layer.get(layer or self.layer, ())
            if cell.key.head in heads and cell.key.viewpoint in viewpoints and environment in ("", cell.key.environment)
        ]


def share(cells: Sequence[ProbeCell]) -> Interval:
    """Test accuracy with its interval over triples; unknown without cells."""
    return mean_of(cells) if cells else UNKNOWN


def probed_encoders(cells: Sequence[ProbeCell]) -> list[ProbedEncoder]:
    """Cells grouped by encoder and training protocol, the best first; colours and shapes are assigned by rank."""
    by_protocol = grouped(cells, lambda cell: (shown_name(cell.key), cell.key.weights))
    names = [name for name, _ in by_protocol]
    found = [
        ProbedEncoder(name if names.count(name) == 1 else f"{name} [{weights[:6]}]", tuple(group))
        for (name, weights), group in by_protocol.items()
    ]
    ranked = sorted(found, key=lambda encoder: (-_rank(encoder), encoder.name))
    return [
        replace(encoder, colour=style[0], shape=style[1])
        for encoder, style in zip(ranked, series_styles(), strict=False)
    ]


def _rank(encoder: ProbedEncoder) -> float:
    return share([cell for cell in encoder.table_cells if cell.key.head in HEADS] or encoder.table_cells).mean


def series_styles() -> Iterator[tuple[str, str]]:
    """Colours and shapes for successive encoders, repeating."""
    return zip(cycle(SERIES), cycle(SHAPES), strict=False)


def shown_name(key: ProbeCellKey) -> str:
    """An encoder's name, with deviations from the paper's protocol."""
    name, notes = plain_encoder(key.encoder), list(_notes(key))
    return printable(f"{name} ({', '.join(notes)})" if notes else name)[:_LONGEST]


def plain_encoder(name: str) -> str:
    """An encoder's name; files are named without their folders."""
    prefix, _, rest = name.partition(":")
    return f"{prefix}:{PureWindowsPath(rest).name}" if prefix in {"torchscript", "onnx"} else name


def _notes(key: ProbeCellKey) -> Iterator[str]:
    usual = find_protocol(str(key.protocol["name"]), key.head, key.viewpoint)
    if usual.name != "paper":
        yield usual.name
    if key.protocol["epochs"] != usual.epochs:
        yield f"{key.protocol['epochs']} epochs"
    if key.protocol.get("select", usual.select) != usual.select:
        yield "best epoch"
    if key.ambiguity != AMBIGUITY:
        yield f"{key.ambiguity:g}°"


def heads_of(encoders: Sequence[ProbedEncoder]) -> list[HeadName]:
    """Heads that any of them has in the layer of the tables."""
    return heads_in_order(cell.key.head for one in encoders for cell in one.table_cells)


def views_of(encoders: Sequence[ProbedEncoder]) -> list[Viewpoint]:
    """Viewpoints that any of them has."""
    views: tuple[Viewpoint, ...] = ("ego", "allo")
    return [view for view in views if any(cell.key.viewpoint == view for one in encoders for cell in one.cells)]


def environments_of(encoders: Sequence[ProbedEncoder]) -> list[str]:
    """Environments that any of them has, in the paper's order."""
    found = dict.fromkeys(cell.key.environment for one in encoders for cell in one.cells)
    return sorted(found, key=lambda name: ENVIRONMENTS.index(name) if name in ENVIRONMENTS else len(ENVIRONMENTS))


def triples_of(encoders: Sequence[ProbedEncoder], environment: str = "") -> list[str]:
    """Triples that any of them has; without an environment, of all."""
    cells = (cell.key for one in encoders for cell in one.cells)
    return list(dict.fromkeys(key.triple for key in cells if environment in ("", key.environment)))


def layer_curve(encoder: ProbedEncoder, view: Viewpoint, head: HeadName) -> list[tuple[int, Interval]]:
    """Accuracy by probed layer."""
    layers = sorted({cell.key.layer for cell in encoder.cells})
    return [(layer, share(cells)) for layer in layers if (cells := encoder.select([head], [view], layer=layer))]


def has_several_layers(encoder: ProbedEncoder) -> bool:
    """Whether more than one layer was probed."""
    return len({cell.key.layer for cell in encoder.cells}) > 1


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
