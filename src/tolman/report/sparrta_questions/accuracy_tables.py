"""Tables of right answers: by viewpoint, by environment, by triple."""

from collections.abc import Callable, Iterator, Sequence

from tolman.benchmarks.sparrta.relations import Viewpoint
from tolman.report.cells import percent
from tolman.report.intervals import Interval
from tolman.report.sheet import Cell, Entry, Head, Part, Row, Sheet
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

FROM: dict[Viewpoint, str] = {"ego": "camera", "allo": "person"}
RUNS, COMPARED = "Models", "For comparison, the same questions"
_BALANCED = "balanced: mean over the four answers, so that always the same word gets 25 %. Not read counts as wrong"
_BOTH = "both, mean: over all answers from either viewpoint, not pictures with both answers right"
_COMPARED = "chance: any of four words; majority: the word that is right most often from a viewpoint, known afterwards"
Numbers = Callable[[QuestionFigures], tuple[Cell, ...]]


def accuracy_sheets(runs: Sequence[QuestionFigures], *, references: bool = True) -> Iterator[Sheet]:
    """The main table, that by environment, and that by triple where there are several."""
    yield _by_viewpoint(runs, references)
    if len(environments_of(runs)) > 1:
        yield _by_environment(runs, references)
    if len(triples_of(runs)) > 1:
        yield _by_triple(runs, references)


def _by_viewpoint(runs: Sequence[QuestionFigures], references: bool) -> Sheet:
    views = viewpoints_of(runs)
    heads = [Head(title, f"From the {FROM[view]}") for view in views for title in ("right", "balanced")]
    heads += [Head("right", "Both, mean")] * (len(views) > 1)

    def cells(run: QuestionFigures) -> tuple[Cell, ...]:
        found = [percent(figure(run.of(view))) for view in views for figure in (accuracy, balanced_accuracy)]
        return (*found, *[percent(accuracy(run.answers))] * (len(views) > 1))

    notes = (_BALANCED, *[_BOTH] * (len(views) > 1), *[_COMPARED] * references)
    return Sheet("Right answers, %", tuple(heads), _parts(runs, cells, references), notes)


def _by_environment(runs: Sequence[QuestionFigures], references: bool) -> Sheet:
    places: list[tuple[str, Viewpoint]] = [
        (environment, view) for environment in environments_of(runs) for view in viewpoints_of(runs)
    ]
    heads = tuple(Head(FROM[view], environment.replace("_", " ").capitalize()) for environment, view in places)

    def cells(run: QuestionFigures) -> tuple[Cell, ...]:
        return tuple(percent(accuracy(run.of(view, environment))) for environment, view in places)

    return Sheet("Right answers by environment, %", heads, _parts(runs, cells, references))


def _parts(runs: Sequence[QuestionFigures], cells: Numbers, references: bool) -> tuple[Part, ...]:
    """Entries of the runs, and of those they are compared with."""
    parts = [Part(RUNS, tuple(Entry(f"{run.name} · {pictures_done(run)}", (Row("", cells(run)),)) for run in runs))]
    most = majority(runs) if references else None
    if most is not None:
        known = cells(most)
        chance = tuple(Cell() if cell == Cell() else percent(certain(CHANCE)) for cell in known)
        entries = Entry("chance", (Row("", chance),)), Entry("majority", (Row("", known),))
        parts.append(Part(COMPARED, entries, quiet=True))
    return tuple(parts)


def _by_triple(runs: Sequence[QuestionFigures], references: bool) -> Sheet:
    views, triples = viewpoints_of(runs), triples_of(runs)
    figures: tuple[Callable[[Sequence[Answered]], Interval], ...] = (accuracy, balanced_accuracy)
    heads = [Head(title, f"From the {FROM[view]}") for view in views for title in ("right", "balanced")]

    def rows(run: QuestionFigures) -> tuple[Row, ...]:
        found = (
            Row(name, tuple(percent(figure(run.of(view, triple_name=name))) for view in views for figure in figures))
            for name in triples
        )
        return tuple(row for row in found if row.known)

    entries = [Part(RUNS, tuple(Entry(run.name, rows(run), apart=True) for run in runs))]
    if references and (most := majority(runs)) is not None:
        entries.append(Part(COMPARED, (Entry("majority", rows(most), apart=True),), quiet=True))
    notes = tuple(f"{name}: {things}" for name, things in triples.items())
    return Sheet("Right answers by triple, %", tuple(heads), tuple(entries), notes)


def pictures_done(run: QuestionFigures) -> str:
    """How many pictures were asked about."""
    done, planned = len(run.run.cases), run.run.planned
    return f"{done}{'' if done == planned else f' of {planned}'} picture{'s' * (planned != 1)}"
