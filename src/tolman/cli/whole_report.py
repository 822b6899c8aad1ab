"""A report of all that some logs and probes say: one benchmark is at its front, several stand behind a cover."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol

from tolman.benchmarks.osr_bench import tables as osr_bench
from tolman.benchmarks.osr_bench.pages import page as osr_page
from tolman.benchmarks.osr_bench.pages import write_pages as write_osr_pages
from tolman.benchmarks.sparrta import questions as sparrta_questions
from tolman.benchmarks.sparrta.probes.encoders import triples_of
from tolman.benchmarks.sparrta.probes.folders import read_probes
from tolman.benchmarks.sparrta.probes.pages import page as probe_page
from tolman.benchmarks.sparrta.probes.pages import write_pages as write_probe_pages
from tolman.benchmarks.sparrta.probes.paths import split_paths
from tolman.benchmarks.sparrta.questions.pages import page as questions_page
from tolman.benchmarks.sparrta.questions.pages import write_pages as write_question_pages
from tolman.benchmarks.theory_of_space import tables as theory_of_space
from tolman.benchmarks.theory_of_space.pages import write as theory_page
from tolman.cli.logs_by_benchmark import NO_LOGS, logs_by_benchmark
from tolman.core.errors import SettingsError
from tolman.harness.logs import Tell
from tolman.harness.runs import Track
from tolman.report.site import environment
from tolman.report.site.folder import check_folder, report_command, vega_beside, whole_folder
from tolman.report.site.page import FRONT, LeftOut, Place, attempt, attempt_each, beside, write_note


class WritePages(Protocol):
    """Writes all pages of a benchmark into an open folder, the first one at its place."""

    def __call__(self, *, out: Path, place: Place, command: str, tell: Tell, track: Track) -> Path: ...


@dataclass(frozen=True)
class Benchmark:
    """A benchmark on the cover."""

    title: str
    about: str
    place: Place
    """Where its page is, behind a cover."""
    models: tuple[str, ...]
    runs: int
    scenes: int
    write: WritePages
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
    force: bool = False,
) -> Path:
    """Write the report of all logs in some files and folders, and of folders of probes, and return its first page.

    `jobs` is the number of processes, -1 for all cores; `scripted` adds rows of scripted models on the same scenes, to
    Theory of Space; `scores` are those of encoders in other benchmarks. The same logs give the same bytes. The folder
    `out` is written whole or not at all; `force` allows one that holds something else, which stays there.
    """
    check_folder(out, force=force)
    probed, logged = split_paths(paths)
    logs = logs_by_benchmark(logged, tell) if logged or not probed else NO_LOGS
    readers: dict[str, Callable[[], Benchmark]] = {}
    if logs.theory_of_space:
        readers[theory_page.TITLE] = lambda: _theory(logs.theory_of_space, tell, track, jobs, scripted=scripted)
    if logs.osr_bench:
        readers[osr_page.TITLE] = lambda: _osr(logs.osr_bench, tell, track, jobs)
    if logs.sparrta:
        readers[questions_page.TITLE] = lambda: _asked(logs.sparrta, tell, track, jobs)
    if probed:
        readers[probe_page.TITLE] = lambda: _probed(probed, tell, scores)
    benchmarks = list(_read(readers, tell))
    command = report_command(paths, scripted=scripted, scores=scores)
    with whole_folder(out, force=force) as folder, vega_beside(folder / "assets"):
        if len(benchmarks) == 1:
            benchmarks[0].write(out=folder, place=FRONT, command=command, tell=tell, track=track)
        else:
            _write_behind_cover(folder, benchmarks, command, tell, track)
    return out / FRONT.page


def _read(readers: dict[str, Callable[[], Benchmark]], tell: Tell) -> Iterator[Benchmark]:
    """All that can be read. Where it is one alone, what is wrong with it is an error."""
    if len(readers) == 1:
        yield from (read() for read in readers.values())
        return
    found, left_out = attempt_each(lambda reader: reader[1](), readers.items(), lambda reader: reader[0])
    for one in left_out:
        tell(f"there is no page on {one}")
    if not found:
        raise SettingsError(f"there is nothing to report on: {'; '.join(map(str, left_out))}")
    yield from found


def _write_behind_cover(folder: Path, benchmarks: Sequence[Benchmark], command: str, tell: Tell, track: Track) -> None:
    """Write the pages of several benchmarks; a note stands in the place of one that fails altogether."""
    for one in benchmarks:
        write = partial(one.write, out=folder, place=one.place, command=command, tell=tell, track=track)
        written = attempt(one.title, write)
        if isinstance(written, LeftOut):
            tell(f"there is no page on {written}")
            write_note(folder / one.place.page, one.title, written.reason, FRONT.page, "assets")
    page = environment().get_template("cover.html").render(benchmarks=benchmarks)
    (folder / FRONT.page).write_bytes(page.encode("utf-8", "replace"))


def _theory(logs: Sequence[Path], tell: Tell, track: Track, jobs: int, *, scripted: bool) -> Benchmark:
    runs = theory_of_space.read_runs(logs, tell, track, jobs)
    scenes = {case.logged.case.scene.digest for run in runs for case in run.cases}
    models = tuple(dict.fromkeys(run.name for run in runs))
    write = partial(theory_page.write_pages, runs, jobs=jobs, scripted=scripted)
    place = beside("theory-of-space")
    return Benchmark(theory_page.TITLE, theory_page.ABOUT, place, models, len(runs), len(scenes), write)


def _osr(logs: Sequence[Path], tell: Tell, track: Track, jobs: int) -> Benchmark:
    runs = osr_bench.read_runs(logs, tell, track, jobs)
    scenes = {case.id for run in runs for case in run.cases}
    models = tuple(dict.fromkeys(run.name for run in runs))
    write, place = partial(write_osr_pages, runs, jobs=jobs), beside("osr-bench")
    return Benchmark(osr_page.TITLE, osr_page.ABOUT, place, models, len(runs), len(scenes), write)


def _asked(logs: Sequence[Path], tell: Tell, track: Track, jobs: int) -> Benchmark:
    runs = sparrta_questions.read_runs(logs, tell, track, jobs)
    pictures = {case.id for run in runs for case in run.cases}
    models = tuple(dict.fromkeys(run.name for run in runs))
    write, place, words = partial(write_question_pages, runs), beside("sparrta-questions"), ("run", "picture")
    return Benchmark(questions_page.TITLE, questions_page.ABOUT, place, models, len(runs), len(pictures), write, words)


def _probed(folders: Sequence[Path], tell: Tell, scores: Path | None) -> Benchmark:
    probes = read_probes(folders, tell, scores)
    subjects = probes.subjects or probes.controls
    names, triples = tuple(one.name for one in subjects), len(triples_of(subjects))
    write, place, words = partial(write_probe_pages, probes), beside("sparrta-probes"), ("encoder", "triple")
    return Benchmark(probe_page.TITLE, probe_page.ABOUT, place, names, len(names), triples, write, words)
