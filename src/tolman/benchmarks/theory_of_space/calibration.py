"""How well an ideal observer is calibrated: the score that it expects for its replies against the score that they get,
and how often what it gives a probability is true.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, cast

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tolman.ask import PAPER_KINDS, Question, sample_questions
from tolman.ask.kinds.registry import grade
from tolman.belief.cognitive_map import CognitiveMap, Placement
from tolman.belief.map_scores import MapScale, score_map
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun
from tolman.core.errors import SettingsError
from tolman.core.geometry import Cell as GridCell
from tolman.core.rules import STRICT
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode
from tolman.harness.names import counted
from tolman.ideal.best_map import ScoredNames
from tolman.ideal.knowledge import evidence_in, knowledge_from
from tolman.ideal.observer import GenerativeObserver, Observer, ObserverName, RelationsObserver, observer_of
from tolman.ideal.question_content import question_content
from tolman.ideal.scene_prior import prior_of
from tolman.report.statistics import Interval, mean_interval, pooled_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, one_row, percent, points
from tolman.world import Scene
from tolman.world.select import SceneChoice

EXPLORERS = ("random", "scout", "strategist", "planner", "half-strategist")
EDGES = (0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.99, 1.0)
"""Of the bins of probabilities."""
LAST_MAP = "last map"


@dataclass(frozen=True)
class CheckedReply:
    """One reply of the ideal observer: the score that it expects, with its standard error, and the one that it gets."""

    kind: str
    """Kind of question, or `LAST_MAP`."""
    expected: float
    error: float
    obtained: float


@dataclass(frozen=True)
class CheckedScene:
    """The ideal observer's replies after one exploration, and the probabilities that it gave to positions."""

    scene: str
    replies: tuple[CheckedReply, ...]
    sums: tuple[float, ...]
    """By bin, the sum of all probabilities of positions."""
    true: tuple[int, ...]
    """By bin, how many of these were the true position."""
    counts: tuple[int, ...]
    observer: ObserverName
    """The one used, `relations` where `generative` is not applicable."""

    @property
    def excess(self) -> float:
        """Expected minus obtained score, over all questions."""
        return fmean(reply.expected - reply.obtained for reply in self.replies if reply.kind != LAST_MAP)


@dataclass(frozen=True)
class CalibrationJob:
    """One exploration to check, by a scripted explorer in a scene, or as recorded."""

    observer: ObserverName
    choice: SceneChoice | None = None
    explorer: str = ""
    episode: Episode | None = None
    questions: tuple[Question, ...] = ()


def check_job(job: CalibrationJob) -> CheckedScene:
    """Carry out one check."""
    if job.episode is not None:
        return check_episode(job.episode, job.questions, job.observer)
    if job.choice is None:
        raise SettingsError("a calibration needs a scene or a recorded episode")
    scene = job.choice.load()
    return check_episode(
        run_explorer(job.explorer, scene, job.choice.seed), sample_questions(scene, job.choice.seed), job.observer
    )


def recorded_jobs(runs: Iterable[TheoryOfSpaceRun], observer: ObserverName) -> Iterator[tuple[str, CalibrationJob]]:
    """A check for each recorded exploration, by name of the run."""
    for run in runs:
        for scored in run.cases:
            logged = scored.logged
            episode = rebuild(logged.case, logged.options, logged.record.replies, logged.record.log)
            episode = replace(episode, scene=episode.before or episode.scene, before=None)
            yield run.name, CalibrationJob(observer, episode=episode, questions=logged.case.questions)


def check_episode(episode: Episode, questions: Sequence[Question], observer: ObserverName) -> CheckedScene:
    """Answer questions and state a map after an exploration, as an ideal observer, and score both."""
    scene = episode.scene
    turns = [turn for turn in episode.turns if turn.phase == "explore"]
    knowledge = knowledge_from(episode.brief, evidence_in(turns), scene.extent)
    ideal = observer_of(observer, knowledge, turns, prior_of(scene))
    replies = [_checked(question, ideal) for question in questions]
    replies.append(_checked_map(episode, ideal))
    sums, true, counts = _positions(scene, ideal)
    found = tuple(reply for reply in replies if reply is not None)
    return CheckedScene(scene.label, found, sums, true, counts, ideal.name)


def _checked(question: Question, ideal: Observer) -> CheckedReply | None:
    best = ideal.best_answer(question_content(question))
    if best is None:
        return None
    return CheckedReply(question.kind, best.expected, best.error, grade(question, best.reply, STRICT).score)


def _checked_map(episode: Episode, ideal: Observer) -> CheckedReply | None:
    scene, scale = episode.scene, MapScale.of(episode.scene)
    names = tuple(thing.name for thing in scene.things)
    best = ideal.best_map(episode.standing_on, episode.seen, ScoredNames(names, scale))
    fronts = {thing.name: thing.front for thing in scene.things}
    truth = CognitiveMap({name: Placement(_point(scene.from_start(name)), fronts[name]) for name in names})
    said = CognitiveMap({name: Placement(_point(cell), fronts[name]) for name, cell in best.cells.items()})
    score = score_map(said, truth, scale, STRICT)
    if score is None or score.overall is None:
        return None
    return CheckedReply(LAST_MAP, best.expected, best.error, score.overall)


def _point(cell: GridCell) -> tuple[float, float]:
    return float(cell[0]), float(cell[1])


Bins = tuple[tuple[float, ...], tuple[int, ...], tuple[int, ...]]


def _positions(scene: Scene, ideal: Observer) -> Bins:
    """Every probability of a position of a thing or door, by bin: their sum, how many are true, how many there are."""
    sums, true, counts = np.zeros(len(EDGES) - 1), np.zeros(len(EDGES) - 1, int), np.zeros(len(EDGES) - 1, int)
    for name in scene.names:
        for cell, chance in _marginal(ideal, name).items():
            place = min(int(np.searchsorted(EDGES, chance, side="right")) - 1, len(sums) - 1)
            sums[place] += chance
            true[place] += cell == scene.from_start(name)
            counts[place] += 1
    return tuple(sums.tolist()), tuple(true.tolist()), tuple(counts.tolist())


def _marginal(ideal: Observer, name: str) -> dict[GridCell, float]:
    if isinstance(ideal, GenerativeObserver):
        return ideal.scenes.marginal(name)
    if isinstance(ideal, RelationsObserver) and ideal.knowledge.belief.is_constrained(name):
        return ideal.posterior.marginal(name)
    return {}


# ---- tables ----

Checked = dict[str, list[CheckedScene]]
"""By explorer, or by name of a run."""


def calibration_tables(checked: Checked) -> list[Table]:
    """Expected minus obtained score by kind of question, and reliability of probabilities."""
    used = {scene.observer for scenes in checked.values() for scene in scenes}
    return [_excess_table(checked, " and ".join(sorted(used))), _reliability_table(checked)]


def _excess_table(checked: Checked, used: str) -> Table:
    """A column for each explorer or run; rows are scores, and what was expected minus what was obtained."""
    columns = tuple(
        Column(name, name, short=name.replace("-", "-\n"), definition=_EXPLORED.format(len(scenes)))
        for name, scenes in checked.items()
    )
    cells = [_excess_cells(scenes) for scenes in checked.values()]
    rows = zip(_EXCESS_ROWS, zip(*cells, strict=True), strict=True)
    entries = tuple(one_row(title, row, section=section) for (section, title), row in rows)
    counts = ", ".join(f"{name} {len(scenes)}" for name, scenes in checked.items())
    notes = (
        "Percentage points with 95 % intervals over scenes; above zero, the observer expects too much.",
        f"Scenes: {counts}.",
    )
    title = f"Calibration of the ideal observer ({used})"
    return Table("calibration", title, "score", columns, entries, notes, compact=True)


_EXPLORED = "Replies of the ideal observer after this exploration of {} scenes."
_EXCESS_ROWS = (
    ("Answers, %", "obtained"),
    ("Answers, %", "expected"),
    ("Expected minus obtained", "all answers"),
    *(("Expected minus obtained", kind.replace("_", " ")) for kind in (*PAPER_KINDS, LAST_MAP)),
)
"""Sections and titles of the rows."""


def _excess_cells(scenes: Sequence[CheckedScene]) -> tuple[Cell, ...]:
    answers = [[reply for reply in scene.replies if reply.kind != LAST_MAP] for scene in scenes]
    return (
        percent(pooled_interval([[reply.obtained for reply in scene] for scene in answers])),
        percent(pooled_interval([[reply.expected for reply in scene] for scene in answers])),
        points(mean_interval([scene.excess for scene in scenes])),
        *(points(excess_of(scenes, kind)) for kind in (*PAPER_KINDS, LAST_MAP)),
    )


def excess_of(scenes: Sequence[CheckedScene], kind: str) -> Interval:
    """Expected minus obtained score of one kind of question, or of the last map."""
    return pooled_interval(
        [[reply.expected - reply.obtained for reply in scene.replies if reply.kind == kind] for scene in scenes]
    )


@dataclass(frozen=True)
class ReliabilityBin:
    """Probabilities of positions between two edges: their mean, the share that was true, and how many there are."""

    low: float
    high: float
    stated: float
    true: Interval
    count: int


def reliability(scenes: Sequence[CheckedScene]) -> list[ReliabilityBin]:
    """The bins in which there are any probabilities, with intervals over scenes."""
    found: list[ReliabilityBin] = []
    for i, (low, high) in enumerate(pairwise(EDGES)):
        count = sum(scene.counts[i] for scene in scenes)
        if count:
            shares = [[1.0] * scene.true[i] + [0.0] * (scene.counts[i] - scene.true[i]) for scene in scenes]
            stated = sum(scene.sums[i] for scene in scenes) / count
            found.append(ReliabilityBin(low, high, stated, pooled_interval(shares), count))
    return found


def _reliability_table(checked: Checked) -> Table:
    columns = (
        Column("stated", "stated", "probability, %", definition="Mean probability given to positions in the bin."),
        Column("true", "true", "probability, %", definition="Share of these positions that was the true one."),
        Column("count", "positions", definition="Probabilities of a position of a thing or door in the bin."),
    )
    entries = tuple(
        RowGroup(
            f"{100 * each.low:g} to {100 * each.high:g} %",
            (Row((Cell(f"{100 * each.stated:.1f}"), percent(each.true), Cell(f"{each.count:,}"))),),
            section=name,
        )
        for name, scenes in checked.items()
        for each in reliability(scenes)
    )
    return Table("reliability", "Probabilities of positions, and how often they were true", "bin", columns, entries)


def as_numbers(checked: Checked) -> dict[str, object]:
    """All numbers as JSON values."""
    return {
        name: {
            "scenes": len(scenes),
            "observers": {used: sum(s.observer == used for s in scenes) for used in ("relations", "generative")},
            "obtained": fmean(r.obtained for s in scenes for r in s.replies if r.kind != LAST_MAP),
            "excess": _plain(mean_interval([scene.excess for scene in scenes])),
            "kinds": {kind: _plain(excess_of(scenes, kind)) for kind in (*PAPER_KINDS, LAST_MAP)},
            "stated_error": fmean(r.error for s in scenes for r in s.replies),
            "reliability": [
                {"low": b.low, "high": b.high, "stated": b.stated, "true": _plain(b.true), "count": b.count}
                for b in reliability(scenes)
            ],
        }
        for name, scenes in checked.items()
    }


def _plain(interval: Interval) -> list[float]:
    return [round(value, 5) for value in (interval.mean, interval.low, interval.high)]


def seeded_jobs(choices: Sequence[SceneChoice], explorer: str, observer: ObserverName) -> list[CalibrationJob]:
    """A check of one scripted explorer in each of some scenes."""
    return [CalibrationJob(observer, choice=choice, explorer=explorer) for choice in choices]


_WIDTH, _HEIGHT = 2.6, 3.3
"""Inches of one panel."""
FEWEST = 10
"""Probabilities in a bin that is drawn; of fewer, the share that was true says little."""
_BLUE, _GREY = "#2f62b5", "#8b8f94"


def reliability_figure(checked: Checked) -> Figure:
    """One panel for each explorer."""
    figure = Figure(figsize=(_WIDTH * len(checked) + 0.5, _HEIGHT), layout="constrained")
    FigureCanvasAgg(figure)
    panels = figure.subplots(1, len(checked), sharey=True, squeeze=False)[0]
    for panel, (name, scenes) in zip(panels, checked.items(), strict=True):
        _draw(panel, name, scenes)
    panels[0].set_ylabel("positions that were true, %")
    return figure


def _draw(axes: Axes, name: str, scenes: list[CheckedScene]) -> None:
    panel = cast("Any", axes)
    bins = [each for each in reliability(scenes) if each.count >= FEWEST]
    panel.plot([0, 100], [0, 100], color=_GREY, linewidth=1, linestyle=":")
    stated, true = [100 * each.stated for each in bins], [100 * each.true.mean for each in bins]
    ends = [[max(0.0, 100 * (each.true.mean - each.true.low)) for each in bins]]
    ends.append([max(0.0, 100 * (each.true.high - each.true.mean)) for each in bins])
    panel.errorbar(stated, true, yerr=ends, fmt="o", markersize=3.5, color=_BLUE, elinewidth=1, capsize=2)
    panel.set_title(f"{name} ({counted(len(scenes), 'scene')})", fontsize=9)
    panel.set_xlabel("stated probability, %")
    panel.set(xlim=(-3, 103), ylim=(-3, 103))


def save_reliability_figure(checked: Checked, file: Path) -> None:
    """Write the figure to a file; its ending gives the format."""
    cast("Any", reliability_figure(checked)).savefig(file, dpi=160)
