"""Evaluated models in figures and pages: a short name, a fixed colour and shape, and a folder for scene pages."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.runs import EvaluatedModel, RunScores
from tolman.core.seeds import digest
from tolman.report.site.figures import series_style, short_names

_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,80}")


@dataclass(frozen=True)
class ReportedModel:
    """An evaluated model in the report."""

    model: EvaluatedModel
    """Its name is unique and short enough for figures."""
    folder: str
    """Folder of its scene pages, below `episodes`."""

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def scenes(self) -> list[str]:
        """Scenes that it finished in any condition, in order."""
        return list(dict.fromkeys(case.id for scored in self.model.runs for case in scored.run.cases))


def reported_models(models: Sequence[EvaluatedModel]) -> list[ReportedModel]:
    """The models in order; equal names after shortening are numbered."""
    names = short_names(("", model.name) for model in models)
    return [ReportedModel(replace(model, name=name), _folder(model)) for model, name in zip(models, names, strict=True)]


def _folder(model: EvaluatedModel) -> str:
    """A folder name: ASCII letters of the model's name, and a digest of model and settings."""
    name = next(iter(model.runs)).run.model
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:32].strip("-")
    rotations = sorted(str(scored.run.options.turns) for scored in model.runs)
    settings = {key: str(value) for key, value in sorted(model.settings.items())}
    key = digest([name, settings, rotations])[:8]
    return f"osr-{plain or 'model'}-{key}"


def scene_files(reported: ReportedModel) -> dict[str, str]:
    """Names of the pages of a model's scenes."""
    return {
        scene: f"scene-{scene if _PLAIN.fullmatch(scene) else digest(scene)[:12]}.html" for scene in reported.scenes
    }


@dataclass(frozen=True)
class ModelSeries:
    """One model with or without reasoning: one series in a figure."""

    name: str
    colour: str
    shape: str
    runs: dict[str, RunScores]
    """By map condition."""


def model_series(reported: Sequence[ReportedModel], asked: AskedSet) -> list[ModelSeries]:
    """The series of a figure on one set of questions. Colours and shapes are the same for both sets."""
    names = list(_lines(reported))
    styles = {name: place for place, (name, _, _) in enumerate(names)}
    return [
        ModelSeries(name, *series_style(styles[name]), runs)
        for name, model, think in names
        if (runs := model.modes(asked, think=think))
    ]


def _lines(reported: Sequence[ReportedModel]) -> Iterator[tuple[str, EvaluatedModel, bool]]:
    for one in reported:
        for think in sorted({condition.think for condition in one.model.conditions}):
            yield f"{one.name}, think" if think else one.name, one.model, think
