"""Results of all benchmarks in some logs and folders, as tables, numbers and data frames, and a report on them: one
benchmark is the front page; several are linked from a cover.
"""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from tolman.core.errors import SettingsError, UnknownNameError, optional_library
from tolman.core.parallel import Tell, Track, untracked
from tolman.core.rules import RULE_SETS, RuleSetNames
from tolman.harness.names import counted
from tolman.ideal.observer import ObserverName
from tolman.report.repeats import found_repeats, with_repeats
from tolman.report.results import (
    BenchmarkResults,
    PageRequest,
    References,
    ResultReader,
    ShownTables,
    Source,
    TableRequest,
    find_sources,
)
from tolman.report.site import environment
from tolman.report.site.folder import check_folder, report_command, vega_beside, whole_folder
from tolman.report.site.page import FRONT, LeftOut, Place, Tab, attempt, attempt_each, beside, write_note
from tolman.report.table import Cell, Column, Table, one_row
from tolman.report.table.formats import table_rows


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
        request = PageRequest(folder, FRONT, command, tell, track, jobs, scripted, observer)
        if len(reported) == 1:
            reported[0].results.write_pages(_with_repeats(request, reported[0]))
        else:
            for one in reported:
                asked = _with_repeats(replace(request, place=one.place), one)
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


if TYPE_CHECKING:
    import polars

RuleChoice = Literal["both", "strict", "published"]
RULES: dict[RuleChoice, RuleSetNames] = {"both": RULE_SETS, "strict": ("strict",), "published": ("published",)}


@dataclass(frozen=True, repr=False)
class Results:
    """All results that were found, by benchmark.

    `table` and `tables` give what `tolman show` prints; `to_pandas` and `to_polars` every score of every scene, one
    row each. Scores are shares from 0 to 1 in data frames of scores, and percent in tables.
    """

    reported: tuple[Reported, ...]
    _shown: dict[TableRequest, dict[str, ShownTables]] = field(
        default_factory=dict[TableRequest, dict[str, ShownTables]], compare=False
    )

    @classmethod
    def read(cls, paths: Sequence[Path], tell: Tell, track: Track = untracked, jobs: int = 1) -> "Results":
        """Results in logs and folders; `jobs` is the number of processes that read and score, -1 for all cores."""
        sources = find_sources(paths, tell)
        return cls(tuple(Reported(each.reader, each.reader.read(each.paths, tell, track, jobs)) for each in sources))

    @property
    def benchmarks(self) -> tuple[str, ...]:
        """Keys of the benchmarks, such as `theory_of_space`."""
        return tuple(one.reader.key for one in self.reported)

    @property
    def models(self) -> tuple[str, ...]:
        """Names of all models, each once."""
        return tuple(dict.fromkeys(model for one in self.reported for model in one.results.models))

    # ---- tables ----

    def shown(self, request: TableRequest, track: Track = untracked) -> dict[str, ShownTables]:
        """Tables, lines between them and numbers, by key of the benchmark; that of repeats last."""
        if request not in self._shown:
            self._shown[request] = {
                one.reader.key: with_repeats(one.results.show(request, track), one.reader, one.results)
                for one in self.reported
            }
        return self._shown[request]

    @cached_property
    def headline(self) -> Table:
        """The main numbers of all models, under the strict rules."""
        table = headline_table(self.reported)
        if table is None:
            raise UnknownNameError(f"these results have no main numbers; choose a table: {', '.join(self.table_names)}")
        return table

    def tables(
        self,
        rules: RuleChoice = "both",
        references: References = "baselines",
        *,
        ceilings: bool = False,
        failures: bool = False,
        observer: ObserverName | None = None,
    ) -> dict[str, Table]:
        """All tables by name, as `tolman show` prints them; with several benchmarks a name is `BENCHMARK/TABLE`."""
        if rules not in RULES:
            raise SettingsError(f"there are no rules {rules!r}; choose from {', '.join(RULES)}")
        shown = self.shown(TableRequest(RULES[rules], references, ceilings, failures, observer))
        return {
            f"{key}/{part.name}" if len(shown) > 1 else part.name: part
            for key, one in shown.items()
            for part in one.parts
            if isinstance(part, Table)
        }

    @cached_property
    def table_names(self) -> tuple[str, ...]:
        """Names of the tables that there are."""
        return tuple(self.tables(references="none"))

    def table(self, name: str = "", rules: RuleChoice = "both", references: References = "baselines") -> Table:
        """The table of a name; without one, the main numbers of all models."""
        if not name:
            return self.headline
        found = self.tables(rules, references)
        if name not in found:
            raise UnknownNameError(f"there is no table {name!r} here; choose from {', '.join(found)}")
        return found[name]

    @cached_property
    def numbers(self) -> dict[str, object]:
        """All numbers as plain values, under both rule sets, as `tolman show --json` writes them."""
        numbers = {key: one.numbers for key, one in self.shown(TableRequest()).items()}
        return next(iter(numbers.values())) if len(numbers) == 1 else dict(numbers)

    # ---- data frames ----

    def scores(self) -> Iterator[dict[str, object]]:
        """Every score: benchmark, model, run, rules, scene, epoch, column, question (from 0), value."""
        for one in self.reported:
            for case in one.results.scores():
                about: dict[str, object] = {
                    "benchmark": one.reader.key,
                    "model": case.model,
                    "run": case.run,
                    "rules": case.rules,
                    "scene": case.case,
                    "epoch": case.epoch,
                }
                for column, values in case.values.items():
                    for question, value in enumerate(values):
                        yield {**about, "column": column, "question": question, "value": value}

    def to_pandas(self, table: str = "") -> Any:
        """Every score of every scene as a pandas data frame; or one table, by its name, before rounding."""
        return _library("pandas").DataFrame(self._rows(table))

    def to_polars(self, table: str = "") -> "polars.DataFrame":
        """Every score of every scene as a polars data frame; or one table, by its name, before rounding."""
        return _library("polars").DataFrame(self._rows(table), infer_schema_length=None)

    def _rows(self, table: str) -> list[dict[str, object]]:
        return table_rows(self.table(table)) if table else list(self.scores())

    # ---- in a notebook ----

    def __repr__(self) -> str:
        counts = [
            f"{one.reader.key}: {counted(one.results.runs, one.reader.words[0])}, "
            f"{counted(one.results.cases, one.reader.words[1])}"
            for one in self.reported
        ]
        return f"Results({counted(len(self.models), 'model')}; {'; '.join(counts)})"

    def _repr_html_(self) -> str:
        table = headline_table(self.reported)
        line = f"<p>{html.escape(repr(self))}</p>"
        return line if table is None else f"{line}\n{table._repr_html_()}"


def _library(name: str) -> Any:
    return optional_library(name, f"{name} is not installed: pip install {name}")
