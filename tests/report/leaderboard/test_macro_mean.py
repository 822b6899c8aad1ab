"""The mean of means that ranks entries: its values by case, and its interval."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tolman.report.leaderboard.ranking import equally_weighted, macro_interval
from tolman.report.statistics import ByCase

groups = st.lists(
    st.dictionaries(
        st.sampled_from("abcdef"), st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=4).map(tuple)
    ),
    min_size=1,
    max_size=4,
)


@given(groups)
def test_each_group_weighs_the_same_however_many_values_it_has(found: list[ByCase]):
    means = [fmean(value for values in group.values() for value in values) for group in found if group]
    weighted = [value for values in equally_weighted(found).values() for value in values]
    if not means:
        assert weighted == []
        return
    assert fmean(weighted) == pytest.approx(fmean(means))
    interval = macro_interval(found)
    assert interval.mean == pytest.approx(fmean(means))
    if interval.low == interval.low:
        assert -1e-9 <= interval.low <= interval.high <= 1 + 1e-9


def test_what_is_always_right_has_no_spread():
    found = [{"a": (1.0,), "b": (1.0, 1.0)}, {"a": (1.0, 1.0, 1.0), "c": (1.0,)}]
    interval = macro_interval(found)
    assert (interval.low, interval.high) == (1, 1)
