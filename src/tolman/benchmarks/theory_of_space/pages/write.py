"""Writes the report on Theory of Space as a folder of pages for a browser: the main page, and in parallel the ideal
observer's results and the page of every scene.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tolman.benchmarks.theory_of_space.ideal_observer import SceneInsight, scene_insight
from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun, list_runs, run_folder, scene_files
from tolman.benchmarks.theory_of_space.pages.tabs import (
    about_tab,
    answers_tab,
    condition_settings,
    cost_tab,
    episodes_tab,
    exploration_tab,
    maps_tab,
    overview_tab,
    revision_tab,
    uncertainty_tab,
)
from tolman.benchmarks.theory_of_space.replay.episode_page import write_assets, write_episode
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables import as_dict, summarise_run
from tolman.benchmarks.theory_of_space.tables.layout import ReferenceRow
from tolman.benchmarks.theory_of_space.tables.references import reference_rows
from tolman.benchmarks.theory_of_space.uncertainty.measured import ConditionRun, condition_runs
from tolman.core.parallel import Tell, Track, tracked_groups
from tolman.ideal.observer import ObserverName
from tolman.report.results import PageRequest
from tolman.report.site import Page, write_page
from tolman.report.site.page import LeftOut, Place, attempt, attempt_each, write_note, write_numbers

TITLE = "Theory of Space"
ABOUT = "How well models build, keep, revise and use a map of rooms that they explore."


def write_pages(runs: Sequence[TheoryOfSpaceRun], request: PageRequest) -> Path:
    """Write all pages of the report into `request.out`; returns the index page."""
    out, place, tell, track = request.out, request.place, request.tell, request.track
    conditions = condition_runs(runs, track)
    published = [run for run in runs if not run.options.condition]
    studied = study_scenes(published, out, request.jobs, track, f"{place.page}#episodes", request.observer)
    references = _references([one.run for one in studied], tell, track, scripted=request.scripted)
    summarised, left_out = attempt_each(
        lambda one: (summarise_run(one.run), one.insights), studied, lambda one: one.run.name
    )
    write_numbers(
        out / place.numbers,
        lambda summaries: {**as_dict(summaries, references, conditions), **request.numbers},
        [found for found, _ in summarised],
        lambda found: found.run.name,
        tell,
    )
    insights = {index: insights for index, (_, insights) in enumerate(summarised)}
    listed = list_runs([found for found, _ in summarised], insights)
    page = report_page(listed, references, request.command, place, left_out, conditions)
    return write_page(page.with_tabs(request.tabs), out, place, tell, track)


def _references(runs: Sequence[TheoryOfSpaceRun], tell: Tell, track: Track, *, scripted: bool) -> list[ReferenceRow]:
    found = attempt("reference rows", lambda: reference_rows(runs, scripted=scripted, track=track))
    if isinstance(found, LeftOut):
        tell(f"{TITLE}: there are no {found}")
        return []
    return found


def report_page(
    runs: Sequence[ReportedRun],
    references: Sequence[ReferenceRow],
    command: str,
    place: Place,
    left_out: Sequence[LeftOut] = (),
    conditions: Sequence[ConditionRun] = (),
) -> Page:
    """The index page with all tabs; runs in task conditions have one of their own."""
    published = (
        overview_tab(runs),
        answers_tab(runs, references),
        maps_tab(runs, references),
        exploration_tab(runs),
        cost_tab(runs),
        revision_tab(runs, references),
        episodes_tab(runs),
    )
    tabs = (
        *(published if runs or not conditions else ()),
        *((uncertainty_tab(conditions),) if conditions else ()),
        about_tab(runs, command, place.numbers, condition_settings(conditions)),
    )
    return Page(TITLE, ABOUT, tabs, place.cover, left_out)


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
    observer: ObserverName | None


@dataclass(frozen=True)
class StudiedRun:
    """A run with the ideal observer's results for its finished scenes, in their order."""

    run: TheoryOfSpaceRun
    insights: list[SceneInsight]


def study_scenes(
    runs: Sequence[TheoryOfSpaceRun],
    site: Path,
    jobs: int,
    track: Track,
    home: str,
    observer: ObserverName | None = None,
) -> list[StudiedRun]:
    """Compute insights and write a page for each scene. Scenes that raise an error count as failed."""
    write_assets(site / "assets")
    work = [list(_scene_jobs(run, site, home, observer)) for run in runs]
    return list(map(_studied_run, runs, tracked_groups(_study_scene, work, track, "episodes", jobs)))


def _studied_run(run: TheoryOfSpaceRun, found: Sequence[SceneInsight | LeftOut]) -> StudiedRun:
    cases = [case for case, one in zip(run.cases, found, strict=True) if not isinstance(one, LeftOut)]
    failed = [(one.name, f"it can't be reported on: {one.reason}") for one in found if isinstance(one, LeftOut)]
    kept = replace(run, cases=cases, failed=[*run.failed, *failed]) if failed else run
    return StudiedRun(kept, [one for one in found if not isinstance(one, LeftOut)])


def _scene_jobs(run: TheoryOfSpaceRun, site: Path, home: str, observer: ObserverName | None) -> Iterator[SceneJob]:
    files = scene_files(run)
    folder = site / "episodes" / run_folder(run)
    folder.mkdir(parents=True, exist_ok=True)
    without_cases = replace(run, cases=[])
    for place, (scene, file) in enumerate(zip(run.cases, files, strict=True)):
        before = files[place - 1] if place else None
        after = files[place + 1] if place + 1 < len(files) else None
        yield SceneJob(folder, without_cases, scene, file, before, after, home, observer)


def _study_scene(job: SceneJob) -> SceneInsight | LeftOut:
    """Marginals are needed for the page only, and are not returned."""
    insight = attempt(job.scene.id, lambda: scene_insight(job.scene.logged, job.scene.scores["strict"], job.observer))
    if isinstance(insight, LeftOut):
        return insight
    back = f"{_UP}/{job.home}"
    written = attempt(
        job.scene.id,
        lambda: write_episode(
            job.folder,
            job.run,
            job.scene,
            insight,
            back=back,
            previous=job.previous,
            following=job.following,
            assets=f"{_UP}/assets",
            file=job.file,
        ),
    )
    if isinstance(written, LeftOut):
        write_note(job.folder / job.file, f"Scene {job.scene.id}", written.reason, back, f"{_UP}/assets")
    turns = tuple(replace(turn, marginals={}) for turn in insight.turns)
    return replace(insight, turns=turns)
