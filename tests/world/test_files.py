import json
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.hand_built import furnished
from tests.strategies import JsonValue, json_values, scenes, with_one_part_replaced
from tolman.core.errors import SceneFileError
from tolman.world import Scene, WorldSettings, generate, read_scene, scene_from_dict, scene_to_dict, write_scene


def as_json(scene: Scene) -> dict[str, JsonValue]:
    """A scene's file content as a program that knows only JSON would see it."""
    return json.loads(json.dumps(scene_to_dict(scene)))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scenes") / "scene.json"


@given(scenes())
def test_a_scene_survives_json(scene: Scene):
    copy = scene_from_dict(as_json(scene))
    assert copy == scene
    assert copy.digest == scene.digest
    assert copy.label == scene.label


def test_a_scene_survives_a_file(tmp_path: Path):
    scene = generate(5, WorldSettings(rooms=6))
    write_scene(scene, tmp_path / "five.json")
    assert read_scene(tmp_path / "five.json") == scene


def test_writing_twice_gives_the_same_bytes(tmp_path: Path):
    write_scene(generate(5), tmp_path / "a.json")
    write_scene(generate(5), tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("start", [3, 2]),
        ("digest", "0" * 64),
        ("things", []),
        ("doors", []),
        ("rooms", [{"low": [0, 1], "high": [5, 5]}, {"low": [7, 1], "high": [11, 5]}]),
    ],
)
def test_altered_content_does_not_match_the_digest(key: str, value: JsonValue):
    with pytest.raises(SceneFileError, match="digest"):
        scene_from_dict({**as_json(furnished()), key: value})


@given(with_one_part_replaced(as_json(furnished())))
def test_whatever_was_altered_is_noticed(values: JsonValue):
    """Only the label may differ: it is not part of a scene's identity."""
    try:
        scene = scene_from_dict(values)
    except SceneFileError:
        return
    assert scene == furnished()


@given(json_values)
@example({"mask": [[0]], "cameras": []})
@example({"format": "tolman.scene/2"})
@example([])
@example(None)
def test_foreign_json_is_not_a_scene(values: JsonValue):
    with pytest.raises(SceneFileError):
        scene_from_dict(values)


def test_an_error_says_which_part_of_which_file_is_wrong(tmp_path: Path):
    path = tmp_path / "odd.json"
    values = as_json(furnished())
    path.write_text(json.dumps({**values, "start": "here"}))
    with pytest.raises(SceneFileError, match=r"odd\.json.*start"):
        read_scene(path)
    path.write_text(json.dumps({**values, "colour": "red"}))
    with pytest.raises(SceneFileError, match=r"odd\.json.*colour"):
        read_scene(path)


def test_a_released_scene_is_sent_to_its_own_reader(tmp_path: Path):
    path = tmp_path / "meta_data.json"
    path.write_text(json.dumps({"mask": [[1]], "cameras": []}))
    with pytest.raises(SceneFileError, match="read_released"):
        read_scene(path)


@given(st.binary(max_size=200))
@example(b"")
@example(b"\xff\xfe{}")
@example(b"\x80")
@example(b"9" * 5000)
def test_no_file_content_raises_anything_but_a_scene_file_error(scratch: Path, content: bytes):
    scratch.write_bytes(content)
    with pytest.raises(SceneFileError, match=r"scene\.json"):
        read_scene(scratch)


def test_deeply_nested_json_is_a_damaged_file(scratch: Path):
    scratch.write_bytes(b"[" * 100_000)
    with pytest.raises(SceneFileError, match=r"scene\.json"):
        read_scene(scratch)


@given(st.data())
def test_a_file_that_was_cut_off_is_refused(scratch: Path, data: st.DataObject):
    content = json.dumps(scene_to_dict(furnished())).encode()
    scratch.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(SceneFileError, match="JSON"):
        read_scene(scratch)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path):
    with pytest.raises(SceneFileError, match=r"nowhere\.json"):
        read_scene(tmp_path / "nowhere.json")
    with pytest.raises(SceneFileError, match="read"):
        read_scene(tmp_path)
