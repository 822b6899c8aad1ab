"""An order in which turns were scored is found from the names called new, and only where there is one."""

from collections.abc import Sequence

from hypothesis import assume, given
from hypothesis import strategies as st

from tolman.benchmarks.theory_of_space.released.rescore_maps import MOST_OUT_OF_ORDER, ScoredTurn, scoring_order

NAMES = [f"thing {letter}" for letter in "abcdefghij"]
views = st.lists(st.frozensets(st.sampled_from(NAMES), max_size=5), min_size=1, max_size=12)
places = st.integers(0, 11)


def logged(views: Sequence[frozenset[str]], order: Sequence[int], asked: Sequence[bool]) -> list[ScoredTurn]:
    """What the log says if turns with these views are scored in an order; some turns are not asked about."""
    seen = [frozenset[str]().union(*views[: turn + 1]) for turn in range(len(views))]
    new: dict[int, frozenset[str]] = {}
    before = frozenset[str]()
    for turn in order:
        new[turn], before = views[turn] - before, seen[turn]
    return [ScoredTurn(view, seen[t], new[t] if asked[t] else None) for t, view in enumerate(views)]


def displaced(count: int, moves: Sequence[tuple[int, int]]) -> list[int]:
    """The order 0, 1, ... with some turns taken out and put elsewhere."""
    order = list(range(count))
    for turn, place in moves:
        order.remove(turn % count)
        order.insert(place % count, turn % count)
    return order


def reproduces(turns: Sequence[ScoredTurn], order: Sequence[int]) -> bool:
    last: ScoredTurn | None = None
    for turn in order:
        if not turns[turn].may_follow(last):
            return False
        last = turns[turn]
    return sorted(order) == list(range(len(turns)))


@given(views, st.lists(st.tuples(places, places), max_size=MOST_OUT_OF_ORDER), st.lists(st.booleans(), min_size=12))
def test_some_order_gives_the_names_of_any_log_with_few_turns_out_of_place(
    seen: list[frozenset[str]], moves: list[tuple[int, int]], asked: list[bool]
):
    turns = logged(seen, displaced(len(seen), moves), asked)
    found = scoring_order(turns)
    assert found is not None
    assert reproduces(turns, found)


@given(views)
def test_turns_scored_in_order_are_found_in_order(seen: list[frozenset[str]]):
    assert scoring_order(logged(seen, range(len(seen)), [True] * len(seen))) == list(range(len(seen)))


@given(views, st.data())
def test_names_that_no_order_gives_are_not_explained(seen: list[frozenset[str]], data: st.DataObject):
    """One set of names is changed at random: either some turn before it does leave just these, or there is no order."""
    turns = logged(seen, range(len(seen)), [True] * len(seen))
    at = data.draw(st.integers(0, len(turns) - 1))
    names = data.draw(st.frozensets(st.sampled_from(NAMES), max_size=5))
    turns[at] = ScoredTurn(turns[at].in_view, turns[at].seen, names)
    possible = {turns[at].in_view} | {turns[at].in_view - other.seen for i, other in enumerate(turns) if i != at}
    assume(names not in possible)
    assert scoring_order(turns) is None


def test_most_sets_of_names_have_no_order():
    """In a walk through twelve views of four new things each, of 16 sets of names a turn could be said to show, one or
    two can be explained: all or none."""
    things = [f"{turn}{letter}" for turn in range(12) for letter in "abcd"]
    seen = [frozenset(things[4 * turn : 4 * turn + 4]) for turn in range(12)]
    turns = logged(seen, range(12), [True] * 12)
    subsets = [frozenset(t for i, t in enumerate(sorted(seen[6])) if bits >> i & 1) for bits in range(16)]
    explained = [
        names for names in subsets if scoring_order([*turns[:6], ScoredTurn(seen[6], turns[6].seen, names), *turns[7:]])
    ]
    assert sorted(map(len, explained)) == [0, 4]


def test_three_turns_out_of_place_are_too_many():
    """Each of three turns is said to show nothing new, and must follow a later one."""
    seen = [frozenset({name}) for name in NAMES]
    turns = logged(seen, range(len(seen)), [True] * len(seen))
    for at in (1, 4, 7):
        turns[at] = ScoredTurn(turns[at].in_view, turns[at].seen, frozenset())
    assert scoring_order(turns) is None
