"""Data sets on disk: the authors' layout and tables, the same bytes every time, whatever happened in between."""

import csv
import importlib
import io
import json
import os
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.command_line import TOLMAN, Here, kill, started, still_at_work
from tolman.benchmarks.osr_bench.cases import choose_cases, resolve_options
from tolman.benchmarks.osr_bench.dataset.files import room_map
from tolman.benchmarks.osr_bench.dataset.make import DatasetPlan, make_dataset
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.released.rescore import rescore_osr
from tolman.benchmarks.osr_bench.released.scenes import find_scenes, read_hosted, read_scene_folder
from tolman.cli.app import app
from tolman.core.errors import SettingsError
from tolman.core.parallel import cluster, parallel_map
from tolman.world.space import generate_space

SEEDS = tuple(range(60, 72))
parquet: Any = importlib.import_module("pyarrow.parquet")


def _quietly(what: str, done: int, total: int) -> None:
    assert what
    assert 0 <= done <= total


def _make(out: Path, *, pictures: bool = False, jobs: int = 1, force: bool = False, **options: Any) -> Path:
    plan = DatasetPlan(SEEDS, Options(assets="built-in", **options), pictures)
    make_dataset(plan, out, _quietly, jobs=jobs, force=force)
    return out


def _bytes(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return _make(tmp_path_factory.mktemp("set") / "set")


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Even little work is spread over processes."""
    monkeypatch.setattr("tolman.core.parallel.MIN_PARALLEL_SECONDS", -1.0)
    monkeypatch.setattr("tolman.benchmarks.osr_bench.dataset.files._BATCH", 2)


def test_a_set_is_asked_about_with_the_lists_of_its_seeds_and_says_which(made: Path):
    told = Options(each=2, views="blind")
    assert resolve_options(str(made), told).class_list == resolve_options("60-71", told).class_list == "distractors"
    assert resolve_options(str(made), replace(told, rules="published")).class_list == "exact"
    stored, own = choose_cases(str(made), told), choose_cases("60-71", told)
    assert [case.pool for case in stored] == [case.pool for case in own]
    exact = choose_cases(str(made), replace(told, class_list="exact"))
    assert all(set(case.pool) == set(case.truth.classes) for case in exact)


def test_a_set_is_read_back_as_it_was_made(made: Path):
    scenes = [read_scene_folder(folder) for folder in find_scenes(made)]
    assert [scene.truth for scene in scenes] == [room_map(generate_space(seed)) for seed in SEEDS]
    assert {scene.handedness for scene in scenes} == {"true"}
    for scene in scenes:
        assert scene.pools["standard"] == tuple(sorted(scene.truth.classes))
        assert len(scene.pools["negative"]) == len(scene.truth.classes) + 10
    outcome = rescore_osr(made)
    assert outcome.scenes == len(SEEDS)
    assert outcome.answers.all.identical == outcome.answers.all.total > 50 * len(SEEDS)


def test_the_hosted_form_holds_the_same(made: Path):
    for folder, hosted in zip(find_scenes(made), read_hosted(made), strict=True):
        scene = read_scene_folder(folder)
        assert (hosted.name, hosted.truth, hosted.questions) == (scene.name, scene.truth, scene.questions)


def test_statistics_are_over_the_whole_set(made: Path):
    stored = json.loads((made / "negative_sampling_Tolman.json").read_text())
    scenes = [read_scene_folder(folder) for folder in find_scenes(made)]
    for name, rooms in stored["object_frequency"].items():
        assert rooms == sum(name in scene.truth.counts for scene in scenes)
    for one, others in stored["cooccurrence_count"].items():
        assert all(rooms == stored["cooccurrence_count"][other][one] for other, rooms in others.items())


@pytest.mark.usefixtures("at_once")
def test_the_same_set_has_the_same_bytes_however_it_is_made(made: Path, tmp_path: Path):
    before = _bytes(made)
    assert _bytes(_make(made)) == before
    assert _bytes(_make(tmp_path / "again", jobs=2)) == before


def test_one_row_for_each_question_and_each_map(made: Path):
    rows: list[dict[str, Any]] = parquet.read_table(made / "qa.parquet").to_pylist()
    with (made / "qa.csv").open(newline="") as standard, (made / "qa_with_negative.csv").open(newline="") as negative:
        listed = [*csv.DictReader(standard), *csv.DictReader(negative)]
    assert len(rows) == len(listed)
    assert sum(row["skills_tested"] == "cognitive_map" for row in rows) == 2 * len(SEEDS)
    assert len({(row["scene"], row["asked"], row["turn_id"]) for row in rows}) == len(rows)
    assert {row["question"] for row in rows} == {row["question"] for row in listed}
    scenes: list[dict[str, Any]] = parquet.read_table(made / "scenes.parquet").to_pylist()
    assert [row["seed"] for row in scenes] == list(SEEDS)
    assert json.loads(scenes[0]["cognitive_map"]) == room_map(generate_space(SEEDS[0])).as_lists


def test_pictures_that_are_there_are_kept_and_go_into_the_tables_once_for_each_scene(tmp_path: Path):
    """Whole pictures are never rendered again, so any do for this test."""
    for number, seed in enumerate(SEEDS):
        folder = tmp_path / "data" / f"Tolman-room-{seed:05}"
        folder.mkdir(parents=True)
        for name in ("rgb.png", "top_down.png"):
            noise = Image.effect_noise((256, 128), 80).convert("RGB")
            noise.putpixel((0, 0), (number, 0, 0))
            noise.save(folder / name)
    _make(tmp_path, pictures=True, force=True)
    table = parquet.ParquetFile(tmp_path / "qa.parquet")
    stored = {path.parent.name: path.read_bytes() for path in tmp_path.rglob("rgb.png")}
    assert (tmp_path / "qa.parquet").stat().st_size < 1.5 * sum(map(len, stored.values()))
    rows: list[dict[str, Any]] = table.read_row_group(3).to_pylist()
    assert all(row["image"]["bytes"] == stored[row["scene"]] for row in rows)
    with Image.open(io.BytesIO(rows[0]["image"]["bytes"])) as picture:
        assert picture.size == (256, 128)
    note = json.loads(table.schema_arrow.metadata[b"huggingface"])
    assert note["info"]["features"]["image"] == {"_type": "Image"}
    assert all((folder / "room_layout.png").is_file() for folder in find_scenes(tmp_path))


@pytest.mark.parametrize("options", [{"each": 5}, {"grid": 12}, {"rules": "published"}, {"handedness": "released"}])
def test_another_set_is_not_mixed_with_this_one(made: Path, options: dict[str, Any]):
    with pytest.raises(SettingsError, match="other settings"):
        _make(made, **options)


def test_maps_and_questions_follow_the_options(tmp_path: Path):
    scene = read_scene_folder(next(find_scenes(_make(tmp_path, grid=12, each=3, rules="published"))))
    assert scene.truth == room_map(generate_space(SEEDS[0]), 12, "released")
    assert scene.handedness == "released"
    assert scene.pools["standard"] == scene.truth.classes
    assert len(scene.questions["standard"]) <= 9


def test_a_set_that_was_killed_goes_on(made: Path, tmp_path: Path, here: Here):
    scenes = f"{SEEDS[0]}-{SEEDS[-1]}"
    command = ("make", "osr-bench", "--scenes", scenes, "--out", tmp_path, "--no-pictures", "--workers", "1")
    first, wanted = started(*command), tmp_path / "data" / f"Tolman-room-{SEEDS[4]:05}"
    still_at_work(first, wanted.exists)
    kill(first)
    (wanted / "cognitive_map.json").write_text("{")
    (tmp_path / ".unfinished-qa.csv").write_text("half")
    run = here(*command)
    assert run.returncode == 0, run.stderr
    assert _bytes(tmp_path) == _bytes(made)


@pytest.mark.parametrize(
    "words", [["--scenes", "x"], ["--scenes", "1,1"], ["--each", "0"], ["--grid", "1"], ["--workers", "0"]]
)
def test_wrong_words_give_one_line(words: list[str], tmp_path: Path):
    command = ["make", "osr-bench", "--out", str(tmp_path / "set"), "--no-pictures", *words]
    with pytest.raises(SettingsError) as raised:
        app(command, exit_on_error=False, print_error=False)
    assert len(str(raised.value).splitlines()) == 1


def _process(_: int) -> int:
    return os.getpid()


@pytest.mark.slow
@pytest.mark.usefixtures("at_once")
def test_a_ray_cluster_of_two_processes_makes_the_same(made: Path, tmp_path: Path):
    with cluster("ray", 2):
        assert set(parallel_map(_process, range(20), 2)) - {os.getpid()}
        _make(tmp_path, jobs=2)
    assert _bytes(tmp_path) == _bytes(made)


@pytest.mark.slow
def test_panoramas_are_rendered_into_the_set(tmp_path: Path):
    command = [TOLMAN, "make", "osr-bench", "--scenes", "3-4", "--out", tmp_path, "--assets", "built-in"]
    command += ["--preset", "draft", "--width", "128", "--workers", "2"]
    subprocess.run(command, check=True, capture_output=True)
    before = _bytes(tmp_path)
    (tmp_path / "data" / "Tolman-room-00003" / "rgb.png").write_bytes(b"\x89PNG")
    subprocess.run(command, check=True, capture_output=True)
    assert _bytes(tmp_path) == before
    with Image.open(tmp_path / "data" / "Tolman-room-00004" / "rgb.png") as picture:
        assert picture.size == (128, 64)
