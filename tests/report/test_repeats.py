"""Repeats of scenes: components of variance are recovered, pass^k is what its definition says, scenes stay the unit."""

import math
from itertools import combinations

import numpy as np
import pytest

from tolman.report.repeats import pass_hat, repeat_table, repeated_scores, split_variance
from tolman.report.results import CaseScores
from tolman.report.statistics import pooled_interval
from tolman.report.table import Column, formatted, number

RIGHT = Column("right", "right", better="higher")
COST = Column("cost", "cost", better="lower", style=number(1))


def simulated(sds: tuple[float, float, float, float], scenes: int, asked: int, epochs: int) -> list[np.ndarray]:
    """Scores with known standard deviations of scenes, questions, runs of a scene, and single answers."""
    stream = np.random.default_rng(5)
    of_scene, of_question, of_run, of_answer = sds
    return [
        of_scene * stream.normal()
        + of_question * stream.normal(size=(1, asked))
        + of_run * stream.normal(size=(epochs, 1))
        + of_answer * stream.normal(size=(epochs, asked))
        for _ in range(scenes)
    ]


@pytest.mark.parametrize("sds", [(1.0, 2.0, 0.5, 1.5), (0.0, 1.0, 0.0, 1.0), (1.0, 0.0, 2.0, 0.0)])
def test_known_components_are_recovered(sds: tuple[float, float, float, float]):
    split = split_variance(simulated(sds, scenes=4000, asked=6, epochs=3))
    assert split.cases == pytest.approx(sds[0] ** 2, abs=0.15)
    assert split.questions == pytest.approx(sds[1] ** 2, abs=0.15)
    assert split.sampling == pytest.approx(sds[2] ** 2 + sds[3] ** 2, abs=0.25)
    noise = sds[2] ** 2 / 3 + sds[3] ** 2 / 18
    assert split.of_error == pytest.approx(noise / (sds[0] ** 2 + sds[1] ** 2 / 6 + noise), abs=0.05)


def test_one_value_per_scene_has_no_questions_and_one_epoch_nothing():
    split = split_variance(simulated((1.0, 0.0, 0.0, 2.0), scenes=4000, asked=1, epochs=4))
    assert math.isnan(split.questions)
    assert split.sampling == pytest.approx(4.0, rel=0.1)
    assert split.cases == pytest.approx(1.0, abs=0.15)
    assert math.isnan(split_variance(simulated((1, 1, 1, 1), 5, 3, 1)).sampling)


def test_equal_repeats_have_no_sampling_variance():
    split = split_variance([np.array([[0.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 1.0], [1.0, 1.0]])])
    assert split.sampling == 0
    assert split.of_error == 0


def test_pass_hat_is_the_share_of_draws_in_which_all_are_right():
    case = np.array([[1, 1, 0.5], [1, 0, 1], [1, 1, 1], [1, 0, 1.0]])
    for k in range(1, 5):
        draws = list(combinations(range(4), k))
        expected = [np.mean([all(case[i, q] == 1 for i in draw) for draw in draws]) for q in range(3)]
        assert pass_hat(case, k) == pytest.approx(expected)


def scores(values: dict[str, list[tuple[float, ...]]]) -> list[CaseScores]:
    return [
        CaseScores("m", "m", rules, case, epoch + 1, {"right": found, "cost": (3.0 + epoch,)})
        for rules in ("strict", "published")
        for case, epochs in values.items()
        for epoch, found in enumerate(epochs)
    ]


VALUES = {
    "a": [(1.0, 0.0), (1.0, 1.0)],
    "b": [(0.0, 0.0), (1.0, 0.0)],
    "c": [(1.0, 1.0), (1.0, 1.0)],
    "d": [(1.0, 0.0)],
}


def test_scenes_stay_the_unit_and_those_with_a_missing_epoch_are_left_out():
    right, cost = repeated_scores(scores(VALUES), (RIGHT, COST))
    assert (right.epochs, right.cases, right.left_out) == (2, 3, 1)
    assert right.mean == pooled_interval([[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 1]])
    assert right.passed[2].mean == pytest.approx(3 / 6)
    assert right.passed[1].mean == pytest.approx(right.mean.mean)
    assert cost.passed == {}
    table = repeat_table([right, cost])
    assert table is not None
    text = formatted([table], "markdown")
    assert "3 scenes × 2 epochs" in text
    assert "Without 1 scene with a missing epoch" in text


def test_runs_of_one_epoch_have_no_table():
    once = scores({name: epochs[:1] for name, epochs in VALUES.items()})
    assert repeat_table(repeated_scores(once, (RIGHT, COST))) is None
