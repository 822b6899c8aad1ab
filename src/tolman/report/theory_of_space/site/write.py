"""A report on Theory of Space: from logs to a folder that opens in a browser."""

import json
import shlex
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tolman.report.site import Page, open_folder, write_page
from tolman.report.site.figure import svg
from tolman.report.site.folder import check_folder, write_vega
from tolman.report.theory_of_space import as_dict, figures, read_runs
from tolman.report.theory_of_space.log_files import Tell
from tolman.report.theory_of_space.logs import Track
from tolman.report.theory_of_space.reference_row import ReferenceRow
from tolman.report.theory_of_space.references import reference_rows
from tolman.report.theory_of_space.site.about import about_tab
from tolman.report.theory_of_space.site.listed import Listed, list_runs
from tolman.report.theory_of_space.site.overview import overview_tab
from tolman.report.theory_of_space.site.study import study
from tolman.report.theory_of_space.site.tabs import answers_tab, cost_tab, episodes_tab, maps_tab, revision_tab

TITLE = "Theory of Space"


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
    with ThreadPoolExecutor(1) as meanwhile:
        vega = meanwhile.submit(write_vega, out / "assets")
        insights = study(runs, out, jobs, track)
        references = reference_rows(runs, scripted=scripted, track=track)
        known = [figures(run) for run in runs]
        (out / "numbers.json").write_text(json.dumps(as_dict(known, references)) + "\n", encoding="utf-8")
        page = report_page(list_runs(known, insights), references, _command(paths, scripted=scripted))
        write_page(page, out / "index.html")
        for figure in track(list(page.figures), "figures"):
            (out / figure.file).write_text(svg(figure), encoding="utf-8")
        vega.result()
    return out / "index.html"


def report_page(runs: Sequence[Listed], references: Sequence[ReferenceRow], command: str) -> Page:
    """The index: all tabs."""
    tabs = (
        overview_tab(runs),
        answers_tab(runs, references),
        maps_tab(runs, references),
        cost_tab(runs),
        revision_tab(runs, references),
        episodes_tab(runs),
        about_tab(runs, command),
    )
    return Page(TITLE, "How well models build, keep, revise and use a map of rooms that they explore.", tabs)


def _command(paths: Sequence[Path], *, scripted: bool) -> str:
    """What to type, without the folders above, which are nobody's business."""
    names = (shlex.quote(path.resolve().name) for path in paths)
    return " ".join(("tolman report", *names, *["--scripted"] * scripted))
