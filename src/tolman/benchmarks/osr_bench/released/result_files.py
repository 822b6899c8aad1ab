"""The authors' released result files: stated maps and answers with their stored scores."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tolman.benchmarks.osr_bench.maps.grid import GridMap
from tolman.benchmarks.osr_bench.questions.question import AskedSet, Question
from tolman.benchmarks.osr_bench.released.scenes import asks_for_map, read_stored_map, read_table, read_turn
from tolman.core.errors import SceneFileError

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
    """In the order of summation; empty for an unparseable map."""


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
    """The true map, if the file holds it."""


def is_results(path: Path) -> bool:
    """Whether a path is a result file, or a folder with some."""
    return path.suffix == ".csv" if path.is_file() else any(True for _ in path.rglob(_NAMES))


def find_results(path: Path) -> list[Path]:
    """The result files at a path, or anywhere below it."""
    return [path] if path.is_file() else sorted(path.rglob(_NAMES))


def read_results(file: Path) -> Iterator[ReleasedMap | ReleasedAnswer]:
    """The maps and answers of a result file, row by row."""
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
        raise SceneFileError(f"{place}: the score {text[:40]!r} is not a number") from None


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
