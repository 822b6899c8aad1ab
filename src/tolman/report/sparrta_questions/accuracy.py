"""Shares of right answers with 95 % intervals. The picture is the unit: its answers rise and fall together.

Where a picture has one answer, as from one viewpoint, the interval is Wilson's. Else pictures are drawn again. All that
matters of a picture is how many of its answers are right, so equal pictures are drawn together, and many cost little.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.relations import RELATIONS
from tolman.benchmarks.sparrta.wilson import wilson
from tolman.report.intervals import RESAMPLES, UNKNOWN, Interval
from tolman.report.sparrta_questions.answered import Answered
from tolman.seeds import rng

Floats = NDArray[np.float64]
_ENDS = (0.025, 0.975)


def accuracy(answers: Sequence[Answered]) -> Interval:
    """Right answers of all."""
    if not answers:
        return UNKNOWN
    if len({answer.picture for answer in answers}) == len(answers):
        return share(sum(answer.right for answer in answers), len(answers))
    return _interval(_drawn(answers, rng(0, "pictures again")), len(answers))


def share(part: int, whole: int) -> Interval:
    """A share of independent cases, with Wilson's interval."""
    if not whole:
        return UNKNOWN
    return Interval(part / whole, *wilson(part / whole, whole))


def balanced_accuracy(answers: Sequence[Answered]) -> Interval:
    """The mean over relations of how many of their questions are answered rightly: always the same word gets 25 %.

    Unknown where a relation is right nowhere. Pictures are drawn again among those of the same relation.
    """
    of_relation = [[answer for answer in answers if answer.answer == relation] for relation in RELATIONS]
    if not all(of_relation):
        return UNKNOWN
    stream = rng(0, "pictures of a relation again")
    recalls = np.array([_drawn(asked, stream) for asked in of_relation])
    return _interval(recalls.mean(axis=0), len(answers))


def _drawn(answers: Sequence[Answered], stream: np.random.Generator) -> Floats:
    """The share that is right: as it is, then with pictures drawn again, many times."""
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
