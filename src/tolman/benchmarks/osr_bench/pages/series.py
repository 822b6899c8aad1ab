"""Evaluated models as pages show them: a short name, a colour and shape that stay the same, and a folder for scene
pages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.runs import EvaluatedModel, RunScores
from tolman.core.seeds import digest
from tolman.report.site.figures import SERIES, SHAPES

NAME_LENGTH = 60
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,80}")


@dataclass(frozen=True)
class ReportedModel:
    """A model in one setting, in the report."""

    subject: EvaluatedModel
    """Under a name that no other has, short enough for figures."""
    folder: str
    """Of its scenes, among the episodes."""

    @property
    def name(self) -> str:
        return self.subject.name

    @property
    def scenes(self) -> list[str]:
        """Scenes that it finished in any way of asking, in order."""
        return list(dict.fromkeys(case.id for known in self.subject.runs for case in known.run.cases))


def reported_models(subjects: Sequence[EvaluatedModel]) -> list[ReportedModel]:
    """The models in order; names that are alike once they are cut are counted through."""
    seen: Counter[str] = Counter()
    found: list[ReportedModel] = []
    for subject in subjects:
        name = subject.name
        short = name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1].rstrip() + "…"
        seen[short] += 1
        named = short if seen[short] == 1 else f"{short} ({seen[short]})"
        found.append(ReportedModel(replace(subject, name=named), _folder(subject)))
    return found


def _folder(subject: EvaluatedModel) -> str:
    """A folder's name, whatever the model is called: a few plain letters of it, and a digest."""
    model = next(iter(subject.runs)).run.model
    plain = re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")[:32].strip("-")
    ways = sorted(str(known.run.options.turns) for known in subject.runs)
    known = digest([model, {name: str(value) for name, value in sorted(subject.settings.items())}, ways])[:8]
    return f"osr-{plain or 'model'}-{known}"


def scene_files(shown: ReportedModel) -> dict[str, str]:
    """Names of the pages of a model's scenes."""
    return {scene: f"scene-{scene if _PLAIN.fullmatch(scene) else digest(scene)[:12]}.html" for scene in shown.scenes}


@dataclass(frozen=True)
class ModelSeries:
    """One model that thinks or does not: one line in a figure."""

    name: str
    colour: str
    shape: str
    runs: dict[str, RunScores]
    """By the map in hand."""


def model_series(shown: Sequence[ReportedModel], asked: AskedSet) -> list[ModelSeries]:
    """The lines of a figure on one set of questions. Looks stay the same for either set."""
    names = list(_lines(shown))
    looks = {name: place for place, (name, _, _) in enumerate(names)}
    return [
        ModelSeries(
            name,
            SERIES[looks[name] % len(SERIES)],
            SHAPES[(looks[name] + looks[name] // len(SERIES)) % len(SHAPES)],
            runs,
        )
        for name, subject, think in names
        if (runs := subject.modes(asked, think=think))
    ]


def _lines(shown: Sequence[ReportedModel]) -> Iterator[tuple[str, EvaluatedModel, bool]]:
    for one in shown:
        for think in sorted({way.think for way in one.subject.ways}):
            yield f"{one.name}, think" if think else one.name, one.subject, think
