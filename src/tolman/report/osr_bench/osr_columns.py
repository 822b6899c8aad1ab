"""The scores of one scene as named columns of numbers, ready to be pooled over scenes.

`ask/KIND` are answers, `map/...` the stated map, `turned/...` what a turn of the camera changed.
"""

from collections.abc import Callable

from tolman.benchmarks.osr_bench.map_scores import MapScore
from tolman.benchmarks.osr_bench.osr_scores import OsrScores

Columns = dict[str, tuple[float, ...]]
DISTANCE, F1 = "map/distance", "map/f1"
SAME, ALWAYS_RIGHT = "turned/same", "turned/right"

_MAP: dict[str, Callable[[MapScore], float]] = {
    DISTANCE: lambda score: score.distance,
    "map/precision": lambda score: score.precision,
    "map/recall": lambda score: score.recall,
    F1: lambda score: score.f1,
    "map/success": lambda score: float(score.read),
    "map/invents": lambda score: float(score.invents),
    "map/invented_classes": lambda score: score.invented_class_rate,
    "map/invented_objects": lambda score: score.invented_object_rate,
}


def osr_columns(scores: tuple[OsrScores, ...]) -> Columns:
    """The first turn of the camera is the one that counts; the others show what it changes."""
    first = scores[0]
    found: dict[str, list[float]] = {}
    for answer in first.answers:
        found.setdefault(f"ask/{answer.question.kind}", []).append(answer.score)
    columns = {name: tuple(values) for name, values in found.items()}
    if first.map is not None:
        columns |= map_columns(first.map)
    return columns | _turned(scores)


def map_columns(score: MapScore) -> Columns:
    """One map. Its mirror image is only measured under the corrected rules, and only where the map can be read."""
    columns = {name: (number(score),) for name, number in _MAP.items()}
    return columns if score.mirrored_f1 is None else columns | {"map/mirrored_f1": (score.mirrored_f1,)}


def _turned(scores: tuple[OsrScores, ...]) -> Columns:
    """Whether the same was said, and the right thing, whichever way the camera was turned: 0 or 1 a question."""
    if len(scores) < 2:
        return {}
    found: dict[str, list[float]] = {}
    for turns in zip(*(each.answers for each in scores), strict=True):
        said = {answer.said for answer in turns}
        same = float(len(said) == 1 and None not in said)
        for name in (SAME, f"{SAME}/{turns[0].question.kind}"):
            found.setdefault(name, []).append(same)
        found.setdefault(ALWAYS_RIGHT, []).append(min(answer.score for answer in turns))
    return {name: tuple(values) for name, values in found.items()}
