"""In which order the authors' code went through the turns of a run when it scored what was new in each.

It calls new what is in view and had not been seen at the turn it scored *last*, whichever that was. Replies came back
in any order, so the turn before need not be that one. The files do not hold the order, but they hold the names that
were called new, and few orders fit those.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from tolman.benchmarks.compared import Reason

MOST_OUT_OF_PLACE = 2
"""Turns that may be out of place, so that not just any names can be explained."""

OUT_OF_ORDER = Reason(
    "turns were scored out of order",
    "the authors call new what had not been seen at the turn they scored last, and replies came back in another order; "
    f"some order with at most {MOST_OUT_OF_PLACE} turns out of place gives every stored name and number of the run",
    "tests/benchmarks/theory_of_space/test_order_of_work.py",
)


@dataclass(frozen=True)
class Worked:
    """One turn that was scored."""

    in_view: frozenset[str]
    seen: frozenset[str]
    """Names that have been in view up to and including this turn."""
    new: frozenset[str] | None
    """Names that the log calls new; None where it does not say."""

    def may_follow(self, last: "Worked | None") -> bool:
        """Whether the names called new fit if `last` was scored right before it, or nothing was."""
        return self.new is None or self.new == self.in_view - (last.seen if last else frozenset())


def order_of_work(turns: Sequence[Worked]) -> list[int] | None:
    """An order of all turns, by index, that gives the logged names, with as few as possible out of place; or None."""
    for count in range(min(MOST_OUT_OF_PLACE, len(turns)) + 1):
        for moved in combinations(range(len(turns)), count):
            order = _with_moved(turns, frozenset(moved))
            if order is not None:
                return order
    return None


def _with_moved(turns: Sequence[Worked], moved: frozenset[int]) -> list[int] | None:
    """Such an order in which some turns come at any time, and all others one after the other."""
    ordered = [turn for turn in range(len(turns)) if turn not in moved]
    hopeless: set[tuple[int, frozenset[int], int | None]] = set()

    def rest(done: int, left: frozenset[int], last: int | None) -> list[int] | None:
        if done == len(ordered) and not left:
            return []
        if (done, left, last) in hopeless:
            return None
        for turn in (*ordered[done : done + 1], *sorted(left)):
            if turns[turn].may_follow(None if last is None else turns[last]):
                found = rest(done + (turn not in left), left - {turn}, turn)
                if found is not None:
                    return [turn, *found]
        hopeless.add((done, left, last))
        return None

    return rest(0, moved, None)
