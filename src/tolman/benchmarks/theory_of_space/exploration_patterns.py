"""How an agent explores, measured from its looks: where it stands, what each look adds, the order of rooms, and what it
never sees.

A *look* is one observation. The *room* of a look is that of the place the agent stands on; in a doorway it is the room
that the agent faces or, along the wall, the one it was in. Values are of one scene; undefined ones are left out.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import fmean

from tolman.benchmarks.theory_of_space.explored_turns import ExploredTurn
from tolman.report.table import read_columns
from tolman.world import Door, Item, Scene, Thing

NO_GAIN = 1e-12
"""A look whose information gain grows by less than this adds none."""


@dataclass(frozen=True)
class ExplorationPatterns:
    """Patterns of one exploration, by column, and the rooms in the order in which it looked at them."""

    rooms: tuple[int, ...]
    """Numbers of rooms; one that is come back to is listed again."""
    values: Mapping[str, float]
    """By key of the column; only those that are defined."""


def exploration_patterns(
    scene: Scene, turns: Sequence[ExploredTurn], stated: Collection[str] | None
) -> ExplorationPatterns:
    """Patterns of an exploration. `stated` are the names on the last map; None if none was elicited."""
    looks = [turn for turn in turns if turn.looked]
    seen = frozenset(turns[-1].seen) if turns else frozenset[str]()
    rooms = _rooms_of(scene, looks)
    found = {
        **dict(_look_values(scene, turns, looks)),
        **dict(_room_values(scene, looks, rooms, seen)),
        **dict(_omissions(scene, seen, stated)),
    }
    return ExplorationPatterns(tuple(room for room, _ in groupby(rooms)), found)


Values = Iterator[tuple[str, float]]


def _look_values(scene: Scene, turns: Sequence[ExploredTurn], looks: Sequence[ExploredTurn]) -> Values:
    if not looks:
        return
    doors = {door.name for door in scene.doors}
    places = [look.turn.standing_on for look in looks]
    yield DOORWAY.key, fmean(place in doors for place in places)
    stays = [list(stay) for _, stay in groupby(looks, key=lambda look: look.turn.standing_on)]
    yield HEADINGS.key, fmean(len({look.turn.heading for look in stay}) for stay in stays)
    pairs = list(pairwise(looks))
    if pairs:
        yield IN_PLACE.key, fmean(_turned_in_place(before, look) for before, look in pairs)
    yield NOTHING_NEW.key, fmean(len(look.seen) == len(look.seen_before) for look in looks)
    views = [(look.turn.standing_on, look.turn.heading) for look in looks]
    yield SAME_VIEW.key, 1 - len(set(views)) / len(views)
    gained = {
        turn.number: turn.gain - before for before, turn in zip([0.0, *(t.gain for t in turns)], turns, strict=False)
    }
    yield NO_GAIN_COLUMN.key, fmean(gained[look.number] < NO_GAIN for look in looks)


def _turned_in_place(before: ExploredTurn, look: ExploredTurn) -> bool:
    same_place = before.turn.standing_on == look.turn.standing_on
    return same_place and before.turn.heading != look.turn.heading


def _rooms_of(scene: Scene, looks: Sequence[ExploredTurn]) -> list[int]:
    """The room of each look."""
    rooms: list[int] = []
    for look in looks:
        possible, heading = look.pose.rooms, look.pose.heading
        place = scene.item(look.turn.standing_on) if look.turn.standing_on in scene else None
        faced = [room for room in possible if isinstance(place, Door) and place.into(room) == heading]
        kept = [room for room in possible if rooms and room == rooms[-1]]
        rooms.append((*faced, *kept, *possible)[0])
    return rooms


def _room_values(scene: Scene, looks: Sequence[ExploredTurn], rooms: Sequence[int], seen: Collection[str]) -> Values:
    things = {room: [item for item in scene.items_in((room,)) if isinstance(item, Thing)] for room in scene.room_ids}
    furnished = [found for found in things.values() if found]
    if furnished:
        yield ROOMS_UNSEEN.key, fmean(not any(item.name in seen for item in found) for found in furnished)
    if not looks:
        return
    left: set[int] = set()
    came_back: list[bool] = []
    early: list[bool] = []
    for look, room, following in zip(looks, rooms, [*rooms[1:], None], strict=True):
        came_back.append(room in left)
        if following not in (None, room) and room not in left:
            known = look.seen
            early.append(any(item.name not in known for item in scene.items_in((room,))))
            left.add(room)
    yield CAME_BACK.key, fmean(came_back)
    if early:
        yield LEFT_EARLY.key, fmean(early)


def _omissions(scene: Scene, seen: Collection[str], stated: Collection[str] | None) -> Values:
    looked_into = {room for item in scene.items if item.name in seen and isinstance(item, Thing) for room in item.rooms}
    missed = [item for item in scene.items if item.name not in seen]
    unreached = [item for item in missed if looked_into.isdisjoint(item.rooms)]
    if scene.items:
        yield OMITTED_ROOM.key, len(unreached) / len(scene.items)
        yield OMITTED_IN_ROOM.key, (len(missed) - len(unreached)) / len(scene.items)
    kinds: dict[str, list[Item]] = {
        OMITTED_DOORS.key: [*scene.doors],
        OMITTED_FRONTED.key: [thing for thing in scene.things if thing.front is not None],
        OMITTED_FRONTLESS.key: [thing for thing in scene.things if thing.front is None],
    }
    for key, items in kinds.items():
        if items:
            yield key, fmean(item.name not in seen for item in items)
    if stated is not None and seen:
        yield OMITTED_ON_MAP.key, fmean(name not in stated for name in seen)


_COLUMNS = read_columns("tolman.benchmarks.theory_of_space")
PATTERN_COLUMNS, OMISSION_COLUMNS = _COLUMNS["pattern"], _COLUMNS["omitted"]
DOORWAY, IN_PLACE, HEADINGS, NOTHING_NEW, NO_GAIN_COLUMN, SAME_VIEW, ROOMS_UNSEEN, LEFT_EARLY, CAME_BACK = (
    PATTERN_COLUMNS
)
OMITTED_ROOM, OMITTED_IN_ROOM, OMITTED_DOORS, OMITTED_FRONTED, OMITTED_FRONTLESS, OMITTED_ON_MAP = OMISSION_COLUMNS
