"""Reading files in the authors' format, on a small one written here; real ones: benchmarks/theory_of_space/released."""

import json
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.strategies import JsonValue, json_values, with_one_part_replaced
from tolman.core.errors import SceneFileError
from tolman.core.geometry import Heading
from tolman.world import Door, Room, find_released, read_released


def released_object(name: str, x: int, z: int, turn: int, oriented: bool) -> JsonValue:
    return {
        "name": name,
        "pos": {"x": x, "y": 0.1, "z": z},
        "rot": {"x": 0, "y": turn, "z": 0},
        "attributes": {"has_orientation": oriented},
    }


def released_door(x: int, z: int) -> JsonValue:
    return {
        "name": "door_0",
        "pos": {"x": x, "y": 0, "z": z},
        "rot": {"x": 0, "y": 0, "z": 0},
        "attributes": {"connected_rooms": [2, 1]},
    }


RELEASED: dict[str, JsonValue] = {
    "room_size": [3, 3],
    "objects": [
        released_object("green_chair", -2, 1, 90, True),
        released_object("vase", 2, -1, 180, False),
        released_object("mug", 2, 1, -90, True),
        released_door(0, 0),
    ],
    "cameras": [
        {"id": "top", "position": {"x": 0, "y": 9, "z": 0}},
        {"id": "agent", "position": {"x": -2, "y": 0.8, "z": -1}},
    ],
    "doors": {"door_0": {"color": "blue", "connected_rooms": [2, 1]}},
    "mask": [
        [0, 0, 0, 0, 0],
        [0, 1, 1, 1, 0],
        [0, 1, 1, 1, 0],
        [0, 0, 100, 0, 0],
        [0, 2, 2, 2, 0],
        [0, 2, 2, 2, 0],
        [0, 0, 0, 0, 0],
    ],
    "offset": [3, 2],
}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("released") / "run07"
    folder.mkdir()
    return folder / "meta_data.json"


def test_a_released_scene_is_read(scratch: Path):
    scratch.write_text(json.dumps(RELEASED))
    scene = read_released(scratch)
    assert scene == read_released(scratch.parent)
    assert scene.label == "run07"
    assert scene.rooms == (Room(1, (1, 1), (2, 3)), Room(2, (4, 1), (5, 3)))
    assert scene.doors == (Door("blue door", (3, 2), (1, 2), "x"),)
    assert scene.start == (1, 1)
    found = [(thing.name, thing.cell, thing.front, thing.room) for thing in scene.things]
    assert found == [
        ("green chair", (1, 3), Heading.EAST, 1),
        ("vase", (5, 1), None, 2),
        ("mug", (5, 3), Heading.WEST, 2),
    ]


def test_folders_of_released_scenes_are_found_in_order(tmp_path: Path):
    for name in ("run02", "run00", "run10"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "meta_data.json").write_text("{}")
    (tmp_path / "notes").mkdir()
    assert [path.name for path in find_released(tmp_path)] == ["run00", "run02", "run10"]
    assert find_released(tmp_path / "run02") == [tmp_path / "run02"]
    assert find_released(tmp_path / "notes") == []


@pytest.mark.parametrize(
    ("part", "value", "complaint"),
    [
        ("cameras", [], "agent"),
        ("doors", {}, "rooms 1 and 2"),
        ("mask", [[0]], "no room"),
        ("mask", None, "mask"),
        ("offset", [0], "offset"),
        ("objects", [released_object("mug", 2, 1, 45, True)], "mug"),
        ("objects", [released_object("mug", 99, 1, 0, True)], "mug"),
        ("objects", [released_object("mug", 0, 1, 0, True)], "mug"),
    ],
)
def test_an_error_says_what_is_wrong(scratch: Path, part: str, value: JsonValue, complaint: str):
    scratch.write_text(json.dumps({**RELEASED, part: value}))
    with pytest.raises(SceneFileError, match=complaint):
        read_released(scratch)


@given(with_one_part_replaced(RELEASED))
def test_a_damaged_released_scene_raises_nothing_but_a_scene_file_error(scratch: Path, values: JsonValue):
    scratch.write_text(json.dumps(values))
    with suppress(SceneFileError):
        assert read_released(scratch).label == "run07"


@pytest.mark.parametrize("number", ["1e999", "-Infinity", "NaN"])
def test_a_position_that_is_no_number_is_a_damaged_file(scratch: Path, number: str):
    content = json.dumps({**RELEASED, "objects": [released_object("mug", 31415, 1, 0, True)]})
    scratch.write_text(content.replace("31415", number))
    with pytest.raises(SceneFileError, match=r"objects\.0\.pos"):
        read_released(scratch)


@given(json_values)
@example({})
@example([])
def test_foreign_json_is_not_a_released_scene(scratch: Path, values: JsonValue):
    scratch.write_text(json.dumps(values))
    with pytest.raises(SceneFileError, match=r"meta_data\.json"):
        read_released(scratch)


@given(st.binary(max_size=200))
@example(b"")
@example(b"\xff\xfe{}")
@example(b"9" * 5000)
def test_no_file_content_raises_anything_but_a_scene_file_error(scratch: Path, content: bytes):
    scratch.write_bytes(content)
    with pytest.raises(SceneFileError, match=r"meta_data\.json"):
        read_released(scratch)


def test_deeply_nested_json_is_a_damaged_file(scratch: Path):
    scratch.write_bytes(b"[" * 100_000)
    with pytest.raises(SceneFileError, match=r"meta_data\.json"):
        read_released(scratch)


def test_missing_files_and_empty_folders_are_refused(tmp_path: Path):
    with pytest.raises(SceneFileError, match=r"nowhere"):
        read_released(tmp_path / "nowhere")
    with pytest.raises(SceneFileError, match=r"meta_data\.json"):
        read_released(tmp_path)
