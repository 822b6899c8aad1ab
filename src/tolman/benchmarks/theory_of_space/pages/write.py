"""Writes the report on Theory of Space as a folder of pages for a browser."""

from collections.abc import Sequence
from pathlib import Path

from tolman.benchmarks.theory_of_space.pages.reported_runs import ReportedRun, list_runs
from tolman.benchmarks.theory_of_space.pages.scene_pages import study_scenes
from tolman.benchmarks.theory_of_space.pages.tabs import (
    about_tab,
    answers_tab,
    cost_tab,
    episodes_tab,
    maps_tab,
    overview_tab,
    revision_tab,
)
from tolman.benchmarks.theory_of_space.tables import TheoryOfSpaceRun, as_dict, summarise_run
from tolman.benchmarks.theory_of_space.tables.layout import ReferenceRow
from tolman.benchmarks.theory_of_space.tables.references import reference_rows
from tolman.harness.tracking import Tell, Track
from tolman.report.results import PageRequest
from tolman.report.site import Page, write_page
from tolman.report.site.page import LeftOut, Place, attempt, attempt_each, write_numbers

TITLE = "Theory of Space"
ABOUT = "How well models build, keep, revise and use a map of rooms that they explore."


def write_pages(runs: Sequence[TheoryOfSpaceRun], request: PageRequest) -> Path:
    """Write all pages of the report into `request.out`; returns the index page."""
    out, place, tell, track = request.out, request.place, request.tell, request.track
    studied = study_scenes(runs, out, request.jobs, track, home=f"{place.page}#episodes")
    references = _references([one.run for one in studied], tell, track, scripted=request.scripted)
    summarised, left_out = attempt_each(
        lambda one: (summarise_run(one.run), one.insights), studied, lambda one: one.run.name
    )
    write_numbers(
        out / place.numbers,
        lambda summaries: as_dict(summaries, references),
        [found for found, _ in summarised],
        lambda found: found.run.name,
        tell,
    )
    insights = {index: insights for index, (_, insights) in enumerate(summarised)}
    listed = list_runs([found for found, _ in summarised], insights)
    return write_page(report_page(listed, references, request.command, place, left_out), out, place, tell, track)


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
) -> Page:
    """The index page with all tabs."""
    tabs = (
        overview_tab(runs),
        answers_tab(runs, references),
        maps_tab(runs, references),
        cost_tab(runs),
        revision_tab(runs, references),
        episodes_tab(runs),
        about_tab(runs, command, place.numbers),
    )
    return Page(TITLE, ABOUT, tabs, place.cover, left_out)
