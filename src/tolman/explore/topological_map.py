"""A topological map built from observations alone: zones, doors and sight lines, and the routes that they allow or
make likely.

The scene itself is not used: rooms are zones, numbered as they are found, and zone 0 is the one of the start.
"""

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush

from tolman.belief import Belief
from tolman.core.bins import EgoBin, WallLabel
from tolman.core.geometry import Cell, Heading, Vector, difference, to_ego
from tolman.explore.actions import Goto, Move, Rotate
from tolman.sense import Observation, Sighting, in_view
from tolman.world import START

ViewPose = tuple[str, Heading]
"""Where to observe from (a thing, a door or the start), and the heading there."""
SightLines = dict[str, dict[str, Heading]]
"""`lines[a][b]` is a heading in which b is in view from a."""

_LEFT = (EgoBin.FRONT_LEFT, EgoBin.FRONT_SLIGHT_LEFT)
_INWARD = {WallLabel.BACK: 0, WallLabel.LEFT: 90, WallLabel.FRONT: 180, WallLabel.RIGHT: -90}


@dataclass
class TopologicalMap:
    """Zones, doors and sight lines observed so far."""

    zones: dict[str, tuple[int, ...]] = field(default_factory=lambda: {START: (0,)})
    into: dict[tuple[str, int], Heading] = field(default_factory=dict[tuple[str, int], Heading])
    """Heading of an agent that enters a zone through a door."""
    looks: dict[ViewPose, Observation] = field(default_factory=dict[ViewPose, Observation])
    sight_lines: SightLines = field(default_factory=SightLines)

    @property
    def zone_count(self) -> int:
        return 1 + max(zone for zones in self.zones.values() for zone in zones)

    def learn(self, observation: Observation) -> None:
        """Add one observation; one from an unknown place is ignored."""
        here, heading = observation.standing_on, observation.heading
        if here not in self.zones:
            return
        self.looks[here, heading] = observation
        for sighting in observation.sightings:
            self.sight_lines.setdefault(here, {})[sighting.name] = heading
            self.sight_lines.setdefault(sighting.name, {}).setdefault(here, heading.opposite)
            if sighting.name not in self.zones:
                self._add(sighting, self._zone_of(sighting, observation), heading)

    def routes(self, origin: str, believed: SightLines) -> dict[str, tuple[ViewPose, ...]]:
        """For every reachable place, a route with the fewest steps, each a place to go to and the heading to face.

        Follows observed sight lines and the believed ones given. No route leads back to the start.
        """
        routes: dict[str, tuple[ViewPose, ...]] = {origin: ()}
        frontier = deque([origin])
        while frontier:
            place = frontier.popleft()
            for name, heading in {**believed.get(place, {}), **self.sight_lines.get(place, {})}.items():
                if name not in routes and name in self.zones and name != START:
                    routes[name] = (*routes[place], (name, heading))
                    frontier.append(name)
        return routes

    def explains(self, name: str, cells: Mapping[str, Cell]) -> bool:
        """Whether a thing at its cell is consistent with all observations between it and the others."""
        return all(self._agree(name, other, cells) for other in cells if other != name)

    def _agree(self, a: str, b: str, cells: Mapping[str, Cell]) -> bool:
        if cells[a] == cells[b]:
            return False
        if set(self.zones[a]).isdisjoint(self.zones[b]):
            return True
        return self.allows(a, b, difference(cells[b], cells[a])) and self.allows(b, a, difference(cells[a], cells[b]))

    def allows(self, here: str, other: str, apart: Vector) -> bool:
        """Whether door walls and all observations from `here` allow `other` at this displacement."""
        for zone in self.zones[other]:
            inward = self.into.get((here, zone))
            if inward is not None and to_ego(apart, inward)[1] < (0 if (other, zone) in self.into else 1):
                return False
        views = ((heading, self.looks.get((here, heading))) for heading in Heading)
        return other == START or all(
            in_view(apart, heading) == (other in look.names) for heading, look in views if look is not None
        )

    def _add(self, sighting: Sighting, zone: int, heading: Heading) -> None:
        if not isinstance(sighting.detail, WallLabel):
            self.zones[sighting.name] = (zone,)
            return
        beyond = self.zone_count
        inward = heading.turned(_INWARD[sighting.detail])
        self.zones[sighting.name] = (zone, beyond)
        self.into[sighting.name, zone] = inward
        self.into[sighting.name, beyond] = inward.opposite

    def _zone_of(self, sighting: Sighting, observation: Observation) -> int:
        """The zone of a sighting; from a doorway, the side on which it appears decides."""
        zones, heading = self.zones[observation.standing_on], observation.heading
        if len(zones) == 1:
            return zones[0]
        inward = {self.into[observation.standing_on, zone]: zone for zone in zones}
        if heading in inward:
            return inward[heading]
        if sighting.direction is EgoBin.FRONT and isinstance(sighting.detail, WallLabel):
            return inward.get(heading.turned(_INWARD[sighting.detail]), zones[0])
        return inward[heading.turned(-90 if sighting.direction in _LEFT else 90)]


def moves_along(facing: Heading, route: tuple[ViewPose, ...], heading: Heading | None = None) -> tuple[Move, ...]:
    """Rotations and moves along a route, and a final rotation to `heading`, if given."""
    moves: list[Move] = []
    for name, toward in route:
        if facing != toward:
            moves.append(Rotate(facing.turn_to(toward)))
        moves.append(Goto(name))
        facing = toward
    if heading is not None and facing != heading:
        moves.append(Rotate(facing.turn_to(heading)))
    return tuple(moves)


_MOST_CELLS = 40
"""Most possible positions per thing that vote on a heading; of more, an evenly spaced subset."""


def most_certain_route(topology: TopologicalMap, belief: Belief, origin: str, target: str) -> tuple[ViewPose, ...]:
    """The route (place to go to, heading to face) with the smallest sum of failure probabilities.

    Empty where no route can even be guessed.
    """
    certain = topology.routes(origin, {})
    if target in certain:
        return certain[target]
    frontier: list[tuple[float, int, str, tuple[ViewPose, ...]]] = [
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
        for name in _guessable(topology, place, target):
            if name not in settled:
                heading, chance = guess_heading(topology, belief, place, name)
                heappush(frontier, (doubt + 1 - chance, steps + 1, name, (*route, (name, heading))))
    return ()


def _guessable(topology: TopologicalMap, place: str, target: str) -> list[str]:
    """The target and all doors that share a zone with a place."""
    here = set(topology.zones.get(place, ()))
    doors = {door for door, _ in topology.into}
    return sorted(
        name for name in {target, *doors} - {place, START} if not here.isdisjoint(topology.zones.get(name, ()))
    )


def guess_heading(topology: TopologicalMap, belief: Belief, here: str, name: str) -> tuple[Heading, float]:
    """The heading in which most pairs of possible positions put a thing in view, and the share of them that do."""
    observed = topology.sight_lines.get(here, {}).get(name)
    if observed is not None:
        return observed, 1.0
    votes: Counter[Heading] = Counter()
    pairs = 0
    for apart, times in _possible_displacements(belief, here, name).items():
        if topology.allows(here, name, apart) and topology.allows(name, here, (-apart[0], -apart[1])):
            pairs += times
            votes.update({heading: times for heading in Heading if in_view(apart, heading)})
    if not votes:
        untried = [heading for heading in Heading if (here, heading) not in topology.looks]
        return (untried or [Heading.NORTH])[0], 0.0
    best = max(votes, key=lambda heading: (votes[heading], -heading))
    return best, votes[best] / pairs


def _possible_displacements(belief: Belief, here: str, name: str) -> Counter[Cell]:
    """Displacements between the possible positions of two things, with their counts."""
    origins, cells = _evenly_thinned(belief.positions(here)), _evenly_thinned(belief.positions(name))
    return Counter(difference(cell, origin) for cell in cells for origin in origins if cell != origin)


def _evenly_thinned(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    return cells[:: -(-len(cells) // _MOST_CELLS)]
