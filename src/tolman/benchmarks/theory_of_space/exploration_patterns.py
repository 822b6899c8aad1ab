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
from tolman.report.table import Column, column_group, number
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


DOORWAY, IN_PLACE, HEADINGS = column_group(
    "Where it looks",
    Column(
        "pattern/doorway", "in a doorway", short="door-\nway", definition="Share of looks made standing in a doorway."
    ),
    Column(
        "pattern/in_place",
        "turned in place",
        short="turned\nin place",
        definition="Share of looks, from the second on, from the same place as the look before, in another direction: "
        "the rotate-and-scan strategy.",
    ),
    Column(
        "pattern/headings",
        "directions per stop",
        short="direc-\ntions",
        style=number(2),
        definition="Mean number of different directions looked in, of four, before the agent moves to another place.",
    ),
)
NOTHING_NEW, NO_GAIN_COLUMN, SAME_VIEW = column_group(
    "Looks that add nothing",
    Column(
        "pattern/nothing_new",
        "nothing new",
        short="nothing\nnew",
        definition="Share of looks that bring no object or door into view for the first time.",
    ),
    Column(
        "pattern/no_gain",
        "no information",
        short="no in-\nformation",
        definition="Share of looks after which no position is more certain than before: the information gain stays.",
    ),
    Column(
        "pattern/same_view",
        "same view",
        short="same\nview",
        definition="Share of looks from a place and in a direction that were looked from and in before.",
    ),
    better="lower",
)
ROOMS_UNSEEN, LEFT_EARLY, CAME_BACK = column_group(
    "Order of rooms",
    Column(
        "pattern/rooms_unseen",
        "rooms unseen",
        short="rooms\nunseen",
        definition="Share of the rooms with objects of which no object was ever in view.",
    ),
    Column(
        "pattern/left_early",
        "left early",
        short="left\nearly",
        definition="Of the rooms that the agent left for another, the share that it first left with an object or door "
        "of the room not yet seen.",
    ),
    Column(
        "pattern/came_back",
        "came back",
        short="came\nback",
        definition="Share of looks in a room that the agent had left before; 0 for one room after the other. Passing "
        "through without a look does not count.",
    ),
    better="lower",
)
PATTERN_COLUMNS = (
    *(DOORWAY, IN_PLACE, HEADINGS),
    *(NOTHING_NEW, NO_GAIN_COLUMN, SAME_VIEW),
    *(ROOMS_UNSEEN, LEFT_EARLY, CAME_BACK),
)
_NEVER = "Share of all objects and doors that were never in view, in rooms of which"
OMITTED_ROOM, OMITTED_IN_ROOM = column_group(
    "Never in view, of all",
    Column("omitted/room_unseen", "in rooms unseen", short="room\nunseen", definition=f"{_NEVER} no object was."),
    Column("omitted/room_seen", "in rooms seen", short="room\nseen", definition=f"{_NEVER} some object was."),
    better="lower",
)
OMITTED_DOORS, OMITTED_FRONTED, OMITTED_FRONTLESS = column_group(
    "Never in view, by kind",
    Column("omitted/doors", "doors", definition="Share of the doors that were never in view."),
    Column(
        "omitted/fronted",
        "with a front",
        short="with\nfront",
        definition="Share of the objects with a front that were never in view.",
    ),
    Column(
        "omitted/frontless",
        "without a front",
        short="without\nfront",
        definition="Share of the objects without a front that were never in view.",
    ),
    better="lower",
)
OMITTED_ON_MAP = Column(
    "omitted/on_map",
    "seen, not on the map",
    short="seen, not\non map",
    better="lower",
    definition="Share of the objects and doors that were in view but are not on the last map stated; the whole of them "
    "if the reply holds no map.",
)
OMISSION_COLUMNS = (
    *(OMITTED_ROOM, OMITTED_IN_ROOM),
    *(OMITTED_DOORS, OMITTED_FRONTED, OMITTED_FRONTLESS),
    OMITTED_ON_MAP,
)
