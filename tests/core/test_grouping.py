"""Values by key keep their order, and keys the order in which they first occur."""

from hypothesis import given
from hypothesis import strategies as st

from tolman.core.grouping import gathered, grouped

numbers = st.lists(st.integers(-20, 20))


@given(numbers)
def test_every_item_is_in_the_group_of_its_key_in_order(items: list[int]) -> None:
    groups = grouped(items, lambda item: item % 3)
    assert list(groups) == list(dict.fromkeys(item % 3 for item in items))
    assert {key: [item for item in items if item % 3 == key] for key in groups} == groups


@given(numbers)
def test_values_are_gathered_without_their_keys(items: list[int]) -> None:
    assert gathered((str(item % 3), item) for item in items) == {
        str(key): group for key, group in grouped(items, lambda item: item % 3).items()
    }
