"""A report of everything in some logs: one benchmark is at its front, several stand behind a cover."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tolman.report import osr_bench, theory_of_space
from tolman.report.log_files import Tell
from tolman.report.logs_by_benchmark import logs_by_benchmark
from tolman.report.osr_bench.site import osr_page
from tolman.report.osr_bench.site import write_pages as write_osr_pages
from tolman.report.site import environment, open_folder
from tolman.report.site.command import report_command
from tolman.report.site.folder import check_folder, vega_beside
from tolman.report.site.place import FRONT, beside
from tolman.report.theory_of_space.site import write as theory_page
from tolman.report.track import Track


@dataclass(frozen=True)
class Benchmark:
    """A benchmark on the cover."""

    title: str
    about: str
    page: str
    models: tuple[str, ...]
    runs: int
    scenes: int


def write_whole_report(
    paths: Sequence[Path], out: Path, tell: Tell, track: Track, jobs: int = -1, *, scripted: bool = False
) -> Path:
    """Write the report of all logs in some files and folders, and return its first page.

    `jobs` is the number of processes, -1 for all cores; `scripted` adds rows of scripted models on the same scenes, to
    Theory of Space. The same logs give the same bytes.
    """
    check_folder(out)
    logs = logs_by_benchmark(paths, tell)
    theory = theory_of_space.read_runs(logs.theory_of_space, tell, track, jobs) if logs.theory_of_space else []
    osr = osr_bench.read_runs(logs.osr_bench, tell, track, jobs) if logs.osr_bench else []
    command, several = report_command(paths, scripted=scripted), bool(theory and osr)
    open_folder(out)
    with vega_beside(out / "assets"):
        if theory:
            place = beside("theory-of-space") if several else FRONT
            theory_page.write_pages(theory, out, place, command, track, jobs, scripted=scripted)
        if osr:
            write_osr_pages(osr, out, beside("osr-bench") if several else FRONT, command, track, jobs)
        if several:
            _write_cover(out, [_theory(theory), _osr(osr)])
    return out / FRONT.page


def _theory(runs: Sequence[theory_of_space.Run]) -> Benchmark:
    scenes = {case.logged.case.scene.digest for run in runs for case in run.cases}
    models = tuple(dict.fromkeys(run.name for run in runs))
    page = beside("theory-of-space").page
    return Benchmark(theory_page.TITLE, theory_page.ABOUT, page, models, len(runs), len(scenes))


def _osr(runs: Sequence[osr_bench.Run]) -> Benchmark:
    scenes = {case.id for run in runs for case in run.cases}
    models = tuple(dict.fromkeys(run.name for run in runs))
    return Benchmark(osr_page.TITLE, osr_page.ABOUT, beside("osr-bench").page, models, len(runs), len(scenes))


def _write_cover(out: Path, benchmarks: Sequence[Benchmark]) -> None:
    page = environment().get_template("cover.html").render(benchmarks=benchmarks)
    (out / FRONT.page).write_text(page, encoding="utf-8")
