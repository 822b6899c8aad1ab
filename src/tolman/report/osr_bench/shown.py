"""Models as the report shows them: a short name, a colour and a shape that stay the same, a folder for pages."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.report.osr_bench.osr_figures import OsrFigures
from tolman.report.osr_bench.subjects import Subject
from tolman.report.site.theme import SERIES, SHAPES
from tolman.seeds import digest

NAME_LENGTH = 60
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,80}")


@dataclass(frozen=True)
class Shown:
    """A model in one setting, in the report."""

    subject: Subject
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


def shown_subjects(subjects: Sequence[Subject]) -> list[Shown]:
    """The models in order; names that are alike once they are cut are counted through."""
    seen: Counter[str] = Counter()
    found: list[Shown] = []
    for subject in subjects:
        name = subject.name
        short = name if len(name) <= NAME_LENGTH else name[: NAME_LENGTH - 1].rstrip() + "…"
        seen[short] += 1
        named = short if seen[short] == 1 else f"{short} ({seen[short]})"
        found.append(Shown(replace(subject, name=named), _folder(subject)))
    return found


def _folder(subject: Subject) -> str:
    """A folder's name, whatever the model is called: a few plain letters of it, and a digest."""
    model = next(iter(subject.runs)).run.model
    plain = re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")[:32].strip("-")
    ways = sorted(str(known.run.options.turns) for known in subject.runs)
    known = digest([model, {name: str(value) for name, value in sorted(subject.settings.items())}, ways])[:8]
    return f"osr-{plain or 'model'}-{known}"


def scene_files(shown: Shown) -> dict[str, str]:
    """Names of the pages of a model's scenes."""
    return {scene: f"scene-{scene if _PLAIN.fullmatch(scene) else digest(scene)[:12]}.html" for scene in shown.scenes}


@dataclass(frozen=True)
class Series:
    """One model that thinks or does not: one line in a figure."""

    name: str
    colour: str
    shape: str
    runs: dict[str, OsrFigures]
    """By the map in hand."""


def series(shown: Sequence[Shown], asked: AskedSet) -> list[Series]:
    """The lines of a figure on one set of questions. Looks stay the same for either set."""
    names = list(_lines(shown))
    looks = {name: place for place, (name, _, _) in enumerate(names)}
    return [
        Series(
            name,
            SERIES[looks[name] % len(SERIES)],
            SHAPES[(looks[name] + looks[name] // len(SERIES)) % len(SHAPES)],
            runs,
        )
        for name, subject, think in names
        if (runs := subject.modes(asked, think=think))
    ]


def _lines(shown: Sequence[Shown]) -> Iterator[tuple[str, Subject, bool]]:
    for one in shown:
        for think in sorted({way.think for way in one.subject.ways}):
            yield f"{one.name}, think" if think else one.name, one.subject, think
