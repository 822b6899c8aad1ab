"""The world that a scripted agent replies from: the true scene, or a scene built from samples that agree with its
history.

The start of a believed scene is at (0, 0) in room 1; the other rooms are numbered as they were found.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from tolman.belief.cognitive_map import Placement
from tolman.core.geometry import Cell, Heading
from tolman.core.seeds import rng
from tolman.explore.belief_tracker import SampledWorld, sample_world
from tolman.explore.episode import TextHistory
from tolman.explore.topological_map import TopologicalMap
from tolman.ideal.knowledge import Knowledge, evidence_in, knowledge_from
from tolman.models.call_context import SceneCallContext
from tolman.models.scripted.change_detection import RevisedKnowledge, revise
from tolman.models.scripted.conversation_parsing import GivenMap
from tolman.world import Change, Door, Room, Scene, Thing, changes_between

DEFAULT_ROOM_WIDTH = 6
"""Cells across a room, where no room is known from wall to wall. An agent is not told."""
_AXES = ((Heading.EAST, Heading.WEST), (Heading.NORTH, Heading.SOUTH))

RoomSide = tuple[int | None, int | None, list[int]]
"""First and last floor cell along one axis, where a door gives them away, and cells that must be in between."""


def believed_rooms(known: TopologicalMap, cells: Mapping[str, Cell]) -> tuple[Room, ...]:
    """One rectangle for each zone, numbered from 1, in the frame of `cells`."""
    zones = range(known.zone_count)
    along = [[_side(known, cells, zone, axis) for zone in zones] for axis in range(2)]
    (xs, ys) = ([_span(side, _width(sides)) for side in sides] for sides in along)
    return tuple(Room(zone + 1, (xs[zone][0], ys[zone][0]), (xs[zone][1], ys[zone][1])) for zone in zones)


def _side(known: TopologicalMap, cells: Mapping[str, Cell], zone: int, axis: int) -> RoomSide:
    up, down = _AXES[axis]
    low = high = None
    inside: list[int] = []
    for name, zones in known.zones.items():
        if zone in zones and name in cells:
            place, inward = cells[name][axis], known.into.get((name, zone))
            if inward == up:
                low = place + 1
            elif inward == down:
                high = place - 1
            else:
                inside.append(place)
    return low, high, inside


def _width(sides: list[RoomSide]) -> int:
    """What rooms measure along an axis: rooms of one place are mostly alike."""
    exact = [high - low + 1 for low, high, _ in sides if low is not None and high is not None]
    spans = [max(inside) - min(inside) + 1 for _, _, inside in sides if inside]
    return max(exact) if exact else max([DEFAULT_ROOM_WIDTH, *spans])


def _span(side: RoomSide, width: int) -> tuple[int, int]:
    """First and last cell of a room along an axis; never an empty one, though a belief may contradict itself."""
    low, high, inside = side
    if low is not None and high is not None:
        return low, max(low, high)
    if low is not None:
        return low, max([low + width - 1, *inside])
    if high is not None:
        return min([high - width + 1, *inside]), high
    if not inside:
        return 0, width - 1
    spare = max(0, width - (max(inside) - min(inside) + 1))
    return min(inside) - spare // 2, max(inside) + spare - spare // 2


WORLD_DRAWS = 8
"""Worlds drawn from a belief that is not certain; the one nearest to their middle is believed in."""
GivenPlacements = Mapping[str, Placement]
"""Positions in cells east and north of the start, and facings, by name."""
NO_ROOM = 0
"""Number of the room of things that are in none of the rooms found: nobody sees them."""


@dataclass(frozen=True)
class BelievedWorld(Scene):
    """A scene that is not checked, as a belief may contradict itself."""

    def __post_init__(self) -> None:
        pass


@dataclass(frozen=True)
class WorldSamples:
    """Worlds drawn from what is known, each in agreement with all of it."""

    knowledge: Knowledge
    draws: tuple[SampledWorld, ...]
    seed: int
    given: GivenPlacements
    """What is known from elsewhere, which counts for more than what was heard."""

    @property
    def likeliest(self) -> BelievedWorld:
        """The world to believe in."""
        return _build_world(self, _nearest_to_mean(self.knowledge, self.draws))

    def others(self) -> Iterator[BelievedWorld]:
        """All worlds, as none is certain."""
        return (_build_world(self, draw) for draw in self.draws)


def sample_worlds(knowledge: Knowledge, seed: int, given: GivenPlacements | None = None) -> WorldSamples:
    """Draw worlds: one if that is all there can be, else several. What is given too far away is not believed."""
    stream = rng(seed, "believed world")
    certain = all(knowledge.belief.count(name) == 1 for name in knowledge.known.zones)
    draws = [
        sample_world(knowledge.belief, knowledge.known, knowledge.brief, stream)
        for _ in range(1 if certain else WORLD_DRAWS)
    ]
    extent = knowledge.belief.extent
    near = {name: there for name, there in (given or {}).items() if max(map(abs, there.position)) <= extent}
    return WorldSamples(knowledge, tuple(draws), seed, near)


def _nearest_to_mean(knowledge: Knowledge, draws: Sequence[SampledWorld]) -> SampledWorld:
    """The draw with the least squared distance to the mean of all, over what has been seen."""
    names = [name for name in knowledge.known.zones if all(name in draw.cells for draw in draws)]
    means = {
        name: tuple(sum(draw.cells[name][axis] for draw in draws) / len(draws) for axis in range(2)) for name in names
    }

    def error(draw: SampledWorld) -> float:
        return sum((a - b) ** 2 for name in names for a, b in zip(draw.cells[name], means[name], strict=True))

    return min(draws, key=error)


def _build_world(beliefs: WorldSamples, draw: SampledWorld) -> BelievedWorld:
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


def _room(name: str, draw: SampledWorld, rooms: tuple[Room, ...], given: GivenPlacements) -> int:
    """The number of a thing's room: of the one it was seen or imagined in, else of the one that holds its place."""
    if name in draw.zones:
        return draw.zones[name][0] + 1
    there = given[name].position if name in given else None
    return next((room.id for room in rooms if there and room.holds((round(there[0]), round(there[1])))), NO_ROOM)


def _door(name: str, cell: Cell, known: TopologicalMap) -> Door:
    """A door between two rooms found; one never seen leads from nowhere to nowhere."""
    sides = sorted((known.into[name, zone] not in (Heading.EAST, Heading.NORTH), zone) for zone in _zones(name, known))
    if len(sides) < 2:
        return Door(name, cell, (NO_ROOM, NO_ROOM), "x")
    (_, high), (_, low) = sides[:2]
    inward = known.into[name, high]
    return Door(name, cell, (low + 1, high + 1), "x" if inward in (Heading.EAST, Heading.WEST) else "y")


def _zones(name: str, known: TopologicalMap) -> list[int]:
    return [zone for zone in known.zones.get(name, ()) if (name, zone) in known.into]


@dataclass(frozen=True)
class AgentBelief:
    """A world, and how sure one is of it."""

    world: Scene
    changes: tuple[Change, ...]
    """What was found to have changed behind the agent's back, surest first."""
    how: str
    """Where it comes from, in one honest line."""
    guessed: frozenset[str] = frozenset()
    """Things whose front nobody has told of."""
    beliefs: WorldSamples | None = None

    def others(self) -> Iterator[Scene]:
        """Other worlds that one might believe in just as well."""
        return iter(()) if self.beliefs is None else self.beliefs.others()


def belief_from_truth(handed: SceneCallContext) -> AgentBelief:
    """The mind of someone who was handed the world."""
    changes = changes_between(handed.before, handed.scene) if handed.before else ()
    return AgentBelief(handed.scene, changes, "I was handed the true world.")


@lru_cache(maxsize=128)
def belief_from_history(heard: TextHistory, changed: int | None, given: GivenMap, seed: int) -> AgentBelief:
    """The mind of someone who knows what was said, and nothing else."""
    revised = _revised(heard, changed)
    knowledge, brief = revised.knowledge, heard.brief
    beliefs = sample_worlds(knowledge, seed, dict(given))
    guessed = {name for name in brief.things if name not in knowledge.fronts and name not in dict(given)}
    return AgentBelief(beliefs.likeliest, revised.changes, _source(knowledge, given), frozenset(guessed), beliefs)


def _source(knowledge: Knowledge, given: GivenMap) -> str:
    if given:
        return "I work this out on the map that I was given."
    names = knowledge.brief.names
    certain = sum(knowledge.belief.count(name) == 1 for name in names)
    return f"I work this out on my own map: {certain} of {len(names)} positions are certain."


def _revised(heard: TextHistory, changed: int | None) -> RevisedKnowledge:
    memory = knowledge_from(heard.brief, evidence_in(turn for turn in heard.turns if turn.phase == "explore"))
    if heard.phase == "explore":
        return RevisedKnowledge(memory, ())
    since = evidence_in(turn for turn in heard.turns if turn.phase == "revise")
    return revise(memory, since, changed or 0)
