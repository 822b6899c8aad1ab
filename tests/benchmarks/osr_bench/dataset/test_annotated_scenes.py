"""Annotated scenes in the form of DeepPanoContext and ReplicaPano, written here, become maps that were worked out by
hand, and questions whose true answers score 100."""

import json
import math
import pickle
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.command_line import Here
from tolman.benchmarks.osr_bench.cases import choose_cases, is_generated_set
from tolman.benchmarks.osr_bench.dataset.annotated_scenes import SkippedInputs, read_annotated
from tolman.benchmarks.osr_bench.dataset.make import AnnotatedPlan, make_from_annotated
from tolman.benchmarks.osr_bench.maps.grid import GridMap, Handedness, map_from_instances
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.released.scenes import read_scene_folder, read_scenes
from tolman.core.errors import SettingsError

ROOT = Path(__file__).parents[4]
Things = list[tuple[str, float, float]]

IGIBSON: Things = [
    # The floor: x from 1 to 6, y from -2 to 2. The longer side is 5 m, so a cell is 0.5 m.
    # x is to the right and y ahead: column = floor((x - 1) / 0.5), row = floor((2 - y) / 0.5), from 0 to 9.
    ("bed", 1.2, 1.9),  # (0.2 / 0.5, 0.1 / 0.5) = (0.4, 0.2): column 0, row 0
    ("chair", 3.74, 0.26),  # (5.48, 3.48): column 5, row 3
    ("chair", 5.9, -1.9),  # (9.8, 7.8): column 9, row 7
    ("lamp", 7.3, 0.0),  # (12.6, 4.0): outside, so column 9, row 4
    ("table", 2.3, -0.6),  # (2.6, 5.2): column 2, row 5, however its box is turned
    ("door", 2.0, 2.0),  # (2.0, 0.0): column 2, row 0
    ("sofa", 4.6, -1.4),  # (7.2, 6.8): column 7, row 6
]
IGIBSON_MAP = map_from_instances(
    {
        "bed": [(0, 0)],
        "door": [(0, 2)],
        "chair": [(3, 5), (7, 9)],
        "lamp": [(4, 9)],
        "table": [(5, 2)],
        "sofa": [(6, 7)],
    }
)

REPLICA: Things = [
    # The floor: x from -2 to 3, y from -1 to 3, again cells of 0.5 m. The camera is at the origin and faces along x;
    # turning right goes towards y. Seen from above with x up, y is therefore to the right:
    # column = floor((y + 1) / 0.5), row = floor((3 - x) / 0.5).
    # The authors' maps have x to the right and y up: column = floor((x + 2) / 0.5), row = floor((3 - y) / 0.5).
    ("tv", 2.3, 0.2),  # (1.2, 0.7) / 0.5 = (2.4, 1.4): column 2, row 1; theirs (8.6, 5.6): column 8, row 5
    ("sofa", -1.9, 0.2),  # (2.4, 9.8): column 2, row 9; theirs (0.2, 5.6): column 0, row 5
    ("rug", 0.6, 0.9),  # (3.8, 4.8): column 3, row 4; theirs (5.2, 4.2): column 5, row 4
    ("trash_can", 2.9, 2.9),  # (7.8, 0.2): column 7, row 0; theirs (9.8, 0.2): column 9, row 0
    ("window", 0.1, -1.2),  # (-0.4, 5.8): outside, column 0, row 5; theirs (4.2, 8.4): column 4, row 8
    ("cabinet", -0.9, 2.6),  # (7.2, 7.8): column 7, row 7; theirs (2.2, 0.8): column 2, row 0
]
REPLICA_MAP = map_from_instances(
    {"trash_can": [(0, 7)], "tv": [(1, 2)], "rug": [(4, 3)], "window": [(5, 0)], "cabinet": [(7, 7)], "sofa": [(9, 2)]}
)
REPLICA_RELEASED = map_from_instances(
    {"trash_can": [(0, 9)], "cabinet": [(0, 2)], "rug": [(4, 5)], "tv": [(5, 8)], "sofa": [(5, 0)], "window": [(8, 4)]}
)


def corners(west: float, east: float, south: float, north: float) -> list[list[float]]:
    """A layout as in the files: the corners of the floor, then those of the ceiling."""
    floor = [(west, south), (west, north), (east, north), (east, south)]
    return [[x, y, z] for z in (0.0, 2.8) for x, y in floor]


def thing(name: str, x: float, y: float, longitude: float | None, degrees: float = 30.0) -> dict[str, Any]:
    """An object as in the files, its box turned about the vertical, with its longitude in the panorama."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    box = {"centroid": [x, y, 0.5], "basis": [[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]], "size": [0.9, 0.4, 1.0]}
    seen = {} if longitude is None else {"bfov": {"lon": longitude, "lat": 0.1, "x_fov": 0.2, "y_fov": 0.3}}
    return {"classname": name, "label": 3, "bdb3d": box, **seen}


def igibson(things: Things = IGIBSON, *, sighted: bool = True) -> dict[str, Any]:
    """What DeepPanoContext's own `to_json` writes: a right-handed frame, the camera at (3, 0) facing along y."""
    objects = [thing(name, x, y, math.atan2(x - 3.0, y) if sighted else None) for name, x, y in things]
    camera = {"pos": [3.0, 0.0, 1.6], "target": [3.0, 1.0, 1.6], "up": [0, 0, 1], "width": 1024, "height": 512}
    layout = {"manhattan_pix": [[1, 2]], "manhattan_world": corners(1, 6, -2, 2)}
    return {"name": "00006", "scene": "Pomaria_0_int", "camera": camera, "layout": layout, "objs": objects}


def replica(things: Things = REPLICA, *, sighted: bool = True) -> dict[str, Any]:
    """A `data.pkl` of ReplicaPano as JSON: a mirrored frame around the camera, which faces along x."""
    objects = [thing(name, x, y, math.atan2(y, x) if sighted else None) for name, x, y in things]
    layout = {"manhattan_world": corners(-2, 3, -1, 3)}
    return {"camera": {"width": 1024, "height": 512}, "layout": layout, "objs": objects, "T_w_c": np.eye(4).tolist()}


def write(folder: Path, data: object, *, picture: bool = True) -> Path:
    folder.mkdir(parents=True)
    (folder / "data.json").write_text(data if isinstance(data, str) else json.dumps(data))
    if picture:
        Image.new("RGB", (64, 32), "#806040").save(folder / "rgb.png")
    return folder


@pytest.fixture
def source(tmp_path: Path) -> Path:
    write(tmp_path / "raw" / "Pomaria_0_int" / "00006", igibson())
    write(tmp_path / "raw" / "office_0" / "Scene_Info" / "00001", replica())
    return tmp_path / "raw"


def _quietly(what: str, done: int, total: int) -> None:
    assert what
    assert 0 <= done <= total


def made(source: Path, out: Path, **options: Any) -> SkippedInputs:
    plan = AnnotatedPlan(source, Options(**options))
    return make_from_annotated(plan, out, _quietly)[1]


def maps(folder: Path) -> dict[str, GridMap]:
    return {scene.name: scene.truth for scene in read_scenes(folder)}


@pytest.mark.parametrize("sighted", [True, False])
@pytest.mark.parametrize(
    ("handedness", "expected"), [("true", REPLICA_MAP), ("released", REPLICA_RELEASED)], ids=["true", "released"]
)
def test_boxes_become_the_map_worked_out_by_hand(
    tmp_path: Path, handedness: Handedness, expected: GridMap, sighted: bool
) -> None:
    write(tmp_path / "raw" / "Pomaria_0_int" / "00006", igibson(sighted=sighted))
    write(tmp_path / "raw" / "office_0" / "Scene_Info" / "00001", replica(sighted=sighted))
    made(tmp_path / "raw", tmp_path / "set", handedness=handedness)
    assert maps(tmp_path / "set") == {
        "DeepPanoContext-igibson-Pomaria_0_int-00006": IGIBSON_MAP if handedness == "true" else IGIBSON_MIRRORED,
        "ReplicaPano-office_0-Scene_Info-00001": expected,
    }


IGIBSON_MIRRORED = map_from_instances(
    # Mirrored for the authors' handedness: column = floor((6 - x) / 0.5), the rows as before.
    {
        "bed": [(0, 9)],  # 4.8 / 0.5 = 9.6
        "door": [(0, 8)],  # 4.0 / 0.5 = 8
        "chair": [(3, 4), (7, 0)],  # 2.26 / 0.5 = 4.52; 0.1 / 0.5 = 0.2
        "lamp": [(4, 0)],  # outside
        "table": [(5, 7)],  # 3.7 / 0.5 = 7.4
        "sofa": [(6, 2)],  # 1.4 / 0.5 = 2.8
    }
)


def test_what_is_to_the_right_in_the_panorama_is_to_the_right_on_the_map(tmp_path: Path) -> None:
    """The frame is measured from where objects are in the picture, whatever the form of the file suggests."""
    mirrored = igibson()
    for one, (_, x, y) in zip(mirrored["objs"], IGIBSON, strict=True):
        one["bfov"]["lon"] = -math.atan2(x - 3.0, y)
    write(tmp_path / "raw" / "mirrored" / "00000", {**mirrored, "scene": "mirrored"})
    sideways = igibson(sighted=False)
    for one, (_, x, y) in zip(sideways["objs"], IGIBSON, strict=True):  # a camera that faces along x
        middle = (math.atan2(-y, x - 3.0) / (2 * math.pi) + 0.5) * 1024
        one["bdb2d"] = {"x1": middle - 5, "x2": middle + 5, "y1": 0, "y2": 9}
    write(tmp_path / "raw" / "sideways" / "00000", {**sideways, "scene": "sideways"})
    first, second = read_annotated(tmp_path / "raw", SkippedInputs())
    assert first.plan("true").grid_map(10) == IGIBSON_MIRRORED
    turned = second.plan("true").grid_map(10)
    # x ahead: -y is to the right, column = floor((2 - y) / 0.5), row = floor((6 - x) / 0.5): the bed (0.2, 9.6)
    assert turned.instances["bed"] == [(9, 0)]
    assert turned.instances["sofa"] == [(2, 6)]


def test_a_released_map_is_put_right_with_what_is_ahead_at_the_top(source: Path, tmp_path: Path) -> None:
    made(source, tmp_path / "set", rules="published")
    igibson_case, replica_case = choose_cases(str(tmp_path / "set"), Options())
    first, second = igibson_case.truth.places, replica_case.truth.places
    assert (igibson_case.corner, replica_case.corner) == ("top right", "bottom right")
    assert first == IGIBSON_MIRRORED.mirrored.places
    assert second == REPLICA_RELEASED.mirrored.turned(1).places
    assert second["tv"][0][0] < second["sofa"][0][0], "ahead is above what is behind"
    assert second["trash_can"][0][1] > second["window"][0][1], "and the right is on the right"


def test_a_set_is_evaluated_and_the_oracle_scores_100(
    source: Path, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    run = here("make", "osr-bench", "--from", source, "--out", tmp_path / "set")
    assert run.returncode == 0, run.stderr
    assert "2 scenes are in" in run.stdout
    scenes = {scene.name: scene for scene in read_scenes(tmp_path / "set")}
    asked = {name: Counter(q.kind for q in scene.questions["standard"]) for name, scene in scenes.items()}
    most = {name: max(kinds.values()) for name, kinds in asked.items()}
    assert most == {"DeepPanoContext-igibson-Pomaria_0_int-00006": 10, "ReplicaPano-office_0-Scene_Info-00001": 5}
    assert not is_generated_set(tmp_path / "set")
    for name in scenes:
        folder = tmp_path / "set" / "data" / name
        assert read_scene_folder(folder).panorama.read_bytes() == next(source.rglob("rgb.png")).read_bytes()
        assert (folder / "room_layout.png").is_file()
    logs = tmp_path / "logs"
    asked_both = ("--asked", "standard,negative", "--log-dir", logs)
    run = here("eval", "osr-bench", "--model", "tolman/oracle", "--data", tmp_path / "set", *asked_both)
    assert run.returncode == 0, run.stderr
    shown = here("show", logs, "--format", "json", "--references", "none")
    assert shown.returncode == 0, shown.stderr
    scores = {"first/counting", "first/distance", "first/direction", "map/precision", "map/recall", "map/f1"}
    means = [
        (key, cell["mean"])
        for table in json.loads(shown.stdout)
        for row in table["rows"]
        for key, cell in row["cells"].items()
        if key in scores
    ]
    assert len(means) == 2 * 2 * len(scores), "two sets of questions under two rule sets"
    assert {mean for _, mean in means} == {100.0}


NAN = float("nan")
ODD_OBJECTS: dict[str, tuple[dict[str, Any], str]] = {
    "no box": ({"classname": "vase"}, "without a finite box"),
    "no centre": ({"classname": "vase", "bdb3d": {"size": [1, 1, 1]}}, "without a finite box"),
    "nan": ({"classname": "vase", "bdb3d": {"centroid": [NAN, 0, 0], "size": [1, 1, 1]}}, "without a finite box"),
    "huge": ({"classname": "vase", "bdb3d": {"centroid": [1e300, 0, 0], "size": [1, 1, 1]}}, "without a finite box"),
    "flat": ({"classname": "vase", "bdb3d": {"centroid": [1, 0, 0], "size": [1, 0, 1]}}, "with a box of no size"),
    "no class": ({"label": 7, "bdb3d": {"centroid": [1, 0, 0], "size": [1, 1, 1]}}, "without a usable class"),
    "unknown": (thing("unknown", 1, 1, None), "without a usable class"),
    "braces": (thing("{a}, b", 1, 1, None), "without a usable class"),
}


def test_odd_objects_are_left_out_and_counted(tmp_path: Path) -> None:
    data = igibson()
    data["objs"] += [odd for odd, _ in ODD_OBJECTS.values()] + ["a vase", None]
    data["objs"].append({"instance_name": "mirror_4", "bdb3d": {"centroid": [1.1, 1.9, 1], "size": [1, 0.1, 1]}})
    write(tmp_path / "raw" / "room" / "00000", data)
    left_out = made(tmp_path / "raw", tmp_path / "set")
    (truth,) = maps(tmp_path / "set").values()
    assert {name: places for name, places in truth.instances.items() if name != "mirror"} == IGIBSON_MAP.instances
    assert truth.instances["mirror"] == [(0, 0)]
    assert left_out.objects == Counter(reason for _, reason in ODD_OBJECTS.values()) + Counter(
        {"without a usable class": 2}
    )
    assert left_out.lines[0].startswith("Left out 10 objects: ")


def without(data: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in data.items() if key not in names}


FLAT = {"layout": {"manhattan_world": corners(1, 6, 2, 2)}}
ODD_SCENES: dict[str, tuple[object, str]] = {
    "half": ("{", "is not valid JSON"),
    "list": ([1, 2], "holds no JSON object"),
    "no layout": (without(igibson(), "layout"), "without a layout"),
    "pixels only": ({**igibson(), "layout": {"manhattan_pix": [[1, 2]]}}, "without a layout"),
    "words": ({**igibson(), "layout": {"manhattan_world": ["a", "b"] * 4}}, "not a list of corners"),
    "nan": ({**igibson(), "layout": {"manhattan_world": [[NAN, 0, 0]] * 8}}, "not a list of corners"),
    "flat": ({**igibson(), **FLAT}, "of no area"),
    "no objects": (without(igibson(), "objs"), "without any usable object"),
    "empty": ({**igibson(), "objs": []}, "without any usable object"),
}


def test_damaged_scenes_are_left_out_and_counted(tmp_path: Path) -> None:
    for name, (data, _) in ODD_SCENES.items():
        write(tmp_path / "raw" / name / "00000", data)
    write(tmp_path / "raw" / "no picture" / "00000", igibson(), picture=False)
    square = write(tmp_path / "raw" / "square" / "00000", {**igibson(), "scene": "square"})
    Image.new("RGB", (32, 32)).save(square / "rgb.png")
    write(tmp_path / "raw" / "one" / "00006", igibson())
    write(tmp_path / "raw" / "two" / "00006", igibson())
    left_out = made(tmp_path / "raw", tmp_path / "set")
    assert maps(tmp_path / "set") == {"DeepPanoContext-igibson-Pomaria_0_int-00006": IGIBSON_MAP}
    reasons = {Path(file).parts[0]: reason for file, reason in left_out.scenes.items()}
    assert set(reasons) == {*ODD_SCENES, "no picture", "square", "two"}
    for name, (_, expected) in ODD_SCENES.items():
        assert expected in reasons[name]
    assert "without rgb.png" in reasons["no picture"]
    assert "no panorama" in reasons["square"]
    assert json.loads((tmp_path / "set" / "left_out.json").read_text())["scenes"] == left_out.scenes
    assert all(len(line.splitlines()) == 1 for line in left_out.lines)


def test_where_nothing_can_be_used_one_line_says_why(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(SettingsError, match=r"no data\.json"):
        made(empty, tmp_path / "set")
    write(tmp_path / "raw" / "room" / "00000", "{")
    with pytest.raises(SettingsError, match=r"no usable scene\. Left out 1 scene: 1 is not valid JSON") as raised:
        made(tmp_path / "raw", tmp_path / "set")
    assert len(str(raised.value).splitlines()) == 1
    with pytest.raises(SettingsError, match="not a folder"):
        made(tmp_path / "nowhere", tmp_path / "set")


def test_a_pickle_is_never_loaded_and_the_documented_conversion_works(tmp_path: Path) -> None:
    folder = tmp_path / "raw" / "office_0" / "Scene_Info" / "00001"
    folder.mkdir(parents=True)
    Image.new("RGB", (64, 32)).save(folder / "rgb.png")
    data = replica()
    data["layout"]["manhattan_world"] = np.array(data["layout"]["manhattan_world"], np.float32)
    for one in data["objs"]:
        one["bdb3d"] = {key: np.array(value, np.float32) for key, value in one["bdb3d"].items()}
        one["label"] = np.int64(one["label"])
    (folder / "data.pkl").write_bytes(pickle.dumps(data))
    with pytest.raises(SettingsError, match="a pickle can run code"):
        made(tmp_path / "raw", tmp_path / "set")
    page = (ROOT / "docs" / "osr-bench-data.md").read_text()
    (script,) = [block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "data.pkl" in block]
    subprocess.run([sys.executable, "-c", script, tmp_path / "raw"], check=True)
    made(tmp_path / "raw", tmp_path / "set")
    assert maps(tmp_path / "set") == {"ReplicaPano-office_0-Scene_Info-00001": REPLICA_MAP}


def test_the_same_scenes_give_the_same_bytes_and_others_are_not_mixed_with_them(source: Path, tmp_path: Path) -> None:
    made(source, tmp_path / "set")
    before = {path: path.read_bytes() for path in (tmp_path / "set").rglob("*") if path.is_file()}
    made(source, tmp_path / "set")
    assert before == {path: path.read_bytes() for path in (tmp_path / "set").rglob("*") if path.is_file()}
    write(source / "room" / "00009", {**igibson(), "scene": "another"})
    with pytest.raises(SettingsError, match="other settings"):
        made(source, tmp_path / "set")


def test_seeds_and_a_folder_of_scenes_are_not_mixed(source: Path, tmp_path: Path, here: Here) -> None:
    run = here("make", "osr-bench", "--from", source, "--scenes", "0-3", "--out", tmp_path / "set")
    assert run.returncode != 0
    assert "not both" in run.stderr
