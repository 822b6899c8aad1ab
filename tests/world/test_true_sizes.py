"""World version 2: real sizes, and large things on two cells. Version 1 stays as it was published."""

from itertools import combinations, islice

import pytest

from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.geometry import Heading
from tolman.world import Room, Scene, Thing, WorldSettings, generate, perturb, scene_from_dict, scene_to_dict
from tolman.world.footprints import Footprint, cell_square, fits, footprint
from tolman.world.vocabulary import KIND_BY_NAME, VOCABULARY_V1, VOCABULARY_V2, kind_in, vocabulary_of

TRUE_SIZES = WorldSettings(version=2)
SCENES = [generate(seed, TRUE_SIZES) for seed in range(40)]
ROOM = Room(1, (0, 0), (6, 6))


def bed(cell: tuple[int, int], front: Heading, name: str = "bed") -> Thing:
    return Thing(name, "bed", cell, front, 1)


def test_version_one_is_the_default_and_names_no_version():
    assert WorldSettings() == WorldSettings(version=1)
    assert "version" not in WorldSettings().as_dict()
    assert "version" not in scene_to_dict(generate(3))
    assert generate(3, WorldSettings(version=1)).digest == generate(3).digest
    with pytest.raises(SettingsError, match="world version 3"):
        WorldSettings(version=3)


def test_rooms_doors_and_the_cells_of_things_are_those_of_version_one():
    for seed, scene in enumerate(SCENES):
        published = generate(seed)
        assert (scene.rooms, scene.doors, scene.start) == (published.rooms, published.doors, published.start)
        assert sorted(thing.cell for thing in scene.things) == sorted(thing.cell for thing in published.things)
        assert scene.digest != published.digest


def test_kinds_are_those_of_the_second_vocabulary_and_some_are_longer_than_a_cell():
    names = {kind.name for kind in VOCABULARY_V2}
    assert names < KIND_BY_NAME.keys()
    assert {thing.category for scene in SCENES for thing in scene.things} <= names
    large = [thing for scene in SCENES for thing in scene.things if footprint(thing, 2) != cell_square(thing.cell)]
    assert len(large) > len(SCENES), "more than one a scene"
    assert all(max(kind.width, kind.depth) <= 2.0 for kind in VOCABULARY_V2)
    assert vocabulary_of(1) is VOCABULARY_V1


def test_nothing_overlaps_before_and_after_the_change():
    for seed, scene in enumerate(SCENES):
        for each in (scene, perturb(scene, seed).scene):
            _check_clear(each)


def _check_clear(scene: Scene) -> None:
    for first, second in combinations(scene.things, 2):
        assert not footprint(first, 2).meets(footprint(second, 2)), (first, second)
    for thing in scene.things:
        (west, south), (east, north) = scene.room(thing.room).low, scene.room(thing.room).high
        mine = footprint(thing, 2)
        assert west - 0.5 <= mine.west <= mine.east <= east + 0.5
        assert south - 0.5 <= mine.south <= mine.north <= north + 0.5
        assert not any(mine.meets(cell_square(cell)) for cell in (scene.start, *(door.cell for door in scene.doors)))


def test_a_bed_fits_along_a_wall_and_not_through_it():
    assert footprint(bed((3, 3), Heading.NORTH), 2) == Footprint(2.5, 2.0, 3.5, 4.0)
    assert footprint(bed((3, 3), Heading.EAST), 2) == Footprint(2.0, 2.5, 4.0, 3.5)
    assert footprint(bed((3, 3), Heading.EAST), 1) == cell_square((3, 3))
    assert fits(bed((0, 3), Heading.NORTH), ROOM, [], [], 2)
    assert not fits(bed((0, 3), Heading.EAST), ROOM, [], [], 2)
    other = bed((3, 5), Heading.NORTH, "other")
    assert not fits(bed((3, 3), Heading.NORTH), ROOM, [other], [], 2), "end to end"
    assert fits(bed((3, 3), Heading.NORTH), ROOM, [], [(3, 5)], 2), "a cell beyond its end"


def test_scene_files_keep_the_version():
    scene = SCENES[0]
    values = scene_to_dict(scene)
    assert scene_from_dict(values) == scene
    with pytest.raises(SceneFileError, match="altered"):
        scene_from_dict({**values, "version": 1})


def test_a_large_world_has_names_for_all():
    scene = generate(1, WorldSettings(rooms=16, things_per_room=5, version=2))
    assert len({thing.name for thing in scene.things}) == 80
    assert all(kind_in(thing.category, 2) for thing in islice(scene.things, 5))
