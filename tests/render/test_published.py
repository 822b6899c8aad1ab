"""Our scenes in the authors' files: their code finds what it asks for, and reading back gives the same scene."""

import importlib.util
import json
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from PIL import Image

from tests.benchmarks.theory_of_space.released.run_archives import SCENES
from tests.render.tiny_pictures import JOB, SCENE, rendered
from tolman.render.prerender import prerender
from tolman.render.published import camera_ids, image_names, meta_data
from tolman.render.views import RenderJob, RenderSubject
from tolman.world import START, Scene, WorldSettings, find_released, generate, perturb, read_released

DIRECTIONS = ("north", "east", "south", "west")


def written(scene: Scene, folder: Path) -> Path:
    folder.mkdir()
    (folder / "meta_data.json").write_text(json.dumps(meta_data(scene, 7, RenderJob(), [])))
    return folder


@pytest.mark.parametrize("rooms", [2, 3, 4])
def test_what_is_written_reads_back_as_the_same_scene(rooms: int, tmp_path: Path):
    for seed in range(12):
        scene = generate(seed, WorldSettings(rooms=rooms))
        assert read_released(written(scene, tmp_path / f"run{seed:02}")).digest == scene.digest


def test_a_scene_whose_corner_is_elsewhere_is_moved_as_a_whole(tmp_path: Path):
    scene = generate(3, WorldSettings(rooms=6, things_per_room=6))
    (x0, y0), _ = scene.bounds
    assert (x0, y0) != (0, 0)
    back = read_released(written(scene, tmp_path / "run00"))
    assert back.start == (scene.start[0] - x0, scene.start[1] - y0)
    for thing, found in zip(scene.things, back.things, strict=True):
        assert found.cell == (thing.cell[0] - x0, thing.cell[1] - y0)
        assert (found.name, found.front, found.room) == (thing.name, thing.front, thing.room)


def shape(value: Any) -> Any:
    """Fields and kinds of values; of lists and numbered fields the union."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        numbered = bool(fields) and all(key.isdigit() for key in fields)
        return {"#": merged(fields.values())} if numbered else {key: shape(entry) for key, entry in fields.items()}
    if isinstance(value, list):
        return [merged(cast("list[Any]", value))]
    return "number" if isinstance(value, int | float) and not isinstance(value, bool) else type(value).__name__


def merged(values: Any) -> Any:
    shapes = [shape(value) for value in values]
    if shapes and all(isinstance(each, dict) for each in shapes):
        return {key: entry for each in shapes for key, entry in each.items()}
    return shapes[0] if shapes else None


@pytest.mark.skipif(not SCENES.is_dir(), reason="the released scenes are not beside this checkout")
@pytest.mark.parametrize("folder", find_released(SCENES), ids=lambda folder: folder.name)
def test_fields_are_those_of_the_released_files(folder: Path):
    released = json.loads((folder / "meta_data.json").read_text(encoding="utf-8"))
    scene = read_released(folder)
    ours = json.loads(json.dumps(meta_data(scene, released["seed"], RenderJob(size=768), released["images"])))
    theirs, mine = shape(released), shape(ours)
    for only_theirs in ("task_type", "task_group", "task_short_name", "task_class", "image_name"):
        del theirs["cameras"][0][only_theirs]
    assert mine | {"validated_tasks": theirs["validated_tasks"]} == theirs
    for field in ("room_size", "screen_size", "seed", "run_seed", "mask", "offset", "rooms"):
        assert ours[field] == released[field], field
    assert {door["color"]: door for door in ours["doors"].values()} == {
        door["color"]: door for door in released["doors"].values()
    }
    cells = {(cell["row"], cell["col"]): cell["world"] for cell in ours["topdown_map"]["mapping"]}
    for cell in released["topdown_map"]["mapping"]:  # some cells of walls and doors are missing there
        assert cells[cell["row"], cell["col"]] == cell["world"]
    for mine, theirs in zip(ours["objects"], released["objects"], strict=True):
        assert (mine["name"], mine["pos"]["x"], mine["pos"]["z"]) == (
            theirs["name"].replace("_", " "),
            theirs["pos"]["x"],
            theirs["pos"]["z"],
        )
        if theirs["attributes"].get("has_orientation"):
            assert mine["rot"] == theirs["rot"]
            assert mine["attributes"]["orientation"] == theirs["attributes"]["orientation"]


NEEDS_RENDERER = pytest.mark.skipif(importlib.util.find_spec("mitsuba") is None, reason="needs tolman[render]")


def check_files(run: Path, file: str, ending: str, size: int) -> dict[str, Any]:
    """Their reader opens four pictures for every object and for the agent."""
    meta: dict[str, Any] = json.loads((run / file).read_text())
    for camera in [*(entry["object_id"] for entry in meta["objects"]), "agent"]:
        for direction in DIRECTIONS:
            with Image.open(run / f"{camera}_facing_{direction}{ending}.png") as picture:
                assert picture.size == (size, size)
    assert all((run / image["file"]).is_file() for image in meta["images"])
    return meta


@NEEDS_RENDERER
def test_views_are_there_under_the_names_that_the_authors_code_asks_for(tmp_path: Path):
    run = tmp_path / "published" / "run00"
    run.mkdir(parents=True)
    for file in (run.parent / "instruction.png", run / "orientation_instruction.png", run / "top_down.png"):
        Image.new("RGB", (8, 8)).save(file)  # what is there already is left alone
    rendered(tmp_path, published=True, force=True)
    meta = check_files(run, "meta_data.json", "", 16)
    assert [len(image["object_ratios"]) for image in meta["images"] if image["cam_id"] == "1"] == [0] * 4
    assert any(image["object_ratios"] for image in meta["images"] if image["cam_id"] == "agent")
    for shot, name in image_names(SCENE, JOB):
        assert (run / name).read_bytes() == shot.files(tmp_path / "00000")["rgb"].read_bytes()
        assert name.startswith("agent" if shot.standing_on == START else str(camera_ids(SCENE)[shot.standing_on]))


@NEEDS_RENDERER
@pytest.mark.slow
def test_calibration_pictures_and_the_changed_world_come_along(tmp_path: Path):
    scene = generate(0, WorldSettings(rooms=2, things_per_room=2))
    after = perturb(scene, 0)
    subjects = [RenderSubject("00000", scene), RenderSubject("00000-changed", after.scene, scene)]
    job = RenderJob(("ego", "topdown"), 32, preset="draft", assets="built-in")
    prerender(subjects, tmp_path, job, lambda _: None, published=True)
    run = tmp_path / "published" / "run00"
    assert "_fb_changes" not in check_files(run, "meta_data.json", "", 32)
    changes = check_files(run, "falsebelief_exp.json", "_fbexp", 32)["_fb_changes"]
    assert {change["name"] for change in changes} == {change.name for change in after.changes}
    assert read_released(run).digest == scene.digest
    assert read_released(run / "falsebelief_exp.json").digest == after.scene.digest
    for file in (run.parent / "instruction.png", run / "orientation_instruction.png"):
        with Image.open(file) as picture:
            assert int(np.asarray(picture).max()) > 100
    empty, full = (np.asarray(Image.open(run / f"top_down{ending}.png")) for ending in ("", "_annotated"))
    assert empty.shape == full.shape
    meta = json.loads((run / "meta_data.json").read_text())
    pixels = {(cell["row"], cell["col"]): cell["pixel"] for cell in meta["topdown_map"]["mapping"]}
    for thing in scene.things:
        at = pixels[thing.cell]
        rows, columns = (slice(int(at[axis]) - 8, int(at[axis]) + 8) for axis in ("y", "x"))
        assert np.abs(empty[rows, columns].astype(int) - full[rows, columns]).max() > 20, thing.name
