"""Probed encoders as reports show them: the cells of one encoder and training protocol, with a name, a colour and a
shape.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import cycle
from pathlib import PureWindowsPath

from tolman.benchmarks.sparrta.probes.cells import ProbeCell, ProbeCellKey
from tolman.benchmarks.sparrta.probes.means import mean_of
from tolman.benchmarks.sparrta.relations import AMBIGUITY, Viewpoint
from tolman.benchmarks.sparrta.sample import ENVIRONMENTS
from tolman.harness.names import printable
from tolman.probing.protocol import EVERY_HEAD, HEADS, HeadName, find_protocol
from tolman.report.site.figures import SERIES, SHAPES
from tolman.report.statistics import UNKNOWN, Interval

_LONGEST = 40


@dataclass(frozen=True)
class ProbedEncoder:
    """One encoder, trained on in one way."""

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
        """The one that tables show: the last that was probed."""
        return max(cell.key.layer for cell in self.cells)

    @property
    def layers(self) -> int:
        """Of the encoder."""
        return self.cells[0].key.layers

    @cached_property
    def last(self) -> list[ProbeCell]:
        """Cells of the layer that tables show."""
        return [cell for cell in self.cells if cell.key.layer == self.layer]

    @cached_property
    def _by_layer(self) -> dict[int, list[ProbeCell]]:
        found: dict[int, list[ProbeCell]] = {}
        for cell in self.cells:
            found.setdefault(cell.key.layer, []).append(cell)
        return found

    def some(
        self, heads: Sequence[HeadName], viewpoints: Sequence[Viewpoint], environment: str = "", layer: int = 0
    ) -> list[ProbeCell]:
        """Cells of one layer, by default that of the tables; without an environment, of all."""
        return [
            cell
            for cell in self._by_layer.get(layer or self.layer, ())
            if cell.key.head in heads and cell.key.viewpoint in viewpoints and environment in ("", cell.key.environment)
        ]


def share(cells: Sequence[ProbeCell]) -> Interval:
    """The share that was right, with its interval over triples; unknown without cells."""
    if not cells:
        return UNKNOWN
    found = mean_of(cells)
    return Interval(found.mean, found.low, found.high)


def probed_encoders(cells: Sequence[ProbeCell]) -> list[ProbedEncoder]:
    """Cells by encoder and way of training, the best first; looks go by rank."""
    grouped: dict[tuple[str, str], list[ProbeCell]] = {}
    for cell in cells:
        grouped.setdefault((shown_name(cell.key), cell.key.weights), []).append(cell)
    names = [name for name, _ in grouped]
    found = [
        ProbedEncoder(name if names.count(name) == 1 else f"{name} [{weights[:6]}]", tuple(group))
        for (name, weights), group in grouped.items()
    ]
    ranked = sorted(found, key=lambda subject: (-_rank(subject), subject.name))
    return [
        replace(subject, colour=look[0], shape=look[1]) for subject, look in zip(ranked, series_styles(), strict=False)
    ]


def _rank(subject: ProbedEncoder) -> float:
    return share([cell for cell in subject.last if cell.key.head in HEADS] or subject.last).mean


def series_styles() -> Iterator[tuple[str, str]]:
    """Colours and shapes of one encoder after the other, without an end."""
    return zip(cycle(SERIES), cycle(SHAPES), strict=False)


def shown_name(key: ProbeCellKey) -> str:
    """An encoder's name, with what sets its training apart from the paper's."""
    name, notes = plain_encoder(key.encoder), list(_notes(key))
    return printable(f"{name} ({', '.join(notes)})" if notes else name)[:_LONGEST]


def plain_encoder(name: str) -> str:
    """An encoder's name; a file is named without its folders."""
    way, _, rest = name.partition(":")
    return f"{way}:{PureWindowsPath(rest).name}" if way in {"torchscript", "onnx"} else name


def _notes(key: ProbeCellKey) -> Iterator[str]:
    usual = find_protocol(str(key.protocol["name"]), "linear" if key.head == "cls" else key.head, key.viewpoint)
    if usual.name != "paper":
        yield usual.name
    if key.protocol["epochs"] != usual.epochs:
        yield f"{key.protocol['epochs']} epochs"
    if key.ambiguity != AMBIGUITY:
        yield f"{key.ambiguity:g}°"


def heads_of(subjects: Sequence[ProbedEncoder]) -> list[HeadName]:
    """Heads that any of them has in the layer of the tables."""
    return [head for head in EVERY_HEAD if any(cell.key.head == head for one in subjects for cell in one.last)]


def views_of(subjects: Sequence[ProbedEncoder]) -> list[Viewpoint]:
    """Viewpoints that any of them has."""
    views: tuple[Viewpoint, ...] = ("ego", "allo")
    return [view for view in views if any(cell.key.viewpoint == view for one in subjects for cell in one.cells)]


def environments_of(subjects: Sequence[ProbedEncoder]) -> list[str]:
    """Environments that any of them has, in the paper's order."""
    found = dict.fromkeys(cell.key.environment for one in subjects for cell in one.cells)
    return sorted(found, key=lambda name: ENVIRONMENTS.index(name) if name in ENVIRONMENTS else len(ENVIRONMENTS))


def triples_of(subjects: Sequence[ProbedEncoder], environment: str = "") -> list[str]:
    """Triples that any of them has; without an environment, of all."""
    cells = (cell.key for one in subjects for cell in one.cells)
    return list(dict.fromkeys(key.triple for key in cells if environment in ("", key.environment)))


def layer_curve(subject: ProbedEncoder, view: Viewpoint, head: HeadName) -> list[tuple[int, Interval]]:
    """Layers that were probed, with what was right there."""
    layers = sorted({cell.key.layer for cell in subject.cells})
    return [(layer, share(cells)) for layer in layers if (cells := subject.some([head], [view], layer=layer))]


def has_several_layers(subject: ProbedEncoder) -> bool:
    """Whether more than one layer was probed."""
    return len({cell.key.layer for cell in subject.cells}) > 1
