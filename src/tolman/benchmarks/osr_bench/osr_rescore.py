"""Score the authors' files again: is every stored answer and score the same here, and what would strict ones be?"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from tolman.benchmarks.compared import Compared, Reason
from tolman.benchmarks.osr_bench.grading import grade
from tolman.benchmarks.osr_bench.hosted_files import is_hosted, read_scenes
from tolman.benchmarks.osr_bench.map_reading import read_map
from tolman.benchmarks.osr_bench.map_scores import MapScore, score_map
from tolman.benchmarks.osr_bench.osr_rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.question import answer_of
from tolman.benchmarks.osr_bench.released_files import ReleasedScene, is_released
from tolman.benchmarks.osr_bench.result_files import ScoredAnswer, ScoredMap, find_results, is_results, read_results
from tolman.benchmarks.tallies import Section
from tolman.errors import SceneFileError

CLEAN = replace(PUBLISHED, every_class_counts=True)
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
class OsrRescored:
    """The outcome for any number of scenes and result files."""

    scenes: int = 0
    results: int = 0
    answers: Section = field(default_factory=Section)
    """Stored answers against those worked out from the maps."""
    maps: Section = field(default_factory=Section)
    """Stored scores of maps."""
    scores: Section = field(default_factory=Section)
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
                value = Compared(kind, place, ours, question.answer, run=scene.name, turn=question.turn)
                self.answers.compare(value)

    def add_results(self, file: Path) -> None:
        """Score the maps and answers of a result file again."""
        self.results += 1
        rows = list(read_results(file))
        answers = [row for row in rows if isinstance(row, ScoredAnswer)]
        think = _tags_were_read(answers)
        for row in rows:
            if isinstance(row, ScoredMap):
                self._add_map(row)
            else:
                self._add_answer(row, think=think)

    def _add_map(self, stated: ScoredMap) -> None:
        size, order = stated.truth.size, list(stated.classes)
        plain = read_map(stated.reply, PUBLISHED, size)
        released = score_map(stated.truth, plain, PUBLISHED, order)
        for value in _compared(stated, released):
            self.maps.compare(value)
        clean = score_map(stated.truth, plain, CLEAN)
        strict = score_map(stated.truth, read_map(stated.reply, STRICT, size), STRICT)
        stored = stated.overall.get("f1", 0.0)
        self.stated.append(RescoredMap(stated.place, stated.model, stored, released, clean, strict))

    def _add_answer(self, answer: ScoredAnswer, *, think: bool) -> None:
        question, kind = answer.question, f"{answer.asked}, {answer.question.kind}"
        if answer.truth is not None:
            ours = answer_of(answer.truth, question.kind, question.names)
            self.answers.compare(Compared(f"{kind}, in results", answer.place, ours, question.answer))
        value = Compared(kind, answer.place, grade(question, answer.reply, PUBLISHED, think=think), answer.score)
        judged = answer.asked == "negative" and not value.identical
        self.scores.compare(replace(value, uncheckable=JUDGED if judged else None))
        self.stored_means.setdefault(kind, []).append(answer.score)
        self.scores.score(kind, "published", grade(question, answer.reply, PUBLISHED, think=True))
        self.scores.score(kind, "strict", grade(question, answer.reply, STRICT, think=True))


def rescore_osr(path: Path, tell: Callable[[], object] = lambda: None) -> OsrRescored:
    """Rescore all scenes and results at a path; `tell` is called after each."""
    outcome = OsrRescored()
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


def _tags_were_read(answers: list[ScoredAnswer]) -> bool:
    """Whether the stored scores are of what stands between tags; those released with thoughts are of the whole text."""
    same = [sum(grade(a.question, a.reply, PUBLISHED, think=t) == a.score for a in answers) for t in (False, True)]
    return same[1] > same[0]


def _compared(stated: ScoredMap, ours: MapScore) -> Iterator[Compared]:
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
        yield Compared(name, place, value, stored.get(name))
    for name, values in stated.classes.items():
        tally = ours.classes.get(name)
        counts = None if tally is None else tuple(float(getattr(tally, part)) for _, part in _COUNTS)
        yield Compared("counts of a class", f"{place}, {name}", counts, tuple(values.get(key) for key, _ in _COUNTS))
        yield Compared("distance of a class", f"{place}, {name}", tally and tally.distance, values.get("avg_distance"))
