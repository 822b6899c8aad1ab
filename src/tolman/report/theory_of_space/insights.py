"""The ideal observer's view of every scene of some runs, worked out on all cores."""

from collections.abc import Mapping, Sequence

from tolman.benchmarks.theory_of_space.insight import SceneInsight
from tolman.benchmarks.theory_of_space.scene_insight import scene_insight
from tolman.report.theory_of_space.logs import FinishedScene, Run
from tolman.report.track import Track
from tolman.spread import spread

Insights = Mapping[int, Sequence[SceneInsight]]
"""By place of the run, from 0: what could be known in each of its scenes, in order."""


def insights_of(runs: Sequence[Run], track: Track) -> Insights:
    """What could be known in every scene."""
    work = [(place, scene) for place, run in enumerate(runs) for scene in run.cases]
    done = spread(_insight, [scene for _, scene in work])
    found: dict[int, list[SceneInsight]] = {place: [] for place in range(len(runs))}
    for place, _ in track(work, "ceilings"):
        found[place].append(next(done))
    return found


def _insight(scene: FinishedScene) -> SceneInsight:
    return scene_insight(scene.logged, scene.scores["strict"])
