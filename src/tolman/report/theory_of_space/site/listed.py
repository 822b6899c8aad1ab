"""Runs as the report shows them: a short name, a colour and a shape that stay the same in every figure, a folder."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from tolman.benchmarks.theory_of_space.insight import SceneInsight
from tolman.report.intervals import Interval
from tolman.report.site.theme import SERIES, SHAPES
from tolman.report.theory_of_space.figures import Figures, Measured
from tolman.report.theory_of_space.layout import Shown, named
from tolman.report.theory_of_space.logs import Run
from tolman.seeds import digest

NAME_LENGTH = 60
_PLAIN = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True)
class Listed:
    """A run in the report."""

    shown: Shown
    name: str
    """Of the model; no two runs of one world and mode share it."""
    label: str
    """The name, with world and mode where the report has several: no two runs share it."""
    colour: str
    shape: str
    folder: str
    """Of its episodes, in the site."""
    insights: tuple[SceneInsight, ...]
    """What an ideal observer makes of each finished scene, in the order of `run.cases`."""

    @property
    def run(self) -> Run:
        return self.shown.figures.run

    @property
    def where(self) -> str:
        """World and mode, such as `text, active`."""
        return self.shown.where

    @property
    def strict(self) -> Measured:
        return self.shown.figures.measured["strict"]

    def interval(self, column: str) -> Interval:
        """A column of scores under the strict rules."""
        return self.strict.interval(column)


def list_runs(runs: Sequence[Figures], insights: Mapping[int, Sequence[SceneInsight]]) -> list[Listed]:
    """The runs in the order in which they are shown; `insights` by the place of the run in `runs`, from 0."""
    shown = named(runs)
    places = {id(known): place for place, known in enumerate(runs)}
    several = len({one.part for one in shown}) > 1
    names = _distinct(shown)
    looks = {name: place for place, name in enumerate(dict.fromkeys(names))}
    return [
        Listed(
            shown=replace(one, name=name),
            name=name,
            label=f"{name} ({one.figures.run.world}, {one.figures.run.mode})" if several else name,
            colour=SERIES[looks[name] % len(SERIES)],
            shape=SHAPES[(looks[name] + looks[name] // len(SERIES)) % len(SHAPES)],
            folder=run_folder(one.figures.run),
            insights=tuple(insights[places[id(one.figures)]]),
        )
        for one, name in zip(shown, names, strict=True)
    ]


def _distinct(shown: Sequence[Shown]) -> list[str]:
    """Names cut to a length that figures can bear; those of one part that are then alike are counted through."""
    seen: Counter[tuple[str, str]] = Counter()
    names: list[str] = []
    for one in shown:
        short = one.name if len(one.name) <= NAME_LENGTH else one.name[: NAME_LENGTH - 1].rstrip() + "…"
        seen[one.part, short] += 1
        count = seen[one.part, short]
        names.append(short if count == 1 else f"{short} ({count})")
    return names


def run_folder(run: Run) -> str:
    """A folder's name, whatever the model is called: a few plain letters of it, the mode, and a digest."""
    plain = re.sub(r"[^a-z0-9]+", "-", run.name.lower()).strip("-")[:32].strip("-")
    known = digest([run.model, {name: str(value) for name, value in sorted(run.settings.items())}])[:8]
    return f"{plain or 'run'}-{run.mode}-{known}"


def scene_files(run: Run) -> list[str]:
    """Names of the pages of a run's finished scenes, in order. A scene that was lived through again has a number."""
    seen: Counter[str] = Counter()
    files: list[str] = []
    for case in run.cases:
        plain = case.id if _PLAIN.fullmatch(case.id) else digest(case.id)[:12]
        seen[plain.lower()] += 1
        again = seen[plain.lower()]
        files.append(f"scene-{plain}.html" if again == 1 else f"scene-{plain}.{again}.html")
    return files
