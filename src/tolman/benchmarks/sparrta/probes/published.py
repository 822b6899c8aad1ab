"""The numbers that the authors report on their own pictures, as printed (`published_rows.toml`)."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from statistics import fmean

from pydantic import BaseModel, ConfigDict

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.benchmarks.sparrta.sample import Environment
from tolman.probing.protocol import HeadName


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Source(_Closed):
    title: str
    environments: tuple[Environment, ...]
    heads: tuple[HeadName, ...]


class _Layers(_Closed):
    count: int
    numbers: tuple[int, ...]
    ego: dict[str, tuple[float, ...]]
    allo: dict[str, tuple[float, ...]]


class PublishedResults(_Closed):
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
    text = files("tolman.benchmarks.sparrta.probes").joinpath("published_rows.toml").read_text(encoding="utf-8")
    return PublishedResults.model_validate(tomllib.loads(text))
