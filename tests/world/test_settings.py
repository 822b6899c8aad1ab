import pytest

from tolman.core.errors import SettingsError
from tolman.world import ChangeSettings, WorldSettings


@pytest.mark.parametrize("rooms", [0, -1, 33])
def test_the_number_of_rooms_is_bounded(rooms: int):
    with pytest.raises(SettingsError, match=f"{rooms}$"):
        WorldSettings(rooms=rooms)


@pytest.mark.parametrize("size", [(2, 6), (6, 2), (41, 6), (6, 41)])
def test_the_size_of_rooms_is_bounded(size: tuple[int, int]):
    with pytest.raises(SettingsError, match=f"{size[0]} x {size[1]}"):
        WorldSettings(room_size=size)


@pytest.mark.parametrize("count", [0, -3])
def test_a_room_holds_something(count: int):
    with pytest.raises(SettingsError, match=f"{count}$"):
        WorldSettings(things_per_room=count)


@pytest.mark.parametrize("sides", [(3, 3), (40, 40)])
@pytest.mark.parametrize("rooms", [1, 32])
def test_the_bounds_themselves_are_allowed(rooms: int, sides: tuple[int, int]):
    assert WorldSettings(rooms=rooms, room_size=sides, things_per_room=1).rooms == rooms


def test_counts_of_things_with_a_front_are_not_negative():
    with pytest.raises(SettingsError, match="front"):
        WorldSettings(fronted_in_first_room=-1)
    with pytest.raises(SettingsError, match="front"):
        WorldSettings(fronted_per_room=-1)


def test_no_more_things_with_a_front_are_asked_for_than_a_room_holds():
    settings = WorldSettings(things_per_room=2, fronted_in_first_room=3, fronted_per_room=1)
    assert (settings.fronted(1), settings.fronted(2), settings.fronted(9)) == (2, 1, 1)


@pytest.mark.parametrize("changes", [{"rotated": -1}, {"moved": -1}, {"least_move": 0}])
def test_counts_of_changes_are_not_negative_and_a_move_is_at_least_a_cell(changes: dict[str, int]):
    with pytest.raises(SettingsError):
        ChangeSettings(**changes)
