"""The depth-first tour of rooms that the published proxy agents share, and the floor plan that it uses: the true one,
or one inferred from observations.
"""

from collections.abc import Callable, Generator, Iterable
from typing import Protocol

from tolman.belief import Belief
from tolman.core.geometry import Heading, closest_heading, difference
from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate, Term
from tolman.explore.agents.registry import explorer, text_explorer
from tolman.explore.belief_tracker import default_extent
from tolman.explore.episode import AgentHistory, Brief, Turn
from tolman.explore.topological_map import TopologicalMap, ViewPose, most_certain_route
from tolman.sense import Observation
from tolman.world import START, Door, Scene

RoomExit = tuple[int, str]
"""A room and the door that leads to it."""


class FloorPlanLike(Protocol):
    """Names, rooms, doors and routes, as far as known."""

    @property
    def names(self) -> tuple[str, ...]:
        """All things and doors, seen or not."""
        ...

    @property
    def extent(self) -> int:
        """Cells from the start within which everything lies, along each axis."""
        ...

    @property
    def first_room(self) -> int:
        """The room in which the tour starts."""
        ...

    def learn(self, observation: Observation) -> None:
        """Add one observation."""
        ...

    def rooms_of(self, name: str) -> tuple[int, ...]:
        """The rooms in which a name is known to be: two for a door."""
        ...

    def names_in(self, room: int) -> tuple[str, ...]:
        """Names known to be in a room, doors included, in the order of `names`."""
        ...

    def exits(self, room: int) -> tuple[RoomExit, ...]:
        """The rooms adjacent to a room, each with its door, in the order in which a tour visits them."""
        ...

    def into(self, door: str, room: int) -> Heading:
        """The heading of an agent that passes through a door into a room."""
        ...

    def route(self, origin: str, name: str) -> tuple[ViewPose, ...]:
        """Places to go to in order, each with the heading to face before; empty if no route is known."""
        ...


class TrueFloorPlan:
    """The true floor plan. It lists the names in a room before they were seen, as the released proxies do."""

    first_room = 1

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.names = scene.names
        self.extent = scene.extent

    def learn(self, observation: Observation) -> None:
        """Does nothing: the plan is complete."""

    def rooms_of(self, name: str) -> tuple[int, ...]:
        """The rooms of a name."""
        return self._scene.item(name).rooms

    def names_in(self, room: int) -> tuple[str, ...]:
        """Everything in a room, in the scene's order."""
        return tuple(item.name for item in self._scene.items_in((room,)))

    def exits(self, room: int) -> tuple[RoomExit, ...]:
        """Adjacent rooms with their doors, in the order of their numbers."""
        exits = [(door.beyond(room), door.name) for door in self._scene.doors if room in door.rooms]
        return tuple(sorted(exits, key=lambda way: way[0]))

    def into(self, door: str, room: int) -> Heading:
        """The heading of an agent that passes through a door into a room."""
        item = self._scene.item(door)
        if not isinstance(item, Door):
            raise ValueError(f"{door} is not a door")
        return item.into(room)

    def route(self, origin: str, name: str) -> tuple[ViewPose, ...]:
        """Straight to the target, in the closest of the four headings."""
        here = self._scene.pose_at(origin, Heading.NORTH).cell
        return ((name, closest_heading(difference(self._scene.item(name).cell, here))),)


class InferredFloorPlan:
    """A floor plan inferred from observations. Rooms are zones, numbered as they are found."""

    first_room = 0

    def __init__(self, brief: Brief) -> None:
        self.names = brief.names
        self.extent = default_extent(brief)
        self._doors = brief.doors
        self._topology = TopologicalMap()
        self._belief = Belief.start(self.names, self.extent)

    def learn(self, observation: Observation) -> None:
        """Add one observation."""
        self._topology.learn(observation)
        self._belief = self._belief.after(observation)

    def rooms_of(self, name: str) -> tuple[int, ...]:
        """The zones of a name; none before it was seen."""
        return self._topology.zones.get(name, ())

    def names_in(self, room: int) -> tuple[str, ...]:
        """Names seen in a zone, in the order of the brief."""
        return tuple(name for name in self.names if room in self.rooms_of(name))

    def exits(self, room: int) -> tuple[RoomExit, ...]:
        """Adjacent zones, in the order of the doors in the brief."""
        doors = (door for door in self._doors if room in self.rooms_of(door))
        return tuple((zone, door) for door in doors for zone in self.rooms_of(door) if zone != room)

    def into(self, door: str, room: int) -> Heading:
        """The heading of an agent that passes through a door into a zone, from the wall in which the door was seen."""
        return self._topology.into[door, room]

    def route(self, origin: str, name: str) -> tuple[ViewPose, ...]:
        """The route that is least likely to fail."""
        return most_certain_route(self._topology, self._belief, origin, name)


TourSteps = Generator[Actions, Turn, None]
RoomTour = Callable[[int, str], TourSteps]
"""Explores one room, given its number and the name of the place where it was entered."""

START_SWEEP = (0, 90, 90, 90)
DOOR_SWEEP = (0, 90, 180)
"""Clockwise degrees to rotate before each observation: ahead, right, left."""
_TRIES = 4
"""Most turns spent on one observation. Each failed move shows one of the four headings, so the fourth succeeds."""


class Tour:
    """The pose of a touring agent, the names it has seen, and the moves it makes before its next observation."""

    def __init__(self, floor_plan: FloorPlanLike) -> None:
        self.floor_plan = floor_plan
        self.standing_on = START
        self.heading = Heading.NORTH
        self.pending: list[Move] = []
        self.seen: set[str] = set()
        self.visited: set[int] = set()

    @property
    def all_seen(self) -> bool:
        return len(self.seen) == len(self.floor_plan.names)

    def rotate_to(self, heading: Heading) -> None:
        turn = self.heading.turn_to(heading)
        if turn:
            self.rotate(turn)

    def rotate(self, degrees: int) -> None:
        self.pending.append(Rotate(degrees))
        self.heading = self.heading.turned(degrees)

    def go(self, name: str) -> None:
        """Go to a thing or door by the route of the floor plan."""
        for step, heading in self.floor_plan.route(self.standing_on, name):
            self.rotate_to(heading)
            self.pending.append(Goto(step))
            self.standing_on = step

    def look(self, room: int) -> TourSteps:
        """Make the pending moves, observe, and record the names seen of a room. After a failed move, try again."""
        target = self.standing_on, self.heading
        for _ in range(_TRIES):
            turn = yield Actions(tuple(self.pending), Observe())
            self._record(turn, room)
            if isinstance(turn.feedback, Observation) and (self.standing_on, self.heading) == target:
                return
            if self.standing_on != target[0]:
                self.go(target[0])
            self.rotate_to(target[1])

    def enter(self, door: str, room: int) -> None:
        """Stand in a doorway, facing into a room."""
        if self.standing_on != door:
            self.go(door)
        self.rotate_to(self.floor_plan.into(door, room))

    def sweep(self, room: int, entry: str) -> TourSteps:
        """Observe in all headings from where a room was entered, until every name has been seen."""
        for degrees in START_SWEEP if entry == START else DOOR_SWEEP:
            if self.all_seen:
                return
            if degrees:
                self.rotate(degrees)
            yield from self.look(room)

    def everywhere(self, explore_room: RoomTour) -> TourSteps:
        """Explore all rooms depth first; stop as soon as every name has been seen."""
        return self._depth_first(explore_room, self.floor_plan.first_room, START)

    def _depth_first(self, explore_room: RoomTour, room: int, entry: str) -> TourSteps:
        """Explore a room, then those behind its doors, and return."""
        self.visited.add(room)
        yield from explore_room(room, entry)
        while not self.all_seen and (way := self._next_exit(room)):
            beyond, door = way
            self.enter(door, beyond)
            self.seen.add(door)
            yield from self._depth_first(explore_room, beyond, door)
            if not self.all_seen:
                self.enter(door, room)

    def _next_exit(self, room: int) -> RoomExit | None:
        return next((way for way in self.floor_plan.exits(room) if way[0] not in self.visited), None)

    def _record(self, turn: Turn, room: int) -> None:
        self.pending = []
        self.standing_on, self.heading = turn.standing_on, turn.heading
        if isinstance(turn.feedback, Observation):
            self.seen.update(name for name in turn.feedback.names if room in self.floor_plan.rooms_of(name))


TourPlan = Callable[[FloorPlanLike], TourSteps]


class TouringExplorer:
    """Follows a tour by running it again over the whole history, and terminates when it is complete."""

    def __init__(self, make_floor_plan: Callable[[Brief], FloorPlanLike], tour: TourPlan) -> None:
        self._make_floor_plan = make_floor_plan
        self._tour = tour

    def act(self, history: AgentHistory) -> Actions:
        """The next turn of the tour."""
        turns = (turn for turn in history.turns if turn.phase == "explore")
        return next_look(self._make_floor_plan(history.brief), self._tour, turns) or Actions((), Term())


def touring_explorer(name: str) -> Callable[[TourPlan], TourPlan]:
    """Register a tour as an explorer that is given the true floor plan, and as a text explorer that infers it from its
    observations. Both are deterministic: the seed is not used."""

    def register(tour: TourPlan) -> TourPlan:
        @explorer(name)
        def _with_floor_plan(scene: Scene, _: int) -> TouringExplorer:
            return TouringExplorer(lambda _: TrueFloorPlan(scene), tour)

        @text_explorer(name)
        def _from_observations(_: int) -> TouringExplorer:
            return TouringExplorer(InferredFloorPlan, tour)

        return tour

    return register


def next_look(floor_plan: FloorPlanLike, tour: TourPlan, turns: Iterable[Turn]) -> Actions | None:
    """The next actions of a tour after some turns, or None if it is complete. Updates the floor plan by the turns."""
    looks = tour(floor_plan)
    try:
        actions = next(looks)
        for turn in turns:
            if isinstance(turn.feedback, Observation):
                floor_plan.learn(turn.feedback)
            actions = looks.send(turn)
    except StopIteration:
        return None
    return actions
