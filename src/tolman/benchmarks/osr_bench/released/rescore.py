"""Score the authors' released result files again: which stored answers and scores are reproduced, and what corrected
scoring gives.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean

from rich.text import Text

from tolman.benchmarks.osr_bench.maps.grid import read_map
from tolman.benchmarks.osr_bench.maps.scores import GridMapScore, score_map
from tolman.benchmarks.osr_bench.questions.question import answer_of, grade
from tolman.benchmarks.osr_bench.released.scenes import (
    ReleasedAnswer,
    ReleasedMap,
    ReleasedScene,
    find_results,
    is_hosted,
    is_released,
    is_results,
    read_results,
    read_scenes,
)
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.scores import COLUMNS, DISTANCE, F1, MIRRORED_F1, PRECISION, RECALL, ROTATION_COLUMN
from tolman.core.errors import SceneFileError
from tolman.harness.names import counted, printable
from tolman.report.rescored import BothScores, ComparedValue, Reason, RescoredSection, differences, identity_table
from tolman.report.table import Cell, Column, Row, RowGroup, Table, integer, number, point_estimate

ALL_CLASSES_RULES = replace(PUBLISHED, every_class_counts=True)
"""Published rules, but precision and recall are over all classes."""
JUDGED = Reason(
    "judged by a model",
    "answers to negative questions were judged by a model, whose verdicts are not in the files",
    "tests/benchmarks/osr_bench/released/test_rescore.py",
)
_COUNTS = (("tp", "found"), ("fp", "invented"), ("fn", "missed"))


@dataclass(frozen=True)
class RescoredMap:
    """One stated map under three scorings."""

    place: str
    model: str
    stored_f1: float
    released: GridMapScore
    all_classes: GridMapScore
    strict: GridMapScore

    @property
    def scorings(self) -> tuple[tuple[str, GridMapScore], ...]:
        return ("as released", self.released), ("all classes", self.all_classes), ("strict", self.strict)


@dataclass
class RescoredResults:
    """The outcome for any number of scenes and result files."""

    scenes: int = 0
    results: int = 0
    answers: RescoredSection = field(default_factory=RescoredSection)
    """Stored answers against those computed from the maps."""
    maps: RescoredSection = field(default_factory=RescoredSection)
    """Stored scores of maps."""
    scores: RescoredSection = field(default_factory=RescoredSection)
    """Stored scores of answers."""
    stated: list[RescoredMap] = field(default_factory=list[RescoredMap])
    stored_means: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Scores of answers as stored, by kind."""

    def add_scene(self, scene: ReleasedScene) -> None:
        """Compute all answers of a scene again."""
        self.scenes += 1
        for asked, questions in scene.questions.items():
            for question in questions:
                ours = answer_of(scene.truth, question.kind, question.names)
                kind, place = f"{asked}, {question.kind}", f"turn {question.turn}"
                value = ComparedValue(kind, place, ours, question.answer, run=scene.name, turn=question.turn)
                self.answers.compare(value)

    def add_results(self, file: Path) -> None:
        """Score the maps and answers of a result file again."""
        self.results += 1
        rows = list(read_results(file))
        answers = [row for row in rows if isinstance(row, ReleasedAnswer)]
        think = _tags_were_read(answers)
        for row in rows:
            if isinstance(row, ReleasedMap):
                self._add_map(row)
            else:
                self._add_answer(row, think=think)

    def _add_map(self, stated: ReleasedMap) -> None:
        size, order = stated.truth.size, list(stated.classes)
        plain = read_map(stated.reply, PUBLISHED, size)
        released = score_map(stated.truth, plain, PUBLISHED, order)
        for value in _compared(stated, released):
            self.maps.compare(value)
        all_classes = score_map(stated.truth, plain, ALL_CLASSES_RULES)
        strict = score_map(stated.truth, read_map(stated.reply, STRICT, size), STRICT)
        stored = stated.overall.get("f1", 0.0)
        self.stated.append(RescoredMap(stated.place, stated.model, stored, released, all_classes, strict))

    def _add_answer(self, answer: ReleasedAnswer, *, think: bool) -> None:
        question, kind = answer.question, f"{answer.asked}, {answer.question.kind}"
        if answer.truth is not None:
            ours = answer_of(answer.truth, question.kind, question.names)
            self.answers.compare(ComparedValue(f"{kind}, in results", answer.place, ours, question.answer))
        value = ComparedValue(kind, answer.place, grade(question, answer.reply, PUBLISHED, think=think), answer.score)
        judged = answer.asked == "negative" and not value.identical
        self.scores.compare(replace(value, uncheckable=JUDGED if judged else None))
        self.stored_means.setdefault(kind, []).append(answer.score)
        self.scores.score(kind, "published", grade(question, answer.reply, PUBLISHED, think=True))
        self.scores.score(kind, "strict", grade(question, answer.reply, STRICT, think=True))


def rescore_osr(path: Path, tell: Callable[[], object] = lambda: None) -> RescoredResults:
    """Rescore all scenes and result files at a path; `tell` is called after each."""
    outcome = RescoredResults()
    if path.is_dir() and (is_released(path) or is_hosted(path)):
        for scene in read_scenes(path):
            outcome.add_scene(scene)
            tell()
    for file in find_results(path):
        outcome.add_results(file)
        tell()
    if not outcome.scenes and not outcome.results:
        raise SceneFileError(f"{path} holds neither scenes nor results of OSR-Bench")
    return outcome


def is_osr(path: Path) -> bool:
    """Whether a path holds scenes or results of OSR-Bench."""
    return path.exists() and ((path.is_dir() and (is_released(path) or is_hosted(path))) or is_results(path))


def _tags_were_read(answers: list[ReleasedAnswer]) -> bool:
    """Whether the stored scores are of the text between tags; released ones with reasoning are of the whole text."""
    same = [sum(grade(a.question, a.reply, PUBLISHED, think=t) == a.score for a in answers) for t in (False, True)]
    return same[1] > same[0]


def _compared(stated: ReleasedMap, ours: GridMapScore) -> Iterator[ComparedValue]:
    place, stored = stated.place, stated.overall
    for name, value in (
        ("precision", ours.precision),
        ("recall", ours.recall),
        ("f1", ours.f1),
        ("avg_distance", ours.distance),
        ("chair_s", float(ours.invents)),
        ("chair_i", ours.invented_class_rate),
        ("chair_instance", ours.invented_object_rate),
        *((key, float(getattr(ours.tally, name))) for key, name in _COUNTS),
    ):
        yield ComparedValue(name, place, value, stored.get(name))
    for name, values in stated.classes.items():
        tally = ours.classes.get(name)
        counts = None if tally is None else tuple(float(getattr(tally, part)) for _, part in _COUNTS)
        yield ComparedValue(
            "counts of a class", f"{place}, {name}", counts, tuple(values.get(key) for key, _ in _COUNTS)
        )
        yield ComparedValue(
            "distance of a class", f"{place}, {name}", tally and tally.distance, values.get("avg_distance")
        )


_SHOWN, _WIDE = 20, 76


def rescored_osr_tables(outcome: RescoredResults) -> Iterator[Text | Table]:
    """The tables to print; they fit a terminal of 80 columns."""
    sections = (
        ("Answers from the maps", outcome.answers),
        ("Scores of maps", outcome.maps),
        ("Scores of answers", outcome.scores),
    )
    found = tuple((title, section) for title, section in sections if section.counts)
    compared = f"{counted(outcome.scenes, 'scene')} and {counted(outcome.results, 'result file')}"
    yield identity_table(f"{compared}: identical to the stored values", found)
    yield from differences(found)
    if outcome.stated:
        yield _map_table(outcome)
    if outcome.stored_means:
        yield _answer_table(outcome)


_MAP_COLUMNS = (
    *(replace(COLUMNS[key], short="", style=number(3)) for key in (PRECISION, RECALL, F1, DISTANCE)),
    ROTATION_COLUMN,
    replace(COLUMNS[MIRRORED_F1], short="", style=number(3)),
)
"""Shares from 0 to 1, as the authors print them."""


def _map_table(outcome: RescoredResults) -> Table:
    few = outcome.stated[:_SHOWN]
    scorings = zip(*(row.scorings for row in outcome.stated), strict=True)
    means = tuple(_map_row(scores[0][0], [score for _, score in scores]) for scores in scorings)
    entries = (*map(_map_rows, few), RowGroup("mean over all maps", means, apart=True))
    title = f"Maps: the first {len(few)} of {len(outcome.stated)}, and means over all"
    return Table("maps", title, "map", _MAP_COLUMNS, entries, labels="scoring")


def _map_rows(row: RescoredMap) -> RowGroup:
    name = printable(_short(row.place.removesuffix(", turn 0")))
    return RowGroup(name, tuple(_map_row(title, [score], score) for title, score in row.scorings), apart=True)


def _map_row(title: str, scores: Sequence[GridMapScore], one: GridMapScore | None = None) -> Row:
    """Means over maps; for a single map also its rotation and the F1 of its mirror image."""
    values = zip(*((score.precision, score.recall, score.f1, score.distance) for score in scores), strict=True)
    turned = Cell() if one is None or not one.read else _degrees(90 * one.quarters)
    return Row((*(_number(fmean(each)) for each in values), turned, _number(one and one.mirrored_f1)), title)


def _number(value: float | None) -> Cell:
    return number(3)(point_estimate(value))


def _degrees(turn: int) -> Cell:
    return Cell(f"{turn}°", value=point_estimate(turn))


def _short(name: str) -> str:
    """The end of a long name, where scene names differ."""
    return name if len(name) <= _WIDE else f"…{name[1 - _WIDE :]}"


_ANSWER_COLUMNS = (
    Column("answers", "answers", style=number(0), definition="Answers that the released files hold."),
    Column(
        "mean/stored", "stored", "mean score", style=number(3), definition="Mean of the stored scores, from 0 to 1."
    ),
    Column(
        "mean/published",
        "published",
        "mean score",
        style=number(3),
        better="higher",
        definition="Mean under the scoring of the authors' released code, of the text between answer tags.",
    ),
    Column(
        "mean/strict",
        "strict",
        "mean score",
        style=number(3),
        better="higher",
        definition="Mean under corrected scoring.",
    ),
)


def _answer_table(outcome: RescoredResults) -> Table:
    entries = tuple(
        RowGroup(printable(kind), (_answer_row(stored, outcome.scores.scores[kind]),))
        for kind, stored in outcome.stored_means.items()
    )
    return Table("scores-answers", "Answers: mean scores", "kind", _ANSWER_COLUMNS, entries, compact=True)


def _answer_row(stored: Sequence[float], scores: BothScores) -> Row:
    means = (fmean(stored), scores.mean("published") or 0.0, scores.mean("strict") or 0.0)
    return Row((integer(len(stored)), *map(_number, means)))


def rescored_osr_as_dict(outcome: RescoredResults) -> dict[str, object]:
    """Plain values, ready for JSON."""
    return {
        "scenes": outcome.scenes,
        "results": outcome.results,
        "answers": outcome.answers.as_dict(),
        "map_scores": outcome.maps.as_dict(),
        "answer_scores": outcome.scores.as_dict()
        | {"stored": {kind: fmean(scores) for kind, scores in outcome.stored_means.items()}},
        "maps": [
            {
                "place": row.place,
                "model": row.model,
                "stored_f1": row.stored_f1,
                **{
                    name: {"precision": score.precision, "recall": score.recall, "f1": score.f1, "read": score.read}
                    for name, score in row.scorings
                },
                "turn": 90 * row.strict.quarters,
                "mirrored_f1": row.strict.mirrored_f1,
            }
            for row in outcome.stated
        ],
    }
