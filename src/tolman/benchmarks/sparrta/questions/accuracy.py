"""Accuracy of answers with 95 % intervals over pictures, and its tables: by viewpoint, environment and triple,
confusions, the effect of the viewpoint, and the scores of blind strategies, with a stated baseline.

Where a picture has one answer the interval is Wilson's; else pictures are resampled, as the answers about one
picture are correlated.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.case import RelationQuestion
from tolman.benchmarks.sparrta.cases import stored_cases
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.questions.runs import (
    CHANCE,
    UNPARSEABLE,
    AnsweredQuestion,
    RunAnswers,
    confusion,
    environments_of,
    majority_baseline,
    triples_of,
    viewpoints_of,
)
from tolman.benchmarks.sparrta.sample import RELATIONS, VIEWPOINTS, Relation, Viewpoint
from tolman.core.seeds import rng
from tolman.harness.names import counted
from tolman.report.baselines import BaselineGrid, BaselineRequest, Value, Values, numbers_of
from tolman.report.statistics import RESAMPLES, UNKNOWN, Interval, wilson_interval
from tolman.report.table import Cell, Row, RowGroup, Table, heading, one_row, percent, point_estimate

Floats = NDArray[np.float64]
_ENDS = (0.025, 0.975)


def accuracy(answers: Sequence[AnsweredQuestion]) -> Interval:
    """Share of correct answers."""
    if not answers:
        return UNKNOWN
    if len({answer.picture for answer in answers}) == len(answers):
        return share_interval(sum(answer.right for answer in answers), len(answers))
    return _interval(_resampled(answers, rng(0, "pictures again")), len(answers))


def share_interval(part: int, whole: int) -> Interval:
    """A share of independent cases, with Wilson's interval."""
    if not whole:
        return UNKNOWN
    return Interval(part / whole, *wilson_interval(part / whole, whole))


def balanced_accuracy(answers: Sequence[AnsweredQuestion]) -> Interval:
    """The mean recall over the four true relations, so that a constant answer gets 25 %.

    Unknown if a relation is never the true one. Pictures are resampled within each relation.
    """
    of_relation = [[answer for answer in answers if answer.answer == relation] for relation in RELATIONS]
    if not all(of_relation):
        return UNKNOWN
    stream = rng(0, "pictures of a relation again")
    recalls = np.array([_resampled(asked, stream) for asked in of_relation])
    return _interval(recalls.mean(axis=0), len(answers))


def _resampled(answers: Sequence[AnsweredQuestion], stream: np.random.Generator) -> Floats:
    """Accuracy, then accuracy of each bootstrap sample of pictures."""
    pictures: dict[str, tuple[int, int]] = {}
    for answer in answers:
        right, asked = pictures.get(answer.picture, (0, 0))
        pictures[answer.picture] = right + answer.right, asked + 1
    alike = Counter(pictures.values())
    kinds, counts = np.array(list(alike), dtype=np.float64), np.array(list(alike.values()))
    drawn = stream.multinomial(len(pictures), counts / len(pictures), size=RESAMPLES)
    sums: Floats = np.vstack([counts, drawn]) @ kinds
    return sums[:, 0] / sums[:, 1]


def _interval(drawn: Floats, answers: int) -> Interval:
    mean = float(drawn[0])
    if answers < 3:
        return Interval(mean, float("nan"), float("nan"))
    low, high = np.quantile(drawn[1:], _ENDS)
    return Interval(mean, float(low), float(high))


VIEWPOINT_NAMES: dict[Viewpoint, str] = {"ego": "camera", "allo": "person"}
RUNS, COMPARED = "Models", "For comparison, the same questions"
_BALANCED = "balanced: mean recall over the four relations; a constant answer gets 25 %. Unparseable counts as wrong"
_BOTH = "both, mean: over all answers from either viewpoint, not the share of pictures with both correct"
_COMPARED = "chance: one of four relations; majority: the most frequent relation of a viewpoint, known in hindsight"
CellsOfRun = Callable[[RunAnswers], tuple[Cell, ...]]


def accuracy_tables(runs: Sequence[RunAnswers], *, references: bool = True) -> Iterator[Table]:
    """The main table, that by environment, and that by triple where there are several."""
    yield _by_viewpoint(runs, references)
    if len(environments_of(runs)) > 1:
        yield _by_environment(runs, references)
    if len(triples_of(runs)) > 1:
        yield _by_triple(runs, references)


def _by_viewpoint(runs: Sequence[RunAnswers], references: bool) -> Table:
    views = viewpoints_of(runs)
    heads = [heading(title, f"From the {VIEWPOINT_NAMES[view]}") for view in views for title in ("right", "balanced")]
    heads += [heading("right", "Both, mean")] * (len(views) > 1)

    def cells(run: RunAnswers) -> tuple[Cell, ...]:
        found = [percent(figure(run.select(view))) for view in views for figure in (accuracy, balanced_accuracy)]
        return (*found, *[percent(accuracy(run.answers))] * (len(views) > 1))

    notes = (_BALANCED, *[_BOTH] * (len(views) > 1), *[_COMPARED] * references)
    return Table("accuracy", "Right answers, %", "model", tuple(heads), _entries(runs, cells, references), notes)


def _by_environment(runs: Sequence[RunAnswers], references: bool) -> Table:
    places: list[tuple[str, Viewpoint]] = [
        (environment, view) for environment in environments_of(runs) for view in viewpoints_of(runs)
    ]
    heads = tuple(
        heading(VIEWPOINT_NAMES[view], environment.replace("_", " ").capitalize()) for environment, view in places
    )

    def cells(run: RunAnswers) -> tuple[Cell, ...]:
        return tuple(percent(accuracy(run.select(view, environment))) for environment, view in places)

    title = "Right answers by environment, %"
    return Table("by-environment", title, "model", heads, _entries(runs, cells, references))


def _entries(runs: Sequence[RunAnswers], cells: CellsOfRun, references: bool) -> tuple[RowGroup, ...]:
    """Entries of the runs, and of chance and majority."""
    entries = [one_row(run.name, cells(run), pictures_done(run), section=RUNS) for run in runs]
    most = majority_baseline(runs) if references else None
    if most is not None:
        known = cells(most)
        chance = tuple(percent(point_estimate(CHANCE)) if cell.known else Cell() for cell in known)
        entries += [
            one_row(name, found, section=COMPARED, reference=True)
            for name, found in (("chance", chance), ("majority", known))
        ]
    return tuple(entries)


def _by_triple(runs: Sequence[RunAnswers], references: bool) -> Table:
    views, triples = viewpoints_of(runs), triples_of(runs)
    figures: tuple[Callable[[Sequence[AnsweredQuestion]], Interval], ...] = (accuracy, balanced_accuracy)
    heads = [heading(title, f"From the {VIEWPOINT_NAMES[view]}") for view in views for title in ("right", "balanced")]

    def rows(run: RunAnswers) -> tuple[Row, ...]:
        found = (
            Row(
                tuple(percent(figure(run.select(view, triple_name=name))) for view in views for figure in figures), name
            )
            for name in triples
        )
        return tuple(row for row in found if row.known)

    entries = [RowGroup(run.name, rows(run), section=RUNS, apart=True) for run in runs]
    if references and (most := majority_baseline(runs)) is not None:
        entries.append(RowGroup("majority", rows(most), section=COMPARED, reference=True, apart=True))
    notes = tuple(f"{name}: {things}" for name, things in triples.items())
    return Table("by-triple", "Right answers by triple, %", "triple", tuple(heads), tuple(entries), notes)


def pictures_done(run: RunAnswers) -> str:
    """Number of finished pictures in words."""
    return run.run.done("picture")


@dataclass(frozen=True)
class ViewpointChange:
    """Shares of pictures."""

    pictures: int
    both_right: Interval
    same_said: Interval
    """The same answer was given from both viewpoints."""
    same_true: Interval
    """The same answer is correct from both viewpoints."""
    as_camera: Interval
    """Of pictures whose correct answers differ, those where the camera's is given for the person."""


def viewpoint_change(answers: Sequence[AnsweredQuestion]) -> ViewpointChange:
    """Answers from camera and person on the same pictures; of repeated ones the last."""
    ego = {answer.picture: answer for answer in answers if answer.viewpoint == "ego"}
    allo = {answer.picture: answer for answer in answers if answer.viewpoint == "allo"}
    both = [(ego[picture], allo[picture]) for picture in ego if picture in allo]
    apart = [(camera, person) for camera, person in both if camera.answer != person.answer]
    count = len(both)
    return ViewpointChange(
        pictures=count,
        both_right=share_interval(sum(camera.right and person.right for camera, person in both), count),
        same_said=share_interval(
            sum(camera.said is not None and camera.said == person.said for camera, person in both), count
        ),
        same_true=share_interval(count - len(apart), count),
        as_camera=share_interval(sum(person.said == camera.answer for camera, person in apart), len(apart)),
    )


_SAID = tuple(
    heading(said.replace(" ", "\n"), "" if said == UNPARSEABLE else "Said") for said in (*RELATIONS, UNPARSEABLE)
)
_CHANGE = (heading("pictures"), heading("both\nright"), heading("said", "Same answer"), heading("true", "Same answer"))
_AS_CAMERA = heading("as from\ncamera")


def confusion_tables(runs: Sequence[RunAnswers]) -> Iterator[Table]:
    """Confusion of answers from each viewpoint, then a comparison of the viewpoints."""
    for view in viewpoints_of(runs):
        entries = tuple(
            RowGroup(run.name, _rows(run, view), section="True answer", apart=True) for run in runs if run.select(view)
        )
        notes = ("Rows: true answers; below each count its share of the row",)
        yield Table(f"confusion-{view}", f"Confusions, from the {VIEWPOINT_NAMES[view]}", "true", _SAID, entries, notes)
    changes = [(run.name, viewpoint_change(run.answers)) for run in runs]
    changed = [
        one_row(
            name,
            (
                Cell(str(known.pictures)),
                *(percent(each) for each in (known.both_right, known.same_said, known.same_true)),
                percent(known.as_camera),
            ),
            section=RUNS,
        )
        for name, known in changes
        if known.pictures
    ]
    if changed:
        notes = (
            "Pictures asked about from both viewpoints. Same answer from camera and person: as given, and in truth",
            "as from camera: of pictures where the answers differ, those where the camera's is given for the person",
        )
        yield Table("viewpoints", "Camera and person, %", "model", (*_CHANGE, _AS_CAMERA), tuple(changed), notes)


def _rows(run: RunAnswers, view: str) -> tuple[Row, ...]:
    table = confusion([answer for answer in run.answers if answer.viewpoint == view])
    rows: list[Row] = []
    for true, said in table.items():
        total = sum(said.values())
        if total:
            rows.append(Row(tuple(_count(count, total) for count in said.values()), true))
    return tuple(rows)


def _count(count: int, total: int) -> Cell:
    return Cell(str(count), f"{100 * count / total:.0f} %" if count else "")


_GUESSES = {
    "chance": "any of the four words",
    "constant": "always option A",
    **{f"always {word}": f"the word {word}, of every picture" for word in RELATIONS},
    "blind": "a word at random, drawn once for each question",
}


def baseline_grid(request: BaselineRequest) -> BaselineGrid | None:
    """SpaRRTa's questions about the pictures in a folder. Answers do not depend on the pictures."""
    if request.pictures is None:
        return None
    cases = stored_cases(request.pictures, Options())
    questions = [(case, question) for case in cases for question in case.questions]
    values: Values = {}
    for name in _GUESSES:
        found: dict[str, Value] = {}
        for view in VIEWPOINTS:
            stream = rng(0, "sparrta", "blind", view)
            said = [
                AnsweredQuestion(case.id, case.environment, case.triple, view, asked.answer, _word(name, asked, stream))
                for case, asked in questions
                if asked.viewpoint == view
            ]
            scores = {f"{view}/right": accuracy(said), f"{view}/balanced": balanced_accuracy(said)}
            known = dict.fromkeys(scores, point_estimate(CHANCE)) if name == "chance" else scores
            found |= numbers_of(known)
        values[name] = {"strict": found}
    columns = {
        f"{view}/{key}": f"{VIEWPOINT_NAMES[view]}, {title}"
        for view in VIEWPOINTS
        for key, title in (("balanced", "balanced"), ("right", "right"))
    }
    stated = {f"{view}/balanced": 0.25 for view in VIEWPOINTS}
    return BaselineGrid(
        "SpaRRTa, questions", counted(len(cases), "picture"), len(cases), _GUESSES, columns, stated, values
    )


def _word(name: str, asked: RelationQuestion, stream: np.random.Generator) -> Relation:
    if name == "constant":
        return asked.options[0]
    always: dict[str, Relation] = {f"always {word}": word for word in RELATIONS}
    return always.get(name) or RELATIONS[int(stream.integers(len(RELATIONS)))]
