"""The ideal observer's results and the page of every scene of a report, computed in parallel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight, scene_insight
from tolman.benchmarks.theory_of_space.pages.reported_runs import run_folder, scene_files
from tolman.benchmarks.theory_of_space.replay.episode_page import write_assets, write_episode
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.core.parallel import parallel_map
from tolman.harness.tracking import Track
from tolman.report.site.page import LeftOut, attempt, write_note

_UP = "../.."
"""The top of the report, relative to an episode page."""


@dataclass(frozen=True)
class SceneJob:
    """One scene of a run; `run` has no scenes, so that not all are sent to each worker."""

    folder: Path
    """Folder of the run's episode pages."""
    run: TheoryOfSpaceRun
    scene: ScoredScene
    file: str
    previous: str | None
    following: str | None
    home: str
    """Address of the page that lists all episodes, relative to the top of the report."""


@dataclass(frozen=True)
class StudiedRun:
    """A run with the ideal observer's results for its finished scenes, in their order."""

    run: TheoryOfSpaceRun
    insights: list[SceneInsight]


def study_scenes(runs: Sequence[TheoryOfSpaceRun], site: Path, jobs: int, track: Track, home: str) -> list[StudiedRun]:
    """Compute insights and write a page for each scene. Scenes that raise an error count as failed."""
    write_assets(site / "assets")
    work = [(place, job) for place, run in enumerate(runs) for job in _scene_jobs(run, site, home)]
    done = parallel_map(_study_scene, [job for _, job in work], jobs)
    found: dict[int, list[SceneInsight | LeftOut]] = {place: [] for place in range(len(runs))}
    for place, _ in track([(place, job.file) for place, job in work], "episodes"):
        found[place].append(next(done))
    return [_studied_run(run, found[place]) for place, run in enumerate(runs)]


def _studied_run(run: TheoryOfSpaceRun, found: Sequence[SceneInsight | LeftOut]) -> StudiedRun:
    cases = [case for case, one in zip(run.cases, found, strict=True) if not isinstance(one, LeftOut)]
    failed = [(one.name, f"it can't be reported on: {one.reason}") for one in found if isinstance(one, LeftOut)]
    kept = replace(run, cases=cases, failed=[*run.failed, *failed]) if failed else run
    return StudiedRun(kept, [one for one in found if not isinstance(one, LeftOut)])


def _scene_jobs(run: TheoryOfSpaceRun, site: Path, home: str) -> Iterator[SceneJob]:
    files = scene_files(run)
    folder = site / "episodes" / run_folder(run)
    folder.mkdir(parents=True, exist_ok=True)
    without_cases = replace(run, cases=[])
    for place, (scene, file) in enumerate(zip(run.cases, files, strict=True)):
        before = files[place - 1] if place else None
        after = files[place + 1] if place + 1 < len(files) else None
        yield SceneJob(folder, without_cases, scene, file, before, after, home)


def _study_scene(job: SceneJob) -> SceneInsight | LeftOut:
    """Marginals are needed for the page only, and are not returned."""
    insight = attempt(job.scene.id, lambda: scene_insight(job.scene.logged, job.scene.scores["strict"]))
    if isinstance(insight, LeftOut):
        return insight
    back = f"{_UP}/{job.home}"
    written = attempt(job.scene.id, lambda: _write_scene_page(job, insight, back))
    if isinstance(written, LeftOut):
        write_note(job.folder / job.file, f"Scene {job.scene.id}", written.reason, back, f"{_UP}/assets")
    turns = tuple(replace(turn, marginals={}) for turn in insight.turns)
    return replace(insight, turns=turns)


def _write_scene_page(job: SceneJob, insight: SceneInsight, back: str) -> None:
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
