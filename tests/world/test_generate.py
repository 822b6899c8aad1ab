"""Rules that every generated world keeps, whatever the seed and the settings."""

from collections import Counter
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import roomy_settings, seeds
from tolman.core.errors import GenerationError
from tolman.core.geometry import chebyshev
from tolman.world import Door, Room, Scene, Thing, WorldSettings, generate
from tolman.world.vocabulary import COLOURS, KIND_BY_NAME, VOCABULARY_V1

LARGE = [WorldSettings(rooms=12), WorldSettings(rooms=32)]


@given(seeds, roomy_settings())
def test_a_generated_world_keeps_all_rules(seed: int, settings: WorldSettings):
    check(generate(seed, settings), settings)


@pytest.mark.parametrize("settings", LARGE, ids=lambda settings: f"{settings.rooms} rooms")
def test_a_large_world_keeps_all_rules(settings: WorldSettings):
    check(generate(0, settings), settings)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(30))
def test_the_largest_worlds_keep_all_rules(seed: int):
    settings = WorldSettings(rooms=32, room_size=(6 + seed % 3, 6 + seed % 4), things_per_room=3 + seed % 2)
    check(generate(seed, settings), settings)


@given(
    seeds,
    st.builds(
        WorldSettings,
        rooms=st.integers(1, 6),
        room_size=st.tuples(st.integers(3, 10), st.integers(3, 10)),
        things_per_room=st.integers(1, 2),
    ),
)
def test_a_cramped_world_keeps_all_rules_or_is_refused(seed: int, settings: WorldSettings):
    try:
        scene = generate(seed, settings)
    except GenerationError:
        return
    check(scene, settings)


def check(scene: Scene, settings: WorldSettings) -> None:
    check_layout(scene, settings)
    check_spacing(scene)
    check_things(scene, settings)
    check_names(scene)


def check_layout(scene: Scene, settings: WorldSettings) -> None:
    depth, width = settings.room_size
    assert len(scene.rooms) == settings.rooms
    assert len(scene.doors) == settings.rooms - 1
    for room in scene.rooms:
        assert (room.high[0] - room.low[0] + 1, room.high[1] - room.low[1] + 1) == (width, depth)
    for a, b in combinations(scene.rooms, 2):
        assert wall_between(a, b) >= 1, "rooms touch"
    for door in scene.doors:
        a, b = (scene.room(number) for number in door.rooms)
        assert wall_between(a, b) == 1
        assert not any(room.holds(door.cell) for room in scene.rooms)
    assert reachable(scene) == set(scene.room_ids)


def wall_between(a: Room, b: Room) -> int:
    """Cells of wall that separate two rooms, counted by king's moves so that corners count."""
    return max(max(a.low[axis] - b.high[axis], b.low[axis] - a.high[axis]) for axis in (0, 1)) - 1


def reachable(scene: Scene) -> set[int]:
    """Rooms that can be walked to from room 1."""
    found, todo = {1}, [1]
    while todo:
        here = todo.pop()
        onward = {door.beyond(here) for door in scene.doors if here in door.rooms} - found
        found |= onward
        todo += onward
    return found


def check_spacing(scene: Scene) -> None:
    """Two doors may meet around a corner, as they do in the published layouts; everything else keeps its distance."""
    for number, items in ((n, scene.items_in((n,))) for n in scene.room_ids):
        things = [item.cell for item in items if isinstance(item, Thing)] + ([scene.start] if number == 1 else [])
        doors = [item.cell for item in items if isinstance(item, Door)]
        assert all(chebyshev(a, b) >= 2 for a, b in (*combinations(things, 2), *product(things, doors)))
    assert all(chebyshev(scene.start, door.cell) >= 2 for door in scene.doors)


def check_things(scene: Scene, settings: WorldSettings) -> None:
    for number in scene.room_ids:
        things = [thing for thing in scene.things if thing.room == number]
        wanted = settings.fronted_in_first_room if number == 1 else settings.fronted_per_room
        assert len(things) == settings.things_per_room
        assert sum(thing.front is not None for thing in things) >= min(wanted, settings.things_per_room)
    for thing in scene.things:
        assert (thing.front is not None) == KIND_BY_NAME[thing.category].fronted


def check_names(scene: Scene) -> None:
    assert len(set(scene.names)) == len(scene.names)
    for fronted in (True, False):
        kinds = sum(kind.fronted is fronted for kind in VOCABULARY_V1)
        used = Counter(thing.category for thing in scene.things if (thing.front is not None) is fronted)
        assert max(used.values(), default=0) <= -(-used.total() // kinds), "a kind came twice while others were left"
    for thing in scene.things:
        adjective = thing.name.removesuffix(thing.category).strip()
        assert adjective == "" or adjective in COLOURS
    for door in scene.doors:
        assert door.name.removesuffix(" door") in COLOURS


def test_kinds_come_again_in_colours_once_all_were_used():
    scene = generate(0, WorldSettings(rooms=32))
    assert len(scene.things) > len(VOCABULARY_V1)
    assert any(thing.name != thing.category for thing in scene.things)
    assert not any(thing.name != thing.category for thing in generate(0).things)


def test_the_default_is_the_published_setting():
    scene = generate(0)
    assert (len(scene.rooms), len(scene.things), len(scene.doors)) == (3, 12, 2)
    assert generate(0, WorldSettings()) == scene


def test_the_order_of_things_does_not_give_away_their_rooms():
    orders = [[thing.room for thing in generate(seed).things] for seed in range(20)]
    assert {order[0] for order in orders} == {1, 2, 3}
    assert all(order != sorted(order) for order in orders)


@pytest.mark.parametrize("things", [10, 37])
@pytest.mark.parametrize("rooms", [1, 3])
def test_more_things_than_fit_are_refused(things: int, rooms: int):
    """A 6 x 6 room has nine cells no two of which are closer than two apart."""
    with pytest.raises(GenerationError, match=f"{things} things"):
        generate(0, WorldSettings(rooms=rooms, things_per_room=things))
