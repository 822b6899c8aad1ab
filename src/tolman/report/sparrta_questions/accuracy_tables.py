"""Tables of right answers: by viewpoint, by environment, by triple."""

from collections.abc import Callable, Iterator, Sequence

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.report.intervals import Interval
from tolman.report.sparrta_questions.accuracy import accuracy, balanced_accuracy
from tolman.report.sparrta_questions.answered import Answered
from tolman.report.sparrta_questions.question_figures import (
    CHANCE,
    QuestionFigures,
    certain,
    environments_of,
    majority,
    triples_of,
    viewpoints_of,
)
from tolman.report.table import Cell, Entry, Row, Table, heading, percent

FROM: dict[Viewpoint, str] = {"ego": "camera", "allo": "person"}
RUNS, COMPARED = "Models", "For comparison, the same questions"
_BALANCED = "balanced: mean over the four answers, so that always the same word gets 25 %. Not read counts as wrong"
_BOTH = "both, mean: over all answers from either viewpoint, not pictures with both answers right"
_COMPARED = "chance: any of four words; majority: the word that is right most often from a viewpoint, known afterwards"
Numbers = Callable[[QuestionFigures], tuple[Cell, ...]]


def accuracy_tables(runs: Sequence[QuestionFigures], *, references: bool = True) -> Iterator[Table]:
    """The main table, that by environment, and that by triple where there are several."""
    yield _by_viewpoint(runs, references)
    if len(environments_of(runs)) > 1:
        yield _by_environment(runs, references)
    if len(triples_of(runs)) > 1:
        yield _by_triple(runs, references)


def _by_viewpoint(runs: Sequence[QuestionFigures], references: bool) -> Table:
    views = viewpoints_of(runs)
    heads = [heading(title, f"From the {FROM[view]}") for view in views for title in ("right", "balanced")]
    heads += [heading("right", "Both, mean")] * (len(views) > 1)

    def cells(run: QuestionFigures) -> tuple[Cell, ...]:
        found = [percent(figure(run.of(view))) for view in views for figure in (accuracy, balanced_accuracy)]
        return (*found, *[percent(accuracy(run.answers))] * (len(views) > 1))

    notes = (_BALANCED, *[_BOTH] * (len(views) > 1), *[_COMPARED] * references)
    return Table("accuracy", "Right answers, %", "model", tuple(heads), _entries(runs, cells, references), notes)


def _by_environment(runs: Sequence[QuestionFigures], references: bool) -> Table:
    places: list[tuple[str, Viewpoint]] = [
        (environment, view) for environment in environments_of(runs) for view in viewpoints_of(runs)
    ]
    heads = tuple(heading(FROM[view], environment.replace("_", " ").capitalize()) for environment, view in places)

    def cells(run: QuestionFigures) -> tuple[Cell, ...]:
        return tuple(percent(accuracy(run.of(view, environment))) for environment, view in places)

    title = "Right answers by environment, %"
    return Table("by-environment", title, "model", heads, _entries(runs, cells, references))


def _entries(runs: Sequence[QuestionFigures], cells: Numbers, references: bool) -> tuple[Entry, ...]:
    """Entries of the runs, and of those they are compared with."""
    entries = [Entry(run.name, (Row(cells(run)),), pictures_done(run), section=RUNS) for run in runs]
    most = majority(runs) if references else None
    if most is not None:
        known = cells(most)
        chance = tuple(percent(certain(CHANCE)) if cell.known else Cell() for cell in known)
        entries += [
            Entry(name, (Row(found),), section=COMPARED, reference=True)
            for name, found in (("chance", chance), ("majority", known))
        ]
    return tuple(entries)


def _by_triple(runs: Sequence[QuestionFigures], references: bool) -> Table:
    views, triples = viewpoints_of(runs), triples_of(runs)
    figures: tuple[Callable[[Sequence[Answered]], Interval], ...] = (accuracy, balanced_accuracy)
    heads = [heading(title, f"From the {FROM[view]}") for view in views for title in ("right", "balanced")]

    def rows(run: QuestionFigures) -> tuple[Row, ...]:
        found = (
            Row(tuple(percent(figure(run.of(view, triple_name=name))) for view in views for figure in figures), name)
            for name in triples
        )
        return tuple(row for row in found if row.known)

    entries = [Entry(run.name, rows(run), section=RUNS, apart=True) for run in runs]
    if references and (most := majority(runs)) is not None:
        entries.append(Entry("majority", rows(most), section=COMPARED, reference=True, apart=True))
    notes = tuple(f"{name}: {things}" for name, things in triples.items())
    return Table("by-triple", "Right answers by triple, %", "triple", tuple(heads), tuple(entries), notes)


def pictures_done(run: QuestionFigures) -> str:
    """How many pictures were asked about."""
    done, planned = len(run.run.cases), run.run.planned
    return f"{done}{'' if done == planned else f' of {planned}'} picture{'s' * (planned != 1)}"
