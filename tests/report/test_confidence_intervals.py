"""Intervals over scenes: they cover what they should, and say nothing where nothing can be said."""

import math

import numpy as np
import pytest

from tolman.report.statistics import mean_interval, pooled_interval


def test_the_interval_holds_the_true_mean_about_as_often_as_it_says():
    stream = np.random.default_rng(0)
    hits = 0
    for _ in range(120):
        interval = mean_interval(list(stream.normal(3.0, 1.0, size=30)))
        hits += interval.low <= 3.0 <= interval.high
    assert 104 <= hits <= 120


def test_it_is_repeatable_and_ordered():
    values = [1.0, 2.0, 2.5, 7.0, 3.0]
    assert mean_interval(values) == mean_interval(values)
    interval = mean_interval(values)
    assert interval.low < interval.mean < interval.high
    assert interval.mean == pytest.approx(3.1)


def test_scenes_that_all_agree_have_no_spread():
    interval = mean_interval([1.0, 1.0 - 1e-16, 1.0, 1.0])
    assert interval.low == interval.high == interval.mean


def test_two_scenes_are_too_few():
    assert math.isnan(mean_interval([1.0, 2.0]).low)


# ---- values that cluster in scenes ----


def test_pooled_one_value_a_scene_is_the_mean_over_scenes():
    values = [0.1, 0.4, 0.9, 0.95, 1.0, 1.0, 0.7]
    pooled, plain = pooled_interval([[value] for value in values]), mean_interval(values)
    assert pooled.mean == pytest.approx(plain.mean)
    assert pooled.low == pytest.approx(plain.low, abs=0.02)
    assert pooled.high == pytest.approx(plain.high, abs=0.02)


def test_pooled_means_are_over_values_not_over_scenes():
    assert pooled_interval([[1.0], [0.0, 0.0, 0.0], []]).mean == pytest.approx(0.25)


def test_more_values_of_the_same_scenes_tell_nothing_new():
    scenes = [[0.0, 1.0], [1.0, 1.0], [0.0], [1.0, 0.0, 0.0]]
    once, twice = pooled_interval(scenes), pooled_interval([scene * 2 for scene in scenes])
    assert (twice.mean, twice.low, twice.high) == pytest.approx((once.mean, once.low, once.high))


def test_intervals_by_scene_hold_the_truth_where_intervals_by_value_do_not():
    """Scenes are easy or hard: ten values each or so, alike enough to make intervals by value 2.6 times too short."""
    stream = np.random.default_rng(3)
    by_scene = by_value = 0
    for _ in range(60):
        chances = stream.choice([0.1, 0.9], size=25)
        scenes = [[float(stream.random() < chance) for _ in range(6 + i % 9)] for i, chance in enumerate(chances)]
        interval = pooled_interval(scenes)
        by_scene += interval.low <= 0.5 <= interval.high
        interval = pooled_interval([[value] for scene in scenes for value in scene])
        by_value += interval.low <= 0.5 <= interval.high
    assert by_scene >= 0.87 * 60
    assert by_value < 0.75 * 60


def test_pooled_intervals_are_repeatable_and_stay_in_range():
    scenes = [[1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    interval = pooled_interval(scenes)
    assert interval == pooled_interval(scenes)
    assert 0.0 <= interval.low < interval.mean < interval.high <= 1.0


def test_pooled_scenes_that_all_agree_have_no_spread():
    interval = pooled_interval([[0.5, 0.5], [0.5], [1.0, 0.0]])
    assert interval.low == interval.high == interval.mean == 0.5


@pytest.mark.parametrize("scenes", [[], [[]], [[1.0, 0.0], [1.0]], [[1.0], [], [0.5, 0.5]]])
def test_values_from_two_scenes_are_too_few(scenes: list[list[float]]):
    interval = pooled_interval(scenes)
    assert math.isnan(interval.low)
    assert math.isnan(interval.mean) == (not any(scenes))
