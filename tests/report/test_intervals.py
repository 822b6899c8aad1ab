"""Intervals over scenes: they cover what they should, and say nothing where nothing can be said."""

import math

import numpy as np
import pytest

from tolman.report.intervals import mean_interval


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
