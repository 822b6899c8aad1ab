"""The numbers that an evaluation is known by: accuracies, the map, what was invented, and what a turn changes."""

from collections.abc import Iterable, Sequence
from statistics import fmean

from tolman.benchmarks.osr_bench.osr_scores import OsrScores, consistency
from tolman.benchmarks.osr_bench.question import QUESTION_KINDS

NAN = float("nan")
"""Stands for what was not asked."""


def headlines(scenes: Sequence[tuple[OsrScores, ...]]) -> dict[str, float]:
    """Means over all questions of a kind and over all maps, of the camera's first turn, as the authors take them."""
    first = [scene[0] for scene in scenes]
    answers = [answer for scene in first for answer in scene.answers]
    kinds = {kind: [a.score for a in answers if a.question.kind == kind] for kind in QUESTION_KINDS}
    maps = [scene.map for scene in first if scene.map is not None]
    return {
        **{kind: _mean(scores) for kind, scores in kinds.items()},
        "accuracy": _mean(fmean(scores) for scores in kinds.values() if scores),
        "map F1": _mean(each.f1 for each in maps),
        "map precision": _mean(each.precision for each in maps),
        "map recall": _mean(each.recall for each in maps),
        "map distance": _mean(each.distance for each in maps),
        "map success": _mean(each.read for each in maps),
        "mirrored F1": _mean(each.mirrored_f1 for each in maps if each.mirrored_f1 is not None),
        "maps that invent": _mean(each.invents for each in maps),
        "invented classes": _mean(each.invented_class_rate for each in maps),
        "invented objects": _mean(each.invented_object_rate for each in maps),
        "consistency": _mean(same for scene in scenes if (same := consistency(scene)) is not None),
    }


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return fmean(known) if known else NAN
