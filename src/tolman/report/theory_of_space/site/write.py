"""A report on Theory of Space: from logs to a folder that opens in a browser."""

from collections.abc import Sequence
from pathlib import Path

from tolman.report.log_files import Tell
from tolman.report.site import Page, write_page
from tolman.report.site.attempt import LeftOut, each, tried
from tolman.report.site.page import write_numbers
from tolman.report.site.place import Place
from tolman.report.theory_of_space import Run, as_dict, figures
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


def write_pages(  # noqa: PLR0913 as the command has options
    runs: Sequence[Run], out: Path, place: Place, command: str, tell: Tell, track: Track, jobs: int, *, scripted: bool
) -> Path:
    """Write all pages into an open folder, the first one at its place; `command` is what to type to make them again."""
    studied = study(runs, out, jobs, track, home=f"{place.page}#episodes")
    references = _references([one.run for one in studied], tell, track, scripted=scripted)
    known, left_out = each(lambda one: (figures(one.run), one.insights), studied, lambda one: one.run.name)
    write_numbers(
        out / place.numbers,
        lambda of: as_dict(of, references),
        [found for found, _ in known],
        lambda found: found.run.name,
        tell,
    )
    insights = {at: insights for at, (_, insights) in enumerate(known)}
    listed = list_runs([found for found, _ in known], insights)
    return write_page(report_page(listed, references, command, place, left_out), out, place, tell, track)


def _references(runs: Sequence[Run], tell: Tell, track: Track, *, scripted: bool) -> list[ReferenceRow]:
    found = tried("rows to compare with", lambda: reference_rows(runs, scripted=scripted, track=track))
    if isinstance(found, LeftOut):
        tell(f"{TITLE}: there are no {found}")
        return []
    return found


def report_page(
    runs: Sequence[Listed],
    references: Sequence[ReferenceRow],
    command: str,
    place: Place,
    left_out: Sequence[LeftOut] = (),
) -> Page:
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
    return Page(TITLE, ABOUT, tabs, place.cover, left_out)
