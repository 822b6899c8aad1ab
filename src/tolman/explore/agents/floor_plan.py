"""The place as the published proxies know it: from the true scene, with the position of everything."""

from tolman.explore.agents.acquaintance import Look
from tolman.explore.agents.place import Way
from tolman.geometry import Heading, closest_heading, difference
from tolman.sense import Observation
from tolman.world import Door, Scene


class FloorPlan:
    """A `Place` that needs to learn nothing. It gives what is in a room before it was seen, as the release does."""

    first_room = 1

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.names = scene.names
        self.extent = scene.extent

    def learn(self, observation: Observation) -> None:
        """Nothing new."""

    def rooms_of(self, name: str) -> tuple[int, ...]:
        """The rooms that something is in."""
        return self._scene.item(name).rooms

    def names_in(self, room: int) -> tuple[str, ...]:
        """Everything in a room, in the scene's order."""
        return tuple(item.name for item in self._scene.items_in((room,)))

    def ways_on(self, room: int) -> tuple[Way, ...]:
        """Rooms next to this one with the doors that lead there, in the order of their numbers."""
        ways = [(door.beyond(room), door.name) for door in self._scene.doors if room in door.rooms]
        return tuple(sorted(ways, key=lambda way: way[0]))

    def into(self, door: str, room: int) -> Heading:
        """The heading of someone who walks through a door into a room."""
        item = self._scene.item(door)
        if not isinstance(item, Door):
            raise ValueError(f"{door} is not a door")
        return item.into(room)

    def route(self, origin: str, name: str) -> tuple[Look, ...]:
        """Straight there, faced as nearly as four headings allow."""
        here = self._scene.pose_at(origin, Heading.NORTH).cell
        return ((name, closest_heading(difference(self._scene.item(name).cell, here))),)
