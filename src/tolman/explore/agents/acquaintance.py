"""What an explorer can tell about rooms from what it was told: who shares a room with whom, and how to get about.

Nothing here looks at the scene. Rooms have no names for the explorer, so they are numbered as they are found: zone 0 is
the one it started in, and each door found opens on a new zone.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field

from tolman.bins import EgoBin, WallLabel
from tolman.geometry import Cell, Heading, Vector, difference, to_ego
from tolman.sense import Observation, Sighting, in_view
from tolman.world import START

Look = tuple[str, Heading]
"""A place to look from (a thing, a door or the start) and the way to face there."""
SightLines = dict[str, dict[str, Heading]]
"""`lines[a][b]` is a heading in which b is in sight from a."""

_LEFT = (EgoBin.FRONT_LEFT, EgoBin.FRONT_SLIGHT_LEFT)
_INWARD = {WallLabel.BACK: 0, WallLabel.LEFT: 90, WallLabel.FRONT: 180, WallLabel.RIGHT: -90}


@dataclass
class Acquaintance:
    """Zones, doors and sight lines, as far as they are known."""

    zones: dict[str, tuple[int, ...]] = field(default_factory=lambda: {START: (0,)})
    into: dict[tuple[str, int], Heading] = field(default_factory=dict[tuple[str, int], Heading])
    """Heading of someone who enters a zone by a door."""
    looks: dict[Look, Observation] = field(default_factory=dict[Look, Observation])
    sight_lines: SightLines = field(default_factory=SightLines)

    @property
    def zone_count(self) -> int:
        return 1 + max(zone for zones in self.zones.values() for zone in zones)

    def learn(self, observation: Observation) -> None:
        """Take in one look; one from a place it never heard of tells it nothing."""
        here, heading = observation.standing_on, observation.heading
        if here not in self.zones:
            return
        self.looks[here, heading] = observation
        for sighting in observation.sightings:
            self.sight_lines.setdefault(here, {})[sighting.name] = heading
            self.sight_lines.setdefault(sighting.name, {}).setdefault(here, heading.opposite)
            if sighting.name not in self.zones:
                self._meet(sighting, self._zone_of(sighting, observation), heading)

    def routes(self, origin: str, believed: SightLines) -> dict[str, tuple[Look, ...]]:
        """For every place within reach: the (place to go to, heading to face) steps that lead there, fewest first.

        Goes along sight lines that are certain and those that are only believed. No way leads back to the start.
        """
        routes: dict[str, tuple[Look, ...]] = {origin: ()}
        frontier = deque([origin])
        while frontier:
            place = frontier.popleft()
            for name, heading in {**believed.get(place, {}), **self.sight_lines.get(place, {})}.items():
                if name not in routes and name in self.zones and name != START:
                    routes[name] = (*routes[place], (name, heading))
                    frontier.append(name)
        return routes

    def explains(self, name: str, cells: Mapping[str, Cell]) -> bool:
        """Whether a thing at its cell would have been seen from others, and they from it, just when they were."""
        return all(self._agree(name, other, cells) for other in cells if other != name)

    def _agree(self, a: str, b: str, cells: Mapping[str, Cell]) -> bool:
        if cells[a] == cells[b]:
            return False
        if set(self.zones[a]).isdisjoint(self.zones[b]):
            return True
        return self.allows(a, b, difference(cells[b], cells[a])) and self.allows(b, a, difference(cells[a], cells[b]))

    def allows(self, here: str, other: str, apart: Vector) -> bool:
        """Whether the wall of a door, and all looks from `here`, allow something to be so many cells away."""
        for zone in self.zones[other]:
            inward = self.into.get((here, zone))
            if inward is not None and to_ego(apart, inward)[1] < (0 if (other, zone) in self.into else 1):
                return False
        views = ((heading, self.looks.get((here, heading))) for heading in Heading)
        return other == START or all(
            in_view(apart, heading) == (other in look.names) for heading, look in views if look is not None
        )

    def _meet(self, sighting: Sighting, zone: int, heading: Heading) -> None:
        if not isinstance(sighting.detail, WallLabel):
            self.zones[sighting.name] = (zone,)
            return
        beyond = self.zone_count
        inward = heading.turned(_INWARD[sighting.detail])
        self.zones[sighting.name] = (zone, beyond)
        self.into[sighting.name, zone] = inward
        self.into[sighting.name, beyond] = inward.opposite

    def _zone_of(self, sighting: Sighting, observation: Observation) -> int:
        """In a doorway, the side on which something appears tells its zone."""
        zones, heading = self.zones[observation.standing_on], observation.heading
        if len(zones) == 1:
            return zones[0]
        inward = {self.into[observation.standing_on, zone]: zone for zone in zones}
        if heading in inward:
            return inward[heading]
        if sighting.direction is EgoBin.FRONT and isinstance(sighting.detail, WallLabel):
            return inward.get(heading.turned(_INWARD[sighting.detail]), zones[0])
        return inward[heading.turned(-90 if sighting.direction in _LEFT else 90)]
