"""How to get somewhere when nobody has said which way it lies: along lines of sight that are certain or likely.

Moves cost nothing unless they fail, so a detour by sight lines is better than a guess, and a good guess from elsewhere
better than a poor one from here.
"""

from collections import Counter
from heapq import heappop, heappush

from tolman.belief import Belief
from tolman.explore.agents.acquaintance import Acquaintance, Look
from tolman.geometry import Cell, Heading, difference
from tolman.sense import in_view
from tolman.world import START

_CELLS = 40
"""Possible positions of a thing that vote; where there are more, as many of them, evenly spread."""


def surest_way(known: Acquaintance, belief: Belief, origin: str, target: str) -> tuple[Look, ...]:
    """Steps (place to go to, heading to face) from one place to another, with the least doubt in all.

    Empty where no way can even be guessed.
    """
    certain = known.routes(origin, {})
    if target in certain:
        return certain[target]
    frontier: list[tuple[float, int, str, tuple[Look, ...]]] = [
        (0.0, len(route), place, route) for place, route in certain.items()
    ]
    settled: set[str] = set()
    while frontier:
        doubt, steps, place, route = heappop(frontier)
        if place == target:
            return route
        if place in settled:
            continue
        settled.add(place)
        for name in _guessable(known, place, target):
            if name not in settled:
                heading, chance = guess_heading(known, belief, place, name)
                heappush(frontier, (doubt + 1 - chance, steps + 1, name, (*route, (name, heading))))
    return ()


def _guessable(known: Acquaintance, place: str, target: str) -> list[str]:
    """The target, and doors on the way to it, that share a zone with a place."""
    here = set(known.zones.get(place, ()))
    doors = {door for door, _ in known.into}
    return sorted(name for name in {target, *doors} - {place, START} if not here.isdisjoint(known.zones.get(name, ())))


def guess_heading(known: Acquaintance, belief: Belief, here: str, name: str) -> tuple[Heading, float]:
    """The heading in which most pairs of possible positions put a thing in view, and the share of them that do."""
    heard = known.sight_lines.get(here, {}).get(name)
    if heard is not None:
        return heard, 1.0
    votes: Counter[Heading] = Counter()
    pairs = 0
    for apart, times in _apart(belief, here, name).items():
        if known.allows(here, name, apart) and known.allows(name, here, (-apart[0], -apart[1])):
            pairs += times
            votes.update({heading: times for heading in Heading if in_view(apart, heading)})
    if not votes:
        untried = [heading for heading in Heading if (here, heading) not in known.looks]
        return (untried or [Heading.NORTH])[0], 0.0
    best = max(votes, key=lambda heading: (votes[heading], -heading))
    return best, votes[best] / pairs


def _apart(belief: Belief, here: str, name: str) -> Counter[Cell]:
    """Displacements from one thing to another that their possible positions allow, with how often each comes up."""
    origins, cells = _spread(belief.positions(here)), _spread(belief.positions(name))
    return Counter(difference(cell, origin) for cell in cells for origin in origins if cell != origin)


def _spread(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return cells[:: -(-len(cells) // _CELLS)]
