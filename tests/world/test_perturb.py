from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.hand_built import furnished, one_room, thing
from tests.strategies import seeds
from tolman.core.errors import GenerationError
from tolman.core.geometry import Heading
from tolman.world import Change, ChangeSettings, Scene, changes_between, generate, perturb

CHANGES = st.builds(
    ChangeSettings, rotated=st.integers(0, 4), moved=st.integers(0, 4), least_move=st.sampled_from([1, 3, 6, 9])
)


@given(seeds, seeds, CHANGES)
def test_exactly_what_was_asked_for_changes(world: int, seed: int, settings: ChangeSettings):
    before = generate(world)
    changed = perturb(before, seed, settings)
    turned = [change.name for change in changed.changes if change.kind == "orientation"]
    moved = [change.name for change in changed.changes if change.kind == "position"]
    assert (len(turned), len(moved)) == (settings.rotated, settings.moved)
    assert len({*turned, *moved}) == len(changed.changes), "no thing is changed twice"
    assert changed.scene.names == before.names
    for old, new in zip(before.things, changed.scene.things, strict=True):
        if old.name in turned:
            assert new.front not in (None, old.front)
            assert replace(new, front=old.front) == old
        elif old.name in moved:
            check_moved(changed.scene, old.cell, new.name, settings.least_move)
            assert replace(new, cell=old.cell, room=old.room) == old
        else:
            assert new == old


def check_moved(scene: Scene, origin: tuple[int, int], name: str, least: int) -> None:
    moved = next(thing for thing in scene.things if thing.name == name)
    x, y = moved.cell
    assert (x - origin[0]) ** 2 + (y - origin[1]) ** 2 >= least**2
    assert [room.id for room in scene.rooms if room.holds(moved.cell)] == [moved.room]
    others = [item.cell for item in scene.items if item.name != name]
    assert moved.cell not in (*others, scene.start)


@given(seeds, seeds)
def test_walls_doors_and_the_original_stay_as_they_are(world: int, seed: int):
    scene, untouched = generate(world), generate(world)
    changed = perturb(scene, seed).scene
    assert scene == untouched
    assert (changed.rooms, changed.doors, changed.start) == (scene.rooms, scene.doors, scene.start)
    assert changed.digest != scene.digest


def test_the_published_change_turns_two_and_moves_two_at_least_six_cells():
    changed = perturb(generate(3), 3)
    assert sorted(change.kind for change in changed.changes) == ["orientation"] * 2 + ["position"] * 2
    assert ChangeSettings().least_move == 6


@given(seeds)
def test_the_same_seed_makes_the_same_change(seed: int):
    assert perturb(generate(1), seed) == perturb(generate(1), seed)


@given(seeds, CHANGES)
def test_the_change_can_be_read_off_the_two_worlds(seed: int, settings: ChangeSettings):
    scene = generate(seed)
    changed = perturb(scene, seed, settings)
    assert set(changes_between(scene, changed.scene)) == set(changed.changes)
    assert changes_between(scene, scene) == ()


def test_different_seeds_make_different_changes():
    scene = generate(1)
    assert len({perturb(scene, seed).scene.digest for seed in range(20)}) > 10


def test_nothing_changes_where_nothing_is_asked_for():
    plain = one_room(thing("lamp", (1, 1)), thing("vase", (5, 5)))
    assert perturb(plain, 0, ChangeSettings(rotated=0, moved=0)).scene == plain
    assert perturb(plain, 0, ChangeSettings(rotated=0, moved=0)).changes == ()


def test_only_things_with_a_front_are_turned():
    scene = furnished()
    changed = perturb(scene, 0, ChangeSettings(rotated=2, moved=0))
    assert set(changed.changes) == {Change("sofa", "orientation"), Change("chair", "orientation")}
    with pytest.raises(GenerationError, match="2 things have a front, so 3"):
        perturb(scene, 0, ChangeSettings(rotated=3, moved=0))


@pytest.mark.parametrize(("moved", "least_move"), [(5, 1), (1, 12), (2, 40)])
def test_more_or_longer_moves_than_possible_are_refused(moved: int, least_move: int):
    """Four things can be moved, and no two cells of the two rooms are 12 apart."""
    with pytest.raises(GenerationError, match=str(least_move)):
        perturb(furnished(), 0, ChangeSettings(rotated=0, moved=moved, least_move=least_move))


@given(seeds)
def test_the_only_free_cell_is_found(seed: int):
    """In a room of 3 x 1 cells, the start and one thing leave one cell to move to."""
    scene = Scene(
        rooms=(replace(one_room().rooms[0], low=(1, 1), high=(3, 1)),),
        doors=(),
        things=(thing("lamp", (1, 1), Heading.NORTH),),
        start=(2, 1),
    )
    changed = perturb(scene, seed, ChangeSettings(rotated=0, moved=1, least_move=2))
    assert changed.scene.things[0].cell == (3, 1)
