"""Score the authors' released result files again: which stored answers and scores are reproduced, and what corrected
scoring gives.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from statistics import fmean
from typing import cast

from rich.markup import escape
from rich.table import Table

from tolman.benchmarks.osr_bench.maps.grid import GridMap
from tolman.benchmarks.osr_bench.maps.reading import read_map
from tolman.benchmarks.osr_bench.maps.scores import MapScore, score_map
from tolman.benchmarks.osr_bench.questions.grading import grade
from tolman.benchmarks.osr_bench.questions.question import AskedSet, Question, answer_of
from tolman.benchmarks.osr_bench.released.scenes import (
    ReleasedScene,
    asks_for_map,
    is_hosted,
    is_released,
    read_scenes,
    read_stored_map,
    read_table,
    read_turn,
)
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT
from tolman.core.errors import SceneFileError
from tolman.harness.rescoring import ComparedValue, Reason, RescoredSection
from tolman.report.rescored import differences, identity_table, plain_table

_COLUMNS = ("image_id", "model", "turn_id", "skills_tested", "question", "model_answer", "ground_truth", "score")
_NAMES = "*results*.csv"
ScoreValues = Mapping[str, float]


@dataclass(frozen=True)
class ReleasedMap:
    """A stated map with its stored score."""

    place: str
    model: str
    truth: GridMap
    reply: str
    overall: ScoreValues
    classes: Mapping[str, ScoreValues]
    """In the order in which they were summed up; empty for a map that was not read."""


@dataclass(frozen=True)
class ReleasedAnswer:
    """An answer with its stored score."""

    place: str
    model: str
    asked: AskedSet
    question: Question
    reply: str
    score: float
    truth: GridMap | None
    """The map that the question was asked about, where the file holds it."""


def is_results(path: Path) -> bool:
    """Whether a path is a result file, or a folder with some."""
    return path.suffix == ".csv" if path.is_file() else any(True for _ in path.rglob(_NAMES))


def find_results(path: Path) -> list[Path]:
    """The result files at a path, or anywhere below it."""
    return [path] if path.is_file() else sorted(path.rglob(_NAMES))


def read_results(file: Path) -> Iterator[ReleasedMap | ReleasedAnswer]:
    """What a result file holds, row by row."""
    truths: dict[str, GridMap] = {}
    asked: AskedSet = "negative" if "negative" in file.name else "standard"
    for row in read_table(file, _COLUMNS):
        image, model, reply = row["image_id"], row["model"], row["model_answer"]
        place = f"{Path(image).parent.name or file.stem}, turn {row['turn_id']}"[:200]
        if asks_for_map(row):
            truths[image] = read_stored_map(row["ground_truth"])
            yield ReleasedMap(place, model, truths[image], reply, *_map_score(row["score"], place))
        else:
            question = read_turn({**row, "answer": row["ground_truth"]})
            yield ReleasedAnswer(place, model, asked, question, reply, _number(row["score"], place), truths.get(image))


def _number(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SceneFileError(f"{place}: the score {text[:40]!r} is no number") from None


def _map_score(text: str, place: str) -> tuple[ScoreValues, Mapping[str, ScoreValues]]:
    try:
        score = cast("Mapping[str, object]", json.loads(text))
        classes = cast("Mapping[str, Mapping[str, object]]", score["per_class"])
        overall = cast("Mapping[str, object]", score["overall"])
        return _values(overall), {str(name): _values(values) for name, values in classes.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SceneFileError(f"{place}: the score is not that of a map: {text[:80]!r}") from None


def _values(stored: Mapping[str, object]) -> ScoreValues:
    return {name: float(value) for name, value in stored.items() if isinstance(value, int | float)}


ALL_CLASSES_RULES = replace(PUBLISHED, every_class_counts=True)
"""As released, but precision and recall are over all classes."""
JUDGED = Reason(
    "a model was the judge",
    "answers to questions about things that are not there were judged by a model, whose word is not in the files",
    "tests/benchmarks/osr_bench/test_released.py",
)
_COUNTS = (("tp", "found"), ("fp", "invented"), ("fn", "missed"))


@dataclass(frozen=True)
class RescoredMap:
    """One stated map, scored in three ways."""

    place: str
    model: str
    stored_f1: float
    released: MapScore
    clean: MapScore
    strict: MapScore

    @property
    def ways(self) -> tuple[tuple[str, MapScore], ...]:
        return ("as released", self.released), ("all classes", self.clean), ("strict", self.strict)


@dataclass
class RescoredResults:
    """The outcome for any number of scenes and result files."""

    scenes: int = 0
    results: int = 0
    answers: RescoredSection = field(default_factory=RescoredSection)
    """Stored answers against those worked out from the maps."""
    maps: RescoredSection = field(default_factory=RescoredSection)
    """Stored scores of maps."""
    scores: RescoredSection = field(default_factory=RescoredSection)
    """Stored scores of answers."""
    stated: list[RescoredMap] = field(default_factory=list[RescoredMap])
    stored_means: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """Scores of answers as stored, by kind."""

    def add_scene(self, scene: ReleasedScene) -> None:
        """Work out all answers of a scene again."""
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
        clean = score_map(stated.truth, plain, ALL_CLASSES_RULES)
        strict = score_map(stated.truth, read_map(stated.reply, STRICT, size), STRICT)
        stored = stated.overall.get("f1", 0.0)
        self.stated.append(RescoredMap(stated.place, stated.model, stored, released, clean, strict))

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
    """Rescore all scenes and results at a path; `tell` is called after each."""
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
    """Whether the stored scores are of what stands between tags; those released with thoughts are of the whole text."""
    same = [sum(grade(a.question, a.reply, PUBLISHED, think=t) == a.score for a in answers) for t in (False, True)]
    return same[1] > same[0]


def _compared(stated: ReleasedMap, ours: MapScore) -> Iterator[ComparedValue]:
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


_SHOWN, _WIDE = 20, 24


def rescored_osr_tables(outcome: RescoredResults) -> Iterator[Table | str]:
    """What to print, in order; fits a terminal of 80 columns."""
    sections = (
        ("Answers from the maps", outcome.answers),
        ("Scores of maps", outcome.maps),
        ("Scores of answers", outcome.scores),
    )
    found = tuple((title, section) for title, section in sections if section.counts)
    yield identity_table(f"{outcome.scenes} scenes and {outcome.results} result files: the same as stored", found)
    yield from differences(found)
    if outcome.stated:
        yield _map_table(outcome)
    if outcome.stored_means:
        yield _answer_table(outcome)


def _map_table(outcome: RescoredResults) -> Table:
    few = outcome.stated[:_SHOWN]
    table = plain_table(f"Maps: the first {len(few)} of {len(outcome.stated)}, and means over all")
    for name in ("precision", "recall", "F1", "distance", "turned", "mirrored F1"):
        table.add_column(name, justify="right")
    for row in few:
        table.add_row(f"[bold]{escape(_short(row.place.removesuffix(', turn 0')))}[/bold]")
        for title, score in row.ways:
            mirrored = "" if score.mirrored_f1 is None else f"{score.mirrored_f1:.3f}"
            table.add_row(f"  {title}", *_numbers([score]), f"{90 * score.quarters}°" if score.read else "", mirrored)
    table.add_row("[bold]mean[/bold]")
    for scores in zip(*(row.ways for row in outcome.stated), strict=True):
        table.add_row(f"  {scores[0][0]}", *_numbers([score for _, score in scores]))
    return table


def _short(name: str) -> str:
    """The end of a name, where scenes differ."""
    return name if len(name) <= _WIDE else f"…{name[1 - _WIDE :]}"


def _numbers(scores: Sequence[MapScore]) -> list[str]:
    values = zip(*((score.precision, score.recall, score.f1, score.distance) for score in scores), strict=True)
    return [f"{fmean(each):.3f}" for each in values]


def _answer_table(outcome: RescoredResults) -> Table:
    table = plain_table("Answers: mean scores")
    for name in ("answers", "stored", "published", "strict"):
        table.add_column(name, justify="right")
    for kind, stored in outcome.stored_means.items():
        scores = outcome.scores.scores[kind]
        means = (fmean(stored), scores.mean("published") or 0.0, scores.mean("strict") or 0.0)
        table.add_row(escape(kind), str(len(stored)), *(f"{mean:.3f}" for mean in means))
    return table


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
                    for name, score in row.ways
                },
                "turn": 90 * row.strict.quarters,
                "mirrored_f1": row.strict.mirrored_f1,
            }
            for row in outcome.stated
        ],
    }
