"""The tour that both published proxies share: rooms depth first from room 1, one sweep of looks in each.

The proxies know the floor plan (which door leads to which room, and where known things stand), as the released ones do.
A tour is written as a generator of turns: it yields actions and is sent the observation they led to.
"""

from collections.abc import Callable, Generator

from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate, Term
from tolman.explore.episode import Episode
from tolman.geometry import Heading, closest_heading, difference
from tolman.sense import Observation
from tolman.world import START, Door, Scene

Looks = Generator[Actions, Observation, None]
RoomLooks = Callable[[int, str], Looks]
"""How to explore one room, given its number and the name of the place where it was entered."""

START_SWEEP = (0, 90, 90, 90)
DOOR_SWEEP = (0, 90, 180)
"""Clockwise turns before each look: ahead, right, left."""


class Tour:
    """Where a touring agent is, what it has seen, and the moves it will make before its next look."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.standing_on = START
        self.heading = Heading.NORTH
        self.pending: list[Move] = []
        self.known: set[str] = set()
        self.visited: set[int] = set()

    @property
    def all_known(self) -> bool:
        return len(self.known) == len(self.scene.names)

    def rotate_to(self, heading: Heading) -> None:
        turn = self.heading.turn_to(heading)
        if turn:
            self.rotate(turn)

    def rotate(self, degrees: int) -> None:
        self.pending.append(Rotate(degrees))
        self.heading = self.heading.turned(degrees)

    def go(self, name: str) -> None:
        """Face a thing or door as nearly as four headings allow, and go there."""
        here = self.scene.pose_at(self.standing_on, self.heading).cell
        self.rotate_to(closest_heading(difference(self.scene.item(name).cell, here)))
        self.pending.append(Goto(name))
        self.standing_on = name

    def look(self, room: int) -> Looks:
        """Make the pending moves, look, and credit what is seen of a room."""
        actions = Actions(tuple(self.pending), Observe())
        self.pending = []
        observation = yield actions
        for name in observation.names:
            if room in self.scene.item(name).rooms:
                self.known.add(name)

    def enter(self, door: Door, room: int) -> None:
        """Stand in a doorway, facing into a room."""
        if self.standing_on != door.name:
            self.go(door.name)
        self.rotate_to(door.into(room))

    def sweep(self, room: int, entry: str) -> Looks:
        """Look all around from where a room was entered, until everything in the scene is known."""
        for degrees in START_SWEEP if entry == START else DOOR_SWEEP:
            if self.all_known:
                return
            if degrees:
                self.rotate(degrees)
            yield from self.look(room)

    def depth_first(self, explore_room: RoomLooks, room: int = 1, entry: str = START) -> Looks:
        """Explore a room, then those beyond its doors, and come back; stop as soon as everything is known."""
        self.visited.add(room)
        yield from explore_room(room, entry)
        for beyond, door in self._ways_on(room):
            if self.all_known:
                return
            if beyond not in self.visited:
                self.enter(door, beyond)
                self.known.add(door.name)
                yield from self.depth_first(explore_room, beyond, door.name)
                if not self.all_known:
                    self.enter(door, room)

    def _ways_on(self, room: int) -> list[tuple[int, Door]]:
        """Rooms next to this one with the doors that lead there, in the order of their numbers."""
        ways = [(door.beyond(room), door) for door in self.scene.doors if room in door.rooms]
        return sorted(ways, key=lambda way: way[0])


class TouringExplorer:
    """Drives a generator of looks, one turn at a time, and terminates when it is exhausted."""

    def __init__(self, looks: Looks) -> None:
        self._looks = looks
        self._started = False

    def act(self, episode: Episode) -> Actions:
        """The next turn of the tour."""
        try:
            if not self._started:
                self._started = True
                return next(self._looks)
            told = episode.turns[-1].told
            if not isinstance(told, Observation):
                raise ValueError("a tour expects to be told what it sees")
            return self._looks.send(told)
        except StopIteration:
            return Actions((), Term())
