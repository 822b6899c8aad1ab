"""Runs of vision-language models on SpaRRTa's pictures as tables, numbers and pages."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tolman.benchmarks.sparrta.questions.accuracy import VIEWPOINT_NAMES, balanced_accuracy
from tolman.benchmarks.sparrta.questions.export import as_dict, replies_of, report_tables
from tolman.benchmarks.sparrta.questions.pages import ABOUT, TITLE, write_pages
from tolman.benchmarks.sparrta.questions.runs import TASK, Run, answered_questions, read_runs, run_answers
from tolman.benchmarks.sparrta.sample import VIEWPOINTS
from tolman.core.parallel import Tell, Track
from tolman.report.replies import add_failures
from tolman.report.results import (
    BenchmarkResults,
    CaseScores,
    Headline,
    PageRequest,
    ResultReader,
    ShownTables,
    TableRequest,
)
from tolman.report.table import Column


def _columns(score: str, definition: str) -> tuple[Column, ...]:
    """A column of each viewpoint."""
    titles = {view: f"from the {VIEWPOINT_NAMES[view]}" for view in VIEWPOINTS}
    return tuple(
        Column(f"{view}/{score}", title, "SpaRRTa", better="higher", definition=definition)
        for view, title in titles.items()
    )


HEADLINES = _columns("balanced", "Balanced accuracy: the mean over the four relations of the share answered correctly.")
ANSWERED = _columns("right", "Share of questions answered correctly.")


@dataclass(frozen=True)
class PictureResults(BenchmarkResults):
    """Runs of models that were asked about pictures."""

    found: tuple[Run, ...]

    def show(self, request: TableRequest, track: Track) -> ShownTables:
        """Accuracy, confusions and reliability; failures if requested."""
        del track
        known = run_answers(self.found)
        parts = list(report_tables(known, references=request.references != "none"))
        shown = ShownTables(parts, as_dict(known))
        return add_failures(shown, replies_of(known)) if request.failures else shown

    def write_pages(self, request: PageRequest) -> Path:
        return write_pages(self.found, request)

    def headlines(self) -> Sequence[Headline]:
        """The first run of each model: the one without reasoning."""
        first = {run.name: run for run in reversed(self.found)}
        found: list[Headline] = []
        for name, run in first.items():
            answers = list(answered_questions(run.cases))
            by_view = {view: [one for one in answers if one.viewpoint == view] for view in VIEWPOINTS}
            cells = {
                column.key: column.style(balanced_accuracy(by_view[view]))
                for view, column in zip(VIEWPOINTS, HEADLINES, strict=True)
                if by_view[view]
            }
            found.append(Headline(name, cells))
        return found

    def scores(self) -> Iterator[CaseScores]:
        for known in run_answers(self.found):
            for case in known.run.cases:
                values: dict[str, tuple[float, ...]] = {}
                for answer in answered_questions([case]):
                    values[f"{answer.viewpoint}/right"] = (float(answer.right),)
                yield CaseScores(known.run.name, known.name, "both", case.id, case.epoch, values)


class PictureReader(ResultReader):
    """Reads logs of SpaRRTa."""

    name, key, task = "sparrta-questions", "sparrta", TASK
    title, about = TITLE, ABOUT
    words = ("run", "picture")
    headline_columns = HEADLINES
    repeat_columns = ANSWERED

    def read(
        self, paths: Sequence[Path], tell: Tell, track: Track, jobs: int = 1, scores: Path | None = None
    ) -> PictureResults:
        del scores
        runs = read_runs(paths, tell, track, jobs)
        pictures = {case.id for run in runs for case in run.cases}
        return PictureResults(tuple(dict.fromkeys(run.name for run in runs)), len(runs), len(pictures), tuple(runs))


RESULTS = PictureReader()
