"""Drawing what questions are about: names from pools, and sorts of questions in turn."""

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

Names = tuple[str, ...]
Way = Callable[[], Names | None]
"""A way to draw a question of one sort; None where there is none, or luck was bad."""
_PATIENCE = 8


def in_turn(stream: np.random.Generator, ways: Mapping[str, Way], each: int, *, once: bool) -> Iterator[Names]:
    """So many questions, of all sorts in turn; round by round in another order.

    A sort that gives no question loses its turn, so that the others do not come more often for it.
    """
    done: set[Names] = set()
    turns = 0
    while turns < each and ways:
        for sort in shuffled(stream, list(ways))[: each - turns]:
            names = _new(ways[sort], done)
            if names is not None:
                if once:
                    done.add(names)
                yield names
            turns += 1


def _new(way: Way, done: set[Names]) -> Names | None:
    for _ in range(_PATIENCE):
        names = way()
        if names is None or names not in done:
            return names
    return None


def slots(stream: np.random.Generator, *pools: Sequence[str]) -> Names | None:
    """One name from each pool, all different."""
    names: list[str] = []
    for pool in pools:
        free = [name for name in pool if name not in names]
        if not free:
            return None
        names.append(free[int(stream.integers(len(free)))])
    return tuple(names)


def sample(stream: np.random.Generator, names: Sequence[str], count: int) -> list[str]:
    """So many different names, or all there are."""
    return [names[int(i)] for i in stream.permutation(len(names))[:count]]


def shuffled(stream: np.random.Generator, names: Sequence[str]) -> list[str]:
    return sample(stream, names, len(names))
