"""The scene in a handful of numbers, as they stand at the top of its page."""

from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.insight import SceneInsight
from tolman.report.theory_of_space.figures import ANSWERS, CORRECTNESS, GAIN
from tolman.report.theory_of_space.logs import FinishedScene


@dataclass(frozen=True)
class Sum:
    """A number in words, and the best that could have been expected of it, where that is known."""

    title: str
    value: str
    ceiling: str = ""


def sums(scene: FinishedScene, insight: SceneInsight) -> list[Sum]:
    """What the exploration cost and brought, and strict scores in percent with their ceilings."""
    return list(_sums(scene, insight))


def _sums(scene: FinishedScene, insight: SceneInsight) -> Iterator[Sum]:
    scored = columns(scene.scores["strict"])
    asked = [question.ceiling for question in insight.questions if question.mode == "none"]
    yield Sum("Cost", str(scene.scores["strict"].exploration.cost))
    for title, column, ceiling in (
        ("Information gain", GAIN, None),
        ("Answers", ANSWERS, fmean(asked) if asked else None),
        ("Last map", CORRECTNESS, insight.final_ceiling),
        ("Changes found (F1)", "revise/f1", None),
    ):
        if column in scored:
            yield Sum(title, _percent(fmean(scored[column])), "" if ceiling is None else _percent(ceiling))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"
