"""A report on Theory of Space: from logs to a folder that opens in a browser."""

import json
from collections.abc import Sequence
from pathlib import Path

from tolman.report.log_files import Tell
from tolman.report.site import Page, open_folder, write_page
from tolman.report.site.command import report_command
from tolman.report.site.folder import check_folder, vega_beside
from tolman.report.site.page import write_figures
from tolman.report.site.place import FRONT, Place
from tolman.report.theory_of_space import Run, as_dict, figures, read_runs
from tolman.report.theory_of_space.reference_row import ReferenceRow
from tolman.report.theory_of_space.references import reference_rows
from tolman.report.theory_of_space.site.about import about_tab
from tolman.report.theory_of_space.site.listed import Listed, list_runs
from tolman.report.theory_of_space.site.overview import overview_tab
from tolman.report.theory_of_space.site.study import study
from tolman.report.theory_of_space.site.tabs import answers_tab, cost_tab, episodes_tab, maps_tab, revision_tab
from tolman.report.track import Track

TITLE = "Theory of Space"
ABOUT = "How well models build, keep, revise and use a map of rooms that they explore."


def write_report(
    paths: Sequence[Path], out: Path, tell: Tell, track: Track, jobs: int = -1, *, scripted: bool = False
) -> Path:
    """Write the report of all logs in some files and folders, and return its first page.

    `jobs` is the number of processes, -1 for all cores; `scripted` adds rows of scripted models on the same scenes.
    The same logs give the same bytes.
    """
    check_folder(out)
    runs = read_runs(paths, tell, track, jobs)
    open_folder(out)
    with vega_beside(out / "assets"):
        return write_pages(runs, out, FRONT, report_command(paths, scripted=scripted), track, jobs, scripted=scripted)


def write_pages(
    runs: Sequence[Run], out: Path, place: Place, command: str, track: Track, jobs: int, *, scripted: bool
) -> Path:
    """Write all pages into an open folder, the first one at its place; `command` is what to type to make them again."""
    insights = study(runs, out, jobs, track, home=f"{place.page}#episodes")
    references = reference_rows(runs, scripted=scripted, track=track)
    known = [figures(run) for run in runs]
    (out / place.numbers).write_text(json.dumps(as_dict(known, references)) + "\n", encoding="utf-8")
    page = report_page(list_runs(known, insights), references, command, place)
    write_page(page, out / place.page)
    write_figures(page, out, track)
    return out / place.page


def report_page(runs: Sequence[Listed], references: Sequence[ReferenceRow], command: str, place: Place) -> Page:
    """The index: all tabs."""
    tabs = (
        overview_tab(runs),
        answers_tab(runs, references),
        maps_tab(runs, references),
        cost_tab(runs),
        revision_tab(runs, references),
        episodes_tab(runs),
        about_tab(runs, command, place.numbers),
    )
    return Page(TITLE, ABOUT, tabs, place.cover)
