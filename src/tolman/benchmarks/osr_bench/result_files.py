"""The authors' result files: replies of a model with the scores that they were given, one CSV table each."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.hosted_files import read_stored_map, read_table
from tolman.benchmarks.osr_bench.question import AskedSet, Question
from tolman.benchmarks.osr_bench.question_reading import is_map, read_turn
from tolman.errors import SceneFileError

_COLUMNS = ("image_id", "model", "turn_id", "skills_tested", "question", "model_answer", "ground_truth", "score")
_NAMES = "*results*.csv"
Values = Mapping[str, float]


@dataclass(frozen=True)
class ScoredMap:
    """A stated map with its stored score."""

    place: str
    model: str
    truth: GridMap
    reply: str
    overall: Values
    classes: Mapping[str, Values]
    """In the order in which they were summed up; empty for a map that was not read."""


@dataclass(frozen=True)
class ScoredAnswer:
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


def read_results(file: Path) -> Iterator[ScoredMap | ScoredAnswer]:
    """What a result file holds, row by row."""
    truths: dict[str, GridMap] = {}
    asked: AskedSet = "negative" if "negative" in file.name else "standard"
    for row in read_table(file, _COLUMNS):
        image, model, reply = row["image_id"], row["model"], row["model_answer"]
        place = f"{Path(image).parent.name or file.stem}, turn {row['turn_id']}"[:200]
        if is_map(row):
            truths[image] = read_stored_map(row["ground_truth"])
            yield ScoredMap(place, model, truths[image], reply, *_map_score(row["score"], place))
        else:
            question = read_turn({**row, "answer": row["ground_truth"]})
            yield ScoredAnswer(place, model, asked, question, reply, _number(row["score"], place), truths.get(image))


def _number(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SceneFileError(f"{place}: the score {text[:40]!r} is no number") from None


def _map_score(text: str, place: str) -> tuple[Values, Mapping[str, Values]]:
    try:
        score = cast("Mapping[str, object]", json.loads(text))
        classes = cast("Mapping[str, Mapping[str, object]]", score["per_class"])
        overall = cast("Mapping[str, object]", score["overall"])
        return _values(overall), {str(name): _values(values) for name, values in classes.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SceneFileError(f"{place}: the score is not that of a map: {text[:80]!r}") from None


def _values(stored: Mapping[str, object]) -> Values:
    return {name: float(value) for name, value in stored.items() if isinstance(value, int | float)}
