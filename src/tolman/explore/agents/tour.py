"""The tour that both published proxies share: rooms depth first from the first, one sweep of looks in each.

The published proxies know the floor plan (which door leads to which room, and where known things stand), as the
released ones do; listeners know what they heard. A tour asks a `Place` and does not care which it is. It is written as
a generator of turns: it yields actions and is sent the turn that came of them.
"""

from collections.abc import Callable, Generator, Iterable

from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate, Term
from tolman.explore.agents.place import Place, Way
from tolman.explore.episode import Brief, Turn
from tolman.explore.heard import Heard
from tolman.geometry import Heading
from tolman.sense import Observation
from tolman.world import START

Looks = Generator[Actions, Turn, None]
RoomLooks = Callable[[int, str], Looks]
"""How to explore one room, given its number and the name of the place where it was entered."""

START_SWEEP = (0, 90, 90, 90)
DOOR_SWEEP = (0, 90, 180)
"""Clockwise turns before each look: ahead, right, left."""
_TRIES = 4
"""Turns to spend on one look. Each failed move shows one of the four ways, so a fourth can't fail for want of sight."""


class Tour:
    """Where a touring agent is, what it has seen, and the moves it will make before its next look."""

    def __init__(self, place: Place) -> None:
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

    def look(self, room: int) -> Looks:
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

    def sweep(self, room: int, entry: str) -> Looks:
        """Look all around from where a room was entered, until everything in the scene is known."""
        for degrees in START_SWEEP if entry == START else DOOR_SWEEP:
            if self.all_known:
                return
            if degrees:
                self.rotate(degrees)
            yield from self.look(room)

    def everywhere(self, explore_room: RoomLooks) -> Looks:
        """Explore all rooms depth first; stop as soon as everything is known."""
        return self._depth_first(explore_room, self.place.first_room, START)

    def _depth_first(self, explore_room: RoomLooks, room: int, entry: str) -> Looks:
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

    def _way_on(self, room: int) -> Way | None:
        return next((way for way in self.place.ways_on(room) if way[0] not in self.visited), None)

    def _take_in(self, turn: Turn, room: int) -> None:
        self.pending = []
        self.standing_on, self.heading = turn.standing_on, turn.heading
        if isinstance(turn.told, Observation):
            self.known.update(name for name in turn.told.names if room in self.place.rooms_of(name))


Plan = Callable[[Place], Looks]


class TouringExplorer:
    """Makes a tour by running it again over everything that was heard, and terminates when it is exhausted."""

    def __init__(self, survey: Callable[[Brief], Place], plan: Plan) -> None:
        self._survey = survey
        self._plan = plan

    def act(self, heard: Heard) -> Actions:
        """The next turn of the tour."""
        turns = (turn for turn in heard.turns if turn.phase == "explore")
        return next_look(self._survey(heard.brief), self._plan, turns) or Actions((), Term())


def next_look(place: Place, plan: Plan, turns: Iterable[Turn]) -> Actions | None:
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
