"""What the interval of an accuracy is over, held against scipy."""

import math
from typing import Any, cast

import numpy as np
import pytest
from scipy import stats as typeless

from tests.benchmarks.sparrta.probes.synthetic_cells import cell
from tolman.benchmarks.sparrta.probes.means import interval_of, mean_of

stats = cast("Any", typeless)


def test_with_three_triples_it_is_over_triples_whose_seeds_are_averaged_first():
    found = mean_of([cell("linear", f"desert_{n}", "ego", 0.1 * n, 0.1 * n + 0.2) for n in (3, 4, 6)])
    low, high = stats.t.interval(0.95, 2, np.mean([0.4, 0.5, 0.7]), stats.sem([0.4, 0.5, 0.7]))
    assert (found.low, found.high) == pytest.approx((low, min(high, 1)))


@pytest.mark.parametrize("tests", [(0.4, 0.6), (0.5, 0.5), (0.5,)])
def test_with_fewer_it_is_over_the_pictures_of_one_seeds_test(tests: tuple[float, ...]):
    found = mean_of([cell("linear", triple, "ego", *tests) for triple in ("desert_1", "desert_2")])
    ends = stats.binomtest(10, 20).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), abs=1e-6)


@pytest.mark.parametrize(("share", "right"), [(0.0, 0), (1.0, 10)])
def test_ends_stay_between_nothing_and_all(share: float, right: int):
    found = mean_of([cell("linear", "desert_1", "ego", share, share)])
    ends = stats.binomtest(right, 10).proportion_ci(method="wilson")
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high), abs=1e-6)
    assert 0 <= found.low < found.high <= 1


def test_heads_and_viewpoints_tried_on_the_same_pictures_do_not_make_them_more():
    one = mean_of([cell("linear", "desert_1", "ego", 0.5)])
    both = mean_of([cell("linear", "desert_1", view, 0.5) for view in ("ego", "allo")])
    assert (one.low, one.high) == (both.low, both.high)


def test_a_difference_of_two_triples_has_no_interval():
    found = interval_of({("desert_1", 8): 0.1, ("desert_1", 42): 0.3, ("desert_2", 8): 0.2, ("desert_2", 42): 0.2})
    assert found.mean == pytest.approx(0.2)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
