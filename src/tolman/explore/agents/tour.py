"""The depth-first tour of rooms that the published proxies share, and the floor plan it goes by: the true one, or
one inferred from observations.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Protocol

from tolman.belief import Belief
from tolman.core.geometry import Heading, closest_heading, difference
from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate, Term
from tolman.explore.belief_tracker import default_extent
from tolman.explore.episode import AgentHistory, Brief, Turn
from tolman.explore.topological_map import TopologicalMap, ViewPose, most_certain_route
from tolman.sense import Observation
from tolman.world import START, Door, Scene

RoomExit = tuple[int, str]
"""A room and the door that leads there."""


class FloorPlanLike(Protocol):
    """Names, rooms, doors and ways, as far as they are known."""

    @property
    def names(self) -> tuple[str, ...]:
        """All things and doors there are, seen or not."""
        ...

    @property
    def extent(self) -> int:
        """Cells from the start within which everything lies."""
        ...

    @property
    def first_room(self) -> int:
        """The room in which the tour starts."""
        ...

    def learn(self, observation: Observation) -> None:
        """Take in one look."""
        ...

    def rooms_of(self, name: str) -> tuple[int, ...]:
        """The rooms that something is known to be in: two for a door."""
        ...

    def names_in(self, room: int) -> tuple[str, ...]:
        """What is known to be in a room, doors included, in the order of `names`."""
        ...

    def ways_on(self, room: int) -> tuple[RoomExit, ...]:
        """The rooms next to a room, each with its door, in the order in which a tour should take them."""
        ...

    def into(self, door: str, room: int) -> Heading:
        """The heading of someone who walks through a door into a room."""
        ...

    def route(self, origin: str, name: str) -> tuple[ViewPose, ...]:
        """Places to go to one after the other, each with the heading to face before; empty if no way is known."""
        ...


class TrueFloorPlan:
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

    def ways_on(self, room: int) -> tuple[RoomExit, ...]:
        """Rooms next to this one with the doors that lead there, in the order of their numbers."""
        ways = [(door.beyond(room), door.name) for door in self._scene.doors if room in door.rooms]
        return tuple(sorted(ways, key=lambda way: way[0]))

    def into(self, door: str, room: int) -> Heading:
        """The heading of someone who walks through a door into a room."""
        item = self._scene.item(door)
        if not isinstance(item, Door):
            raise ValueError(f"{door} is not a door")
        return item.into(room)

    def route(self, origin: str, name: str) -> tuple[ViewPose, ...]:
        """Straight there, faced as nearly as four headings allow."""
        here = self._scene.pose_at(origin, Heading.NORTH).cell
        return ((name, closest_heading(difference(self._scene.item(name).cell, here))),)


class InferredFloorPlan:
    """A `Place` that fills up as looks come in. Rooms are zones, numbered as they are found."""

    first_room = 0

    def __init__(self, brief: Brief) -> None:
        self.names = brief.names
        self.extent = default_extent(brief)
        self._doors = brief.doors
        self._known = TopologicalMap()
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

    def ways_on(self, room: int) -> tuple[RoomExit, ...]:
        """Zones next to this one, in the order in which the brief names the doors."""
        doors = (door for door in self._doors if room in self.rooms_of(door))
        return tuple((zone, door) for door in doors for zone in self.rooms_of(door) if zone != room)

    def into(self, door: str, room: int) -> Heading:
        """The heading of someone who walks through a door into a zone, from the wall that the door was seen in."""
        return self._known.into[door, room]

    def route(self, origin: str, name: str) -> tuple[ViewPose, ...]:
        """The way that is least likely to fail."""
        return most_certain_route(self._known, self._belief, origin, name)


TourSteps = Generator[Actions, Turn, None]
RoomTour = Callable[[int, str], TourSteps]
"""How to explore one room, given its number and the name of the place where it was entered."""

START_SWEEP = (0, 90, 90, 90)
DOOR_SWEEP = (0, 90, 180)
"""Clockwise turns before each look: ahead, right, left."""
_TRIES = 4
"""Turns to spend on one look. Each failed move shows one of the four ways, so a fourth can't fail for want of sight."""


class Tour:
    """Where a touring agent is, what it has seen, and the moves it will make before its next look."""

    def __init__(self, place: FloorPlanLike) -> None:
        self.place = place
        self.standing_on = START
        self.heading = Heading.NORTH
        self.pending: list[Move] = []
        self.known: set[str] = set()
        self.visited: set[int] = set()

    @property
    def all_known(self) -> bool:
        return len(self.known) == len(self.place.names)

    def rotate_to(self, heading: Heading) -> None:
        turn = self.heading.turn_to(heading)
        if turn:
            self.rotate(turn)

    def rotate(self, degrees: int) -> None:
        self.pending.append(Rotate(degrees))
        self.heading = self.heading.turned(degrees)

    def go(self, name: str) -> None:
        """Go to a thing or door, by whatever way the place knows."""
        for step, heading in self.place.route(self.standing_on, name):
            self.rotate_to(heading)
            self.pending.append(Goto(step))
            self.standing_on = step

    def look(self, room: int) -> TourSteps:
        """Make the pending moves, look, and credit what is seen of a room. If a move fails, try again from there."""
        wanted = self.standing_on, self.heading
        for _ in range(_TRIES):
            turn = yield Actions(tuple(self.pending), Observe())
            self._take_in(turn, room)
            if isinstance(turn.told, Observation) and (self.standing_on, self.heading) == wanted:
                return
            if self.standing_on != wanted[0]:
                self.go(wanted[0])
            self.rotate_to(wanted[1])

    def enter(self, door: str, room: int) -> None:
        """Stand in a doorway, facing into a room."""
        if self.standing_on != door:
            self.go(door)
        self.rotate_to(self.place.into(door, room))

    def sweep(self, room: int, entry: str) -> TourSteps:
        """Look all around from where a room was entered, until everything in the scene is known."""
        for degrees in START_SWEEP if entry == START else DOOR_SWEEP:
            if self.all_known:
                return
            if degrees:
                self.rotate(degrees)
            yield from self.look(room)

    def everywhere(self, explore_room: RoomTour) -> TourSteps:
        """Explore all rooms depth first; stop as soon as everything is known."""
        return self._depth_first(explore_room, self.place.first_room, START)

    def _depth_first(self, explore_room: RoomTour, room: int, entry: str) -> TourSteps:
        """Explore a room, then those beyond its doors, and come back."""
        self.visited.add(room)
        yield from explore_room(room, entry)
        while not self.all_known and (way := self._way_on(room)):
            beyond, door = way
            self.enter(door, beyond)
            self.known.add(door)
            yield from self._depth_first(explore_room, beyond, door)
            if not self.all_known:
                self.enter(door, room)

    def _way_on(self, room: int) -> RoomExit | None:
        return next((way for way in self.place.ways_on(room) if way[0] not in self.visited), None)

    def _take_in(self, turn: Turn, room: int) -> None:
        self.pending = []
        self.standing_on, self.heading = turn.standing_on, turn.heading
        if isinstance(turn.told, Observation):
            self.known.update(name for name in turn.told.names if room in self.place.rooms_of(name))


TourPlan = Callable[[FloorPlanLike], TourSteps]


class TouringExplorer:
    """Makes a tour by running it again over everything that was heard, and terminates when it is exhausted."""

    def __init__(self, survey: Callable[[Brief], FloorPlanLike], plan: TourPlan) -> None:
        self._survey = survey
        self._plan = plan

    def act(self, heard: AgentHistory) -> Actions:
        """The next turn of the tour."""
        turns = (turn for turn in heard.turns if turn.phase == "explore")
        return next_look(self._survey(heard.brief), self._plan, turns) or Actions((), Term())


def next_look(place: FloorPlanLike, plan: TourPlan, turns: Iterable[Turn]) -> Actions | None:
    """What a tour does after some turns, or None if it is over by then. The place learns from what they told."""
    looks = plan(place)
    try:
        actions = next(looks)
        for turn in turns:
            if isinstance(turn.told, Observation):
                place.learn(turn.told)
            actions = looks.send(turn)
    except StopIteration:
        return None
    return actions
