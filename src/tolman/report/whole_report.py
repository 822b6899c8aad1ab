"""A report of all that some logs and probes say: one benchmark is at its front, several stand behind a cover."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tolman.report import osr_bench, sparrta_questions, theory_of_space
from tolman.report.log_files import Tell
from tolman.report.logs_by_benchmark import NO_LOGS, logs_by_benchmark
from tolman.report.osr_bench.site import osr_page
from tolman.report.osr_bench.site import write_pages as write_osr_pages
from tolman.report.site import environment, open_folder
from tolman.report.site.command import report_command
from tolman.report.site.folder import check_folder, vega_beside
from tolman.report.site.place import FRONT, beside
from tolman.report.sparrta.probe_folders import Probes, read_probes
from tolman.report.sparrta.probe_paths import split_paths
from tolman.report.sparrta.site import probe_page
from tolman.report.sparrta.site import write_pages as write_probe_pages
from tolman.report.sparrta.subjects import triples_of
from tolman.report.sparrta_questions.site import questions_page
from tolman.report.sparrta_questions.site import write_pages as write_question_pages
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
    words: tuple[str, str] = ("run", "scene")
    """What a run, and what a scene, is called there."""


def write_whole_report(
    paths: Sequence[Path],
    out: Path,
    tell: Tell,
    track: Track,
    jobs: int = -1,
    *,
    scripted: bool = False,
    scores: Path | None = None,
) -> Path:
    """Write the report of all logs in some files and folders, and of folders of probes, and return its first page.

    `jobs` is the number of processes, -1 for all cores; `scripted` adds rows of scripted models on the same scenes, to
    Theory of Space; `scores` are those of encoders in other benchmarks. The same logs give the same bytes.
    """
    check_folder(out)
    probed, logged = split_paths(paths)
    probes = read_probes(probed, tell, scores) if probed else None
    logs = logs_by_benchmark(logged, tell) if logged or not probed else NO_LOGS
    theory = theory_of_space.read_runs(logs.theory_of_space, tell, track, jobs) if logs.theory_of_space else []
    osr = osr_bench.read_runs(logs.osr_bench, tell, track, jobs) if logs.osr_bench else []
    asked = sparrta_questions.read_runs(logs.sparrta, tell, track, jobs) if logs.sparrta else []
    command = report_command(paths, scripted=scripted, scores=scores)
    several = sum(map(bool, (theory, osr, asked, probes))) > 1
    open_folder(out)
    with vega_beside(out / "assets"):
        if theory:
            place = beside("theory-of-space") if several else FRONT
            theory_page.write_pages(theory, out, place, command, track, jobs, scripted=scripted)
        if osr:
            write_osr_pages(osr, out, beside("osr-bench") if several else FRONT, command, track, jobs)
        if asked:
            write_question_pages(asked, out, beside("sparrta-questions") if several else FRONT, command, track)
        if probes:
            write_probe_pages(probes, out, beside("sparrta-probes") if several else FRONT, command, track)
        if several:
            known = [_theory(theory)] * bool(theory) + [_osr(osr)] * bool(osr) + [_asked(asked)] * bool(asked)
            _write_cover(out, known + ([_probed(probes)] if probes else []))
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


def _asked(runs: Sequence[sparrta_questions.Run]) -> Benchmark:
    pictures = {case.id for run in runs for case in run.cases}
    models = tuple(dict.fromkeys(run.name for run in runs))
    page = beside("sparrta-questions").page
    words = ("run", "picture")
    return Benchmark(questions_page.TITLE, questions_page.ABOUT, page, models, len(runs), len(pictures), words)


def _probed(probes: Probes) -> Benchmark:
    subjects = probes.subjects or probes.controls
    names, page = tuple(one.name for one in subjects), beside("sparrta-probes").page
    triples = len(triples_of(subjects))
    return Benchmark(probe_page.TITLE, probe_page.ABOUT, page, names, len(names), triples, ("encoder", "triple"))


def _write_cover(out: Path, benchmarks: Sequence[Benchmark]) -> None:
    page = environment().get_template("cover.html").render(benchmarks=benchmarks)
    (out / FRONT.page).write_text(page, encoding="utf-8")
