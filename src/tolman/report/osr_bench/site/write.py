"""A report on OSR-Bench: from logs to a folder that opens in a browser."""

import json
from collections.abc import Sequence
from pathlib import Path

from tolman.report.log_files import Tell
from tolman.report.osr_bench.osr_figures import osr_figures
from tolman.report.osr_bench.osr_logs import Run, read_runs
from tolman.report.osr_bench.plain import as_dict
from tolman.report.osr_bench.references import reference_rows
from tolman.report.osr_bench.scene import write_scenes
from tolman.report.osr_bench.shown import shown_subjects
from tolman.report.osr_bench.site.osr_page import osr_page
from tolman.report.osr_bench.subjects import subjects
from tolman.report.site import open_folder, write_page
from tolman.report.site.command import report_command
from tolman.report.site.folder import check_folder, vega_beside
from tolman.report.site.page import write_figures
from tolman.report.site.place import FRONT, Place
from tolman.report.track import Track


def write_report(paths: Sequence[Path], out: Path, tell: Tell, track: Track, jobs: int = -1) -> Path:
    """Write the report of all logs of OSR-Bench in some files and folders, and return its first page.

    `jobs` is the number of processes, -1 for all cores. The same logs give the same bytes.
    """
    check_folder(out)
    runs = read_runs(paths, tell, track, jobs)
    open_folder(out)
    with vega_beside(out / "assets"):
        return write_pages(runs, out, FRONT, report_command(paths, scripted=False), track, jobs)


def write_pages(runs: Sequence[Run], out: Path, place: Place, command: str, track: Track, jobs: int) -> Path:
    """Write all pages into an open folder, the first one at its place; `command` is what to type to make them again."""
    known = [osr_figures(run) for run in track(runs, "intervals")]
    references = reference_rows(runs)
    shown = shown_subjects(subjects(known))
    (out / place.numbers).write_text(json.dumps(as_dict(known, references)) + "\n", encoding="utf-8")
    write_scenes(shown, out, f"{place.page}#scenes", track, jobs)
    page = osr_page(shown, references, command, place)
    write_page(page, out / place.page)
    write_figures(page, out, track)
    return out / place.page
