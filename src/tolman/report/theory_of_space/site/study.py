"""The work that every scene needs: what an ideal observer makes of it, and its page. Spread over processes."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tolman.benchmarks.theory_of_space.insight import SceneInsight
from tolman.benchmarks.theory_of_space.scene_insight import scene_insight
from tolman.report.site.attempt import LeftOut, tried
from tolman.report.site.page import write_note
from tolman.report.theory_of_space.logs import FinishedScene, Run
from tolman.report.theory_of_space.replay.episode_page import write_assets, write_episode
from tolman.report.theory_of_space.site.listed import run_folder, scene_files
from tolman.report.track import Track
from tolman.spread import spread

_UP = "../.."
"""The top of the report, as seen from the page of an episode."""


@dataclass(frozen=True)
class Job:
    """One scene of a run; the run comes without its scenes, which need not travel with each of them."""

    folder: Path
    """Of the run's episodes."""
    run: Run
    scene: FinishedScene
    file: str
    previous: str | None
    following: str | None
    home: str
    """The page that lists all episodes, as seen from the top."""


@dataclass(frozen=True)
class Studied:
    """A run, and what an ideal observer makes of each of its finished scenes, in their order."""

    run: Run
    insights: list[SceneInsight]


def study(runs: Sequence[Run], site: Path, jobs: int, track: Track, home: str) -> list[Studied]:
    """The runs with insights, and a page for each scene. Scenes that can't be studied count as failed."""
    write_assets(site / "assets")
    work = [(place, job) for place, run in enumerate(runs) for job in _jobs(run, site, home)]
    done = spread(_study, [job for _, job in work], jobs)
    found: dict[int, list[SceneInsight | LeftOut]] = {place: [] for place in range(len(runs))}
    for place, _ in track([(place, job.file) for place, job in work], "episodes"):
        found[place].append(next(done))
    return [_studied(run, found[place]) for place, run in enumerate(runs)]


def _studied(run: Run, found: Sequence[SceneInsight | LeftOut]) -> Studied:
    cases = [case for case, one in zip(run.cases, found, strict=True) if not isinstance(one, LeftOut)]
    failed = [(one.name, f"it can't be reported on: {one.reason}") for one in found if isinstance(one, LeftOut)]
    kept = replace(run, cases=cases, failed=[*run.failed, *failed]) if failed else run
    return Studied(kept, [one for one in found if not isinstance(one, LeftOut)])


def _jobs(run: Run, site: Path, home: str) -> Iterator[Job]:
    files = scene_files(run)
    folder = site / "episodes" / run_folder(run)
    folder.mkdir(parents=True, exist_ok=True)
    alone = replace(run, cases=[])
    for place, (scene, file) in enumerate(zip(run.cases, files, strict=True)):
        before = files[place - 1] if place else None
        after = files[place + 1] if place + 1 < len(files) else None
        yield Job(folder, alone, scene, file, before, after, home)


def _study(job: Job) -> SceneInsight | LeftOut:
    """Probabilities of single positions are for the page alone, and stay behind."""
    insight = tried(job.scene.id, lambda: scene_insight(job.scene.logged, job.scene.scores["strict"]))
    if isinstance(insight, LeftOut):
        return insight
    back = f"{_UP}/{job.home}"
    written = tried(job.scene.id, lambda: _write(job, insight, back))
    if isinstance(written, LeftOut):
        write_note(job.folder / job.file, f"Scene {job.scene.id}", written.reason, back, f"{_UP}/assets")
    turns = tuple(replace(turn, marginals={}) for turn in insight.turns)
    return replace(insight, turns=turns)


def _write(job: Job, insight: SceneInsight, back: str) -> None:
    write_episode(
        job.folder,
        job.run,
        job.scene,
        insight,
        back=back,
        previous=job.previous,
        following=job.following,
        assets=f"{_UP}/assets",
        file=job.file,
    )
