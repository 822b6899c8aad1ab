"""The place as it is known from words alone: what was seen from where, and where things may therefore be."""

from tolman.belief import Belief
from tolman.explore.agents.acquaintance import Acquaintance, Look
from tolman.explore.agents.place import Way
from tolman.explore.agents.recollection import reach
from tolman.explore.agents.surest_way import surest_way
from tolman.explore.episode import Brief
from tolman.geometry import Heading
from tolman.sense import Observation


class Hearsay:
    """A `Place` that fills up as looks come in. Rooms are zones, numbered as they are found."""

    first_room = 0

    def __init__(self, brief: Brief) -> None:
        self.names = brief.names
        self.extent = reach(brief)
        self._doors = brief.doors
        self._known = Acquaintance()
        self._belief = Belief.start(self.names, self.extent)

    def learn(self, observation: Observation) -> None:
        """Take in one look."""
        self._known.learn(observation)
        self._belief = self._belief.after(observation)

    def rooms_of(self, name: str) -> tuple[int, ...]:
        """The zones of something; none before it was seen."""
        return self._known.zones.get(name, ())

    def names_in(self, room: int) -> tuple[str, ...]:
        """What was seen in a zone, in the order of the brief."""
        return tuple(name for name in self.names if room in self.rooms_of(name))

    def ways_on(self, room: int) -> tuple[Way, ...]:
        """Zones next to this one, in the order in which the brief names the doors."""
        doors = (door for door in self._doors if room in self.rooms_of(door))
        return tuple((zone, door) for door in doors for zone in self.rooms_of(door) if zone != room)

    def into(self, door: str, room: int) -> Heading:
        """The heading of someone who walks through a door into a zone, from the wall that the door was seen in."""
        return self._known.into[door, room]

    def route(self, origin: str, name: str) -> tuple[Look, ...]:
        """The way that is least likely to fail."""
        return surest_way(self._known, self._belief, origin, name)
