"""Is one model better than another? Worked by hand where that can be done, simulated where it can't."""

import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats

from tolman.report.statistics import (
    compare,
    fewest_scenes,
    holm,
    minimum_detectable_difference,
    pooled_interval,
    scenes_needed,
)

Scenes = dict[str, list[float]]


def by_scene(*values: Sequence[float]) -> Scenes:
    return {str(i): list(of_scene) for i, of_scene in enumerate(values)}


def apart(*differences: float) -> tuple[Scenes, Scenes]:
    """Two models that lie so far apart in each scene, of one value each."""
    return by_scene(*([d] for d in differences)), by_scene(*([0.0] for _ in differences))


# ---- the test ----


@pytest.mark.parametrize("scenes", [3, 12, 13, 40])
def test_a_model_is_not_better_than_itself(scenes: int):
    same = by_scene(*([i % 2, 0.5, 1.0] for i in range(scenes)))
    found = compare(same, same)
    assert found.p == 1.0
    assert found.difference.mean == found.difference.low == found.difference.high == 0.0


@pytest.mark.parametrize(
    ("differences", "p"),
    [
        ((3, 2, 1), 2 / 8),  # 6 and -6
        ((3, 2, -1), 4 / 8),  # as far as 4: 6, 4 and their opposites
        ((4, 3, 2, 1), 2 / 16),  # 10 and -10
        ((4, 3, 2, -1), 4 / 16),  # as far as 8: 10, 8 and their opposites
        ((5, 4, 3, 2, 1), 2 / 32),
        ((1, 1, 1, 1, -1), 12 / 32),  # as far as 3: one flip of five or none, and their opposites
        ((1, -1, 1, -1), 1.0),
    ],
)
def test_p_values_worked_out_by_hand(differences: tuple[float, ...], p: float):
    a, b = apart(*(d / 30 for d in differences))
    assert compare(a, b).p == pytest.approx(p)
    assert compare(b, a).p == pytest.approx(p)


@pytest.mark.parametrize(("scenes", "within"), [(8, 1e-12), (12, 1e-12), (20, 0.02)])
def test_p_values_agree_with_scipys(scenes: int, within: float):
    differences = np.random.default_rng(scenes).normal(0.4, 1.0, scenes)
    known = cast("Any", stats).permutation_test(
        (differences,), np.sum, permutation_type="samples", n_resamples=10_000, vectorized=True, rng=1
    )
    assert compare(*apart(*differences)).p == pytest.approx(known.pvalue, abs=within)


def test_drawn_flips_are_repeatable_and_never_leave_a_p_of_zero():
    a, b = apart(*[1.0] * 40)
    assert compare(a, b).p == compare(a, b).p == 1 / 10_001


def test_equal_models_are_told_apart_as_seldom_as_promised_and_intervals_hold_the_truth():
    """Scenes are easy or hard for both; 300 pairs of equal models, 20 scenes of 9 answers each."""
    stream = np.random.default_rng(5)
    false, held = 0, 0
    for _ in range(300):
        chances = stream.beta(3, 2, size=20)
        a, b = (by_scene(*(stream.random((20, 9)) < chances[:, None]).astype(float).tolist()) for _ in range(2))
        found = compare(a, b)
        false += found.p <= 0.05
        held += found.difference.low <= 0 <= found.difference.high
    assert 0.02 * 300 <= false <= 0.08 * 300
    assert held >= 0.89 * 300


# ---- the difference ----


def test_the_difference_is_that_of_the_pooled_means():
    a, b = by_scene([1, 1, 1], [1, 0], [0]), by_scene([1, 0, 1], [0, 0], [1])
    found = compare(a, b)
    assert found.difference.mean == pytest.approx(pooled_interval(a.values()).mean - pooled_interval(b.values()).mean)
    assert found.by_scene == pytest.approx({"0": 1 / 3, "1": 0.5, "2": -1.0})
    assert found.difference.low <= found.difference.mean <= found.difference.high


def test_a_scene_that_is_hard_for_both_counts_for_neither():
    """Models lie 0.1 apart in every scene, give or take 0.02, while scenes differ by far more."""
    level = [0.1, 0.9, 0.3, 0.7, 0.2, 0.8]
    noise = [0.02, -0.02, 0.01, -0.01, 0.0, 0.0]
    a = by_scene(*([x + 0.1 + e] for x, e in zip(level, noise, strict=True)))
    found = compare(a, by_scene(*([x] for x in level)))
    assert found.p == pytest.approx(2 / 64)
    assert 0.08 < found.difference.low < 0.1 < found.difference.high < 0.12


def test_only_scenes_with_values_of_both_count():
    a, b = (
        by_scene([1.0], [1.0], [0.5], [0.0], []),
        {"0": [0.0], "2": [0.5], "1": [0.5], "3": [], "4": [1.0], "9": [1.0]},
    )
    found = compare(a, b)
    assert list(found.by_scene) == ["0", "1", "2"]
    assert found.difference.mean == pytest.approx(0.5)


def test_one_more_go_at_every_scene_does_not_change_the_difference():
    a, b = by_scene([1, 0], [1, 1], [0, 0]), by_scene([0, 0], [1, 0], [0, 1])
    twice = {scene: values * 2 for scene, values in a.items()}
    assert compare(twice, b) == compare(a, b)


def test_two_scenes_are_too_few():
    found = compare(*apart(1.0, 0.5))
    assert found.difference.mean == 0.75
    assert math.isnan(found.p)
    assert math.isnan(found.difference.low)
    assert math.isnan(compare({}, {}).difference.mean)


# ---- many tests, and how many scenes ----


def test_holm_worked_out_by_hand():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.5, 0.4, 0.01]) == pytest.approx([0.8, 0.8, 0.03])
    assert holm([]) == []
    raised = holm([0.02, math.nan, 0.03])
    assert raised[::2] == pytest.approx([0.04, 0.04])
    assert math.isnan(raised[1])


def test_the_least_detectable_difference_worked_out_by_hand():
    """Spread 0.1 over 16 scenes: 0.025 a standard error, of which 1.960 + 0.842 are needed."""
    spread = 0.1 * math.sqrt(15 / 16)
    differences = [0.3 + spread, 0.3 - spread] * 8
    assert minimum_detectable_difference(differences) == pytest.approx(2.8016 * 0.025, abs=1e-5)
    assert scenes_needed(differences, 0.05) == math.ceil((2.8016 * 0.1 / 0.05) ** 2) == 32
    assert scenes_needed(differences, minimum_detectable_difference(differences) * 1.0001) == 16


def test_so_many_scenes_do_find_the_difference_about_8_times_in_10():
    stream = np.random.default_rng(2)
    differences = stream.normal(0, 0.2, size=200)
    scenes = scenes_needed(list(differences), 0.1)
    assert scenes is not None
    found = sum(compare(*apart(*stream.normal(0.1, 0.2, size=scenes))).p <= 0.05 for _ in range(300))
    assert 0.7 * 300 <= found <= 0.88 * 300


def test_too_few_scenes_show_nothing_and_scenes_that_agree_say_nothing():
    assert fewest_scenes() == 6
    assert math.isnan(minimum_detectable_difference([0.1, 0.2, 0.3, 0.1, 0.2]))
    assert not math.isnan(minimum_detectable_difference([0.1, 0.2, 0.3, 0.1, 0.2, 0.3]))
    assert math.isnan(minimum_detectable_difference([0.1] * 20))
    assert scenes_needed([0.1] * 20, 0.05) is scenes_needed([0.1, 0.2], 0.05) is None
    assert scenes_needed([0.001, 0.002, 0.001], 0.05) == 6
