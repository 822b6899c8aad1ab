"""Where points of a room come to lie on its map."""

from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.osr_bench.grid_maps import fresh_maps
from tolman.benchmarks.osr_bench.dataset.files import room_map
from tolman.benchmarks.osr_bench.maps.grid import GridFrame, Point, map_of_room
from tolman.world.space import generate_space

ROOM: list[Point] = [(2.0, 1.0), (12.0, 1.0), (12.0, 6.0), (2.0, 6.0)]
"""Ten metres by five."""


def test_rows_go_south_and_columns_east_in_square_cells():
    place = GridFrame(ROOM)
    assert place.side == 1.0
    assert place((2.5, 5.5)) == (0, 0)
    assert place((11.5, 5.5)) == (0, 9)
    assert place((2.5, 1.5)) == (4, 0)


def test_the_shorter_side_leaves_rows_empty_and_what_is_outside_goes_to_the_border():
    place = GridFrame(ROOM)
    assert place((7.0, 1.0)) == (5, 5)
    assert place((-40.0, 60.0)) == (0, 0)
    assert place((40.0, -60.0)) == (9, 9)


def test_the_released_map_is_the_mirror_image():
    objects = [("bed", (2.5, 5.5)), ("tv", (11.5, 1.2))]
    true, released = map_of_room(ROOM, objects), map_of_room(ROOM, objects, handedness="released")
    assert true.instances == {"bed": [(0, 0)], "tv": [(4, 9)]}
    assert released.instances == true.mirrored.instances


@given(st.tuples(st.floats(-50, 50), st.floats(-50, 50)), st.integers(2, 40))
def test_every_point_has_a_cell(point: Point, size: int):
    row, column = GridFrame(ROOM, size=size)(point)
    assert 0 <= row < size
    assert 0 <= column < size


def test_a_room_from_a_seed_has_all_its_pieces_on_its_map():
    for seed, world in zip(range(5000, 5010), fresh_maps(), strict=False):
        room = generate_space(seed)
        assert sum(world.counts.values()) == len(room.pieces)
        assert set(world.classes) == set(room.classes)
        mirrored = room_map(room, handedness="released")
        assert mirrored.counts == world.counts
