"""A report on all results in logs and folders: one benchmark is the front page; several are linked from a cover."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from tolman.core.errors import SettingsError
from tolman.core.parallel import Tell, Track
from tolman.ideal.observer import ObserverName
from tolman.report.repeats import found_repeats
from tolman.report.results import BenchmarkResults, PageRequest, ResultReader, Source, find_sources
from tolman.report.site import environment
from tolman.report.site.folder import check_folder, report_command, vega_beside, whole_folder
from tolman.report.site.page import FRONT, LeftOut, Place, Tab, attempt, attempt_each, beside, write_note
from tolman.report.table import Cell, Column, Table, one_row


@dataclass(frozen=True)
class Reported:
    """A benchmark in the report."""

    reader: ResultReader
    results: BenchmarkResults

    @property
    def place(self) -> Place:
        """Where its page is, if there is a cover."""
        return beside(self.reader.name)


def write_whole_report(  # noqa: PLR0913 as the command has options
    paths: Sequence[Path],
    out: Path,
    tell: Tell,
    track: Track,
    jobs: int = -1,
    *,
    scripted: bool = False,
    scores: Path | None = None,
    force: bool = False,
    observer: ObserverName | None = None,
) -> Path:
    """Write the report of all logs in some files and folders, and of folders of probes, and return its first page.

    `jobs` is the number of processes, -1 for all cores; `scripted` adds rows of scripted models on the same scenes, to
    Theory of Space, and `observer` is the ideal observer of its ceilings; `scores` are those of encoders in other
    benchmarks. The same logs give the same bytes. The folder `out` is written whole or not at all; `force` allows one
    that holds something else, which stays there.
    """
    check_folder(out, force=force)
    sources = find_sources(paths, tell)
    reported = list(_read(sources, tell, track, jobs, scores))
    command = report_command(paths, scripted=scripted, scores=scores, observer=observer)
    with whole_folder(out, force=force) as folder, vega_beside(folder / "assets"):
        request = partial(
            PageRequest,
            out=folder,
            command=command,
            tell=tell,
            track=track,
            jobs=jobs,
            scripted=scripted,
            observer=observer,
        )
        if len(reported) == 1:
            reported[0].results.write_pages(_with_repeats(request(place=FRONT), reported[0]))
        else:
            for one in reported:
                asked = _with_repeats(request(place=one.place), one)
                written = attempt(one.reader.title, lambda one=one, asked=asked: one.results.write_pages(asked))
                if isinstance(written, LeftOut):
                    tell(f"there is no page on {written}")
                    write_note(folder / one.place.page, one.reader.title, written.reason, FRONT.page, "assets")
            _write_cover(folder, reported, tell)
    return out / FRONT.page


def _with_repeats(request: PageRequest, one: Reported) -> PageRequest:
    """With a tab on repeats, where cases were run several times."""
    found = attempt("Repeats", lambda: found_repeats(one.reader, one.results))
    if isinstance(found, LeftOut):
        request.tell(f"{one.reader.title}: there is no tab {found}")
        return request
    scores, table = found
    if table is None:
        return request
    tab = Tab("repeats", "Repeats", (table,))
    return replace(request, tabs=(tab,), numbers={"repeats": [score.as_dict() for score in scores]})


def _read(sources: Sequence[Source], tell: Tell, track: Track, jobs: int, scores: Path | None) -> Iterator[Reported]:
    """All results that can be read. With only one source, its error is raised."""

    def read(source: Source) -> Reported:
        return Reported(source.reader, source.reader.read(source.paths, tell, track, jobs, scores))

    if len(sources) == 1:
        yield read(sources[0])
        return
    found, left_out = attempt_each(read, sources, lambda source: source.reader.title)
    for one in left_out:
        tell(f"there is no page on {one}")
    if not found:
        raise SettingsError(f"there is nothing to report on: {'; '.join(map(str, left_out))}")
    yield from found


def _write_cover(folder: Path, reported: Sequence[Reported], tell: Tell) -> None:
    """The front page: models by benchmarks with their main numbers, and a link to each benchmark."""
    table = attempt("Main results", lambda: headline_table(reported))
    if isinstance(table, LeftOut):
        tell(f"the front page has no {table}")
        table = None
    page = environment().get_template("cover.html").render(reported=reported, table=table)
    (folder / FRONT.page).write_bytes(page.encode("utf-8", "replace"))


def headline_table(reported: Sequence[Reported]) -> Table | None:
    """Models by benchmarks: the main numbers of each, a dash where a model was not run."""
    columns: list[Column] = []
    by_model: dict[str, dict[str, Cell]] = {}
    for one in reported:
        columns += one.reader.headline_columns
        for headline in one.results.headlines():
            by_model.setdefault(headline.model, {}).update(headline.cells)
    if not columns or not by_model:
        return None
    rows = tuple(
        one_row(model, (cells.get(column.key, Cell()) for column in columns)) for model, cells in by_model.items()
    )
    notes = ("Corrected scoring (strict), means with 95 % intervals; a model's first condition in each benchmark.",)
    return Table("front", "Main results", "model", tuple(columns), rows, notes)
