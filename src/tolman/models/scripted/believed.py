"""A believed world: one guess at the whole place that agrees with all that was heard.

It is a scene, so whatever can be asked of a scene can be asked of a belief. The agent's start is at (0, 0) in room 1;
the other rooms are numbered as they were found, which need not be the world's numbers.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tolman.belief.cognitive_map import Placed
from tolman.explore.agents.acquaintance import Acquaintance
from tolman.explore.agents.imagination import ImaginedWorld, imagine
from tolman.geometry import Cell, Heading
from tolman.ideal.knowledge import Knowledge
from tolman.models.scripted.walls import believed_rooms
from tolman.seeds import rng
from tolman.world import Door, Room, Scene, Thing

DRAWS = 8
"""Worlds drawn from a belief that is not certain; the one nearest to their middle is believed in."""
Given = Mapping[str, Placed]
"""Positions in cells east and north of the start, and facings, by name."""
NOWHERE = 0
"""Number of the room of things that are in none of the rooms found: nobody sees them."""


@dataclass(frozen=True)
class BelievedWorld(Scene):
    """A scene that is not checked, as a belief may contradict itself."""

    def __post_init__(self) -> None:
        pass


@dataclass(frozen=True)
class Beliefs:
    """Worlds drawn from what is known, each in agreement with all of it."""

    knowledge: Knowledge
    draws: tuple[ImaginedWorld, ...]
    seed: int
    given: Given
    """What is known from elsewhere, which counts for more than what was heard."""

    @property
    def likeliest(self) -> BelievedWorld:
        """The world to believe in."""
        return _built(self, _middle(self.knowledge, self.draws))

    def others(self) -> Iterator[BelievedWorld]:
        """All worlds, as none is certain."""
        return (_built(self, draw) for draw in self.draws)


def believe(knowledge: Knowledge, seed: int, given: Given | None = None) -> Beliefs:
    """Draw worlds: one if that is all there can be, else several. What is given too far away is not believed."""
    stream = rng(seed, "believed world")
    certain = all(knowledge.belief.count(name) == 1 for name in knowledge.known.zones)
    draws = [
        imagine(knowledge.belief, knowledge.known, knowledge.brief, stream) for _ in range(1 if certain else DRAWS)
    ]
    extent = knowledge.belief.extent
    near = {name: there for name, there in (given or {}).items() if max(map(abs, there.position)) <= extent}
    return Beliefs(knowledge, tuple(draws), seed, near)


def _middle(knowledge: Knowledge, draws: Sequence[ImaginedWorld]) -> ImaginedWorld:
    """The draw with the least squared distance to the mean of all, over what has been seen."""
    names = [name for name in knowledge.known.zones if all(name in draw.cells for draw in draws)]
    means = {
        name: tuple(sum(draw.cells[name][axis] for draw in draws) / len(draws) for axis in range(2)) for name in names
    }

    def error(draw: ImaginedWorld) -> float:
        return sum((a - b) ** 2 for name in names for a, b in zip(draw.cells[name], means[name], strict=True))

    return min(draws, key=error)


def _built(beliefs: Beliefs, draw: ImaginedWorld) -> BelievedWorld:
    """The world of one draw; what has no place in it is put anywhere, and faces anywhere."""
    knowledge, given = beliefs.knowledge, beliefs.given
    brief, known = knowledge.brief, knowledge.known
    cells = draw.cells | {name: (round(there.position[0]), round(there.position[1])) for name, there in given.items()}
    rooms = believed_rooms(known, cells)
    floor = [cell for room in rooms for cell in room.cells]
    stream = rng(beliefs.seed, "unseen things")
    cells = {name: floor[int(stream.integers(len(floor)))] for name in brief.names} | cells
    fronts = {name: Heading(int(stream.integers(4))) for name in brief.things} | knowledge.fronts
    fronts |= {name: there.facing for name, there in given.items()}
    things = [Thing(name, "", cells[name], fronts[name], _room(name, draw, rooms, given)) for name in brief.things]
    doors = [_door(name, cells[name], known) for name in brief.doors]
    return BelievedWorld(rooms, tuple(doors), tuple(things), (0, 0))


def _room(name: str, draw: ImaginedWorld, rooms: tuple[Room, ...], given: Given) -> int:
    """The number of a thing's room: of the one it was seen or imagined in, else of the one that holds its place."""
    if name in draw.zones:
        return draw.zones[name][0] + 1
    there = given[name].position if name in given else None
    return next((room.id for room in rooms if there and room.holds((round(there[0]), round(there[1])))), NOWHERE)


def _door(name: str, cell: Cell, known: Acquaintance) -> Door:
    """A door between two rooms found; one never seen leads from nowhere to nowhere."""
    sides = sorted((known.into[name, zone] not in (Heading.EAST, Heading.NORTH), zone) for zone in _zones(name, known))
    if len(sides) < 2:
        return Door(name, cell, (NOWHERE, NOWHERE), "x")
    (_, high), (_, low) = sides[:2]
    inward = known.into[name, high]
    return Door(name, cell, (low + 1, high + 1), "x" if inward in (Heading.EAST, Heading.WEST) else "y")


def _zones(name: str, known: Acquaintance) -> list[int]:
    return [zone for zone in known.zones.get(name, ()) if (name, zone) in known.into]
