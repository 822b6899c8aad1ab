"""A report on OSR-Bench: from logs to a folder that opens in a browser."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from tolman.report.log_files import Tell
from tolman.report.osr_bench.osr_figures import osr_figures
from tolman.report.osr_bench.osr_logs import Run
from tolman.report.osr_bench.plain import as_dict
from tolman.report.osr_bench.references import reference_rows
from tolman.report.osr_bench.scene import write_scenes
from tolman.report.osr_bench.shown import shown_subjects
from tolman.report.osr_bench.site.osr_page import TITLE, osr_page
from tolman.report.osr_bench.subjects import subjects
from tolman.report.site import write_page
from tolman.report.site.attempt import LeftOut, each, tried
from tolman.report.site.page import write_numbers
from tolman.report.site.place import Place
from tolman.report.track import Track


def write_pages(
    runs: Sequence[Run], out: Path, place: Place, command: str, tell: Tell, track: Track, jobs: int
) -> Path:
    """Write all pages into an open folder, the first one at its place; `command` is what to type to make them again."""
    known, left_out = each(osr_figures, track(runs, "intervals"), lambda run: run.name)
    found = tried("rows to compare with", lambda: reference_rows(runs))
    references = [] if isinstance(found, LeftOut) else found
    if isinstance(found, LeftOut):
        tell(f"{TITLE}: there are no {found}")
    write_numbers(out / place.numbers, lambda of: as_dict(of, references), known, lambda of: of.run.name, tell)
    shown = shown_subjects(subjects(known))
    write_scenes(shown, out, f"{place.page}#scenes", track, jobs)
    return write_page(replace(osr_page(shown, references, command, place), left_out=left_out), out, place, tell, track)
