"""The authors' files: every stored answer and score comes out the same here, and their own invariants hold."""

import csv
import json
import shutil
from pathlib import Path
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.osr_bench.grid_maps import RELEASED, needs_released
from tests.command_line import Here
from tests.strategies import json_values
from tolman.benchmarks.osr_bench.questions.question import answer_of
from tolman.benchmarks.osr_bench.released.rescore import rescore_osr, rescored_osr_as_dict
from tolman.benchmarks.osr_bench.released.scenes import (
    QUESTION_COLUMNS,
    QUESTION_FILES,
    QUESTION_FILES_WITHOUT_MAP,
    QUESTION_TABLES,
    asks_for_map,
    find_scenes,
    read_conversation,
    read_hosted,
    read_scene_folder,
    read_scenes,
    read_stored_map,
    read_turn,
)
from tolman.core.errors import TolmanError


@needs_released
def test_every_stored_answer_is_worked_out_again():
    scenes = [read_scene_folder(folder) for folder in find_scenes(RELEASED)]
    checked = [
        answer_of(scene.truth, q.kind, q.names) == q.answer
        for scene in scenes
        for questions in scene.questions.values()
        for q in questions
    ]
    assert len(scenes) == 3
    assert len(checked) == 116
    assert all(checked)


@needs_released
def test_the_four_files_of_a_scene_agree_and_the_map_with_its_counts():
    for folder in find_scenes(RELEASED):
        stored = json.loads((folder / "cognitive_map.json").read_text())
        scene = read_scene_folder(folder)
        assert list(stored["class_count"].items()) == list(scene.truth.counts.items())
        assert scene.pools["standard"] == scene.truth.classes
        assert set(scene.truth.classes) <= set(scene.pools["negative"])
        assert len(scene.pools["negative"]) == len(scene.truth.classes) + 10
        for asked, suffix in QUESTION_FILES.items():
            turns = read_conversation(folder / f"{folder.name}{suffix}")
            without = read_conversation(folder / f"{folder.name}{QUESTION_FILES_WITHOUT_MAP[asked]}")
            assert asks_for_map(turns[0])
            assert turns[0]["answer"] == scene.truth.as_lists
            assert turns[1:] == without
            numbers = [int(str(turn["turn_id"])) for turn in turns]
            assert numbers == sorted(set(numbers))


@needs_released
def test_stored_scores_of_maps_and_answers_are_reproduced():
    outcome = rescore_osr(RELEASED)
    for section in (outcome.answers, outcome.maps, outcome.scores):
        assert section.differences == []
        assert section.all.identical == section.all.total > 0
    assert outcome.maps.counts["f1"].total == 2
    assert outcome.maps.counts["counts of a class"].total == 27
    for stated in outcome.stated:
        assert stated.released.f1 == stated.stored_f1
        assert stated.all_classes.f1 < stated.released.f1
        assert stated.strict.mirrored_f1 is not None
    assert sorted(round(stated.all_classes.f1, 3) for stated in outcome.stated) == [0.23, 0.32]


@needs_released
def test_every_stored_answer_that_differs_is_told_with_its_scene_and_turn(tmp_path: Path):
    folder = next(find_scenes(RELEASED))
    copy = Path(shutil.copytree(folder, tmp_path / folder.name))
    file = copy / f"{folder.name}{QUESTION_FILES['standard']}"
    stored = json.loads(file.read_text())
    counted = [turn for turn in stored["conversation"] if str(turn["answer"]).isdigit()]
    assert counted
    assert rescore_osr(copy).answers.all.different == 0
    for turn in counted:
        turn["answer"] = str(int(turn["answer"]) + 1)
    file.write_text(json.dumps(stored))
    found = cast("dict[str, object]", rescored_osr_as_dict(rescore_osr(copy))["answers"])
    told = cast("list[dict[str, object]]", found["differences"])
    assert found["different"] == len(told) == len(counted)
    assert [(value["run"], value["turn"]) for value in told] == [(folder.name, turn["turn_id"]) for turn in counted]


@needs_released
def test_the_command_tells_the_authors_folders_from_others(tmp_path: Path, here: Here):
    out = tmp_path / "osr.json"
    run = here("rescore", RELEASED, "--json", out)
    assert run.returncode == 0, run.stderr
    found = json.loads(out.read_text())
    assert found["answers"]["identical"] == found["answers"]["total"] == 145
    assert found["map_scores"]["identical"] == found["map_scores"]["total"]
    assert found["answer_scores"]["identical"] == found["answer_scores"]["total"] == 29
    assert len(found["maps"]) == 2
    assert "mirrored F1" in run.stdout
    assert max(map(len, run.stdout.splitlines())) <= 80
    one = next(RELEASED.glob("*/*results.csv"))
    assert rescored_osr_as_dict(rescore_osr(one))["results"] == 1
    assert rescore_osr(one.parent).scenes == 1


@needs_released
def test_tables_of_a_rescore_for_other_programs(here: Here):
    identity, maps, scores = json.loads(here("rescore", RELEASED, "--format", "json").stdout)
    (answers,) = (row for row in identity["rows"] if (row["section"], row["value"]) == ("Answers from the maps", "all"))
    assert answers["cells"]["identical"]["mean"] == answers["cells"]["values"]["mean"] == 145
    assert answers["cells"]["different"]["mean"] == 0
    assert [row["scoring"] for row in maps["rows"]][:3] == ["as released", "all classes", "strict"]
    assert all(column["definition"] for table in (identity, maps, scores) for column in table["columns"])
    explained = here("rescore", RELEASED, "--explain").stdout
    assert "mirrored F1: F1 of the map's mirror image" in explained


@needs_released
def test_the_hosted_form_holds_the_same_scenes(tmp_path: Path):
    folders = list(find_scenes(RELEASED))
    for asked, name in QUESTION_TABLES.items():
        with (tmp_path / name).open("w", newline="") as file:
            rows: csv.DictWriter[str] = csv.DictWriter(file, QUESTION_COLUMNS)
            rows.writeheader()
            for folder in folders:
                for turn in read_conversation(folder / f"{folder.name}{QUESTION_FILES[asked]}"):
                    rows.writerow({**turn, "image_id": f"data/{folder.name}/rgb.png"})
    for folder, hosted in zip(folders, read_scenes(tmp_path), strict=True):
        scene = read_scene_folder(folder)
        assert (hosted.name, hosted.truth, hosted.questions, hosted.pools) == (
            scene.name,
            scene.truth,
            scene.questions,
            scene.pools,
        )
        assert hosted.panorama == tmp_path / "data" / scene.name / "rgb.png"
    assert rescore_osr(tmp_path).answers.all.identical == 116


@pytest.mark.parametrize(
    "image", ["../../etc/passwd", "/etc/rgb.png", "data/../../x/rgb.png", "rgb.png", "..\\..\\x\\rgb.png"]
)
def test_a_table_names_no_picture_outside_its_folder(image: str, tmp_path: Path):
    (tmp_path / "qa.csv").write_text(
        f"image_id,turn_id,question,answer,skills_tested\n{image},0,map,\"[[['bed']]]\",cognitive_map\n"
    )
    with pytest.raises(TolmanError, match="is not a panorama"):
        list(read_hosted(tmp_path))


@pytest.mark.parametrize(
    "text", ["", "[", "__import__('os')", "[[1]]", "[[['a'], ['b']]]", "[" * 5000, "[[['a']] * 10**9]", "x" * 200_000]
)
def test_a_stored_map_is_never_run(text: str):
    with pytest.raises(TolmanError):
        read_stored_map(text)


@given(st.dictionaries(st.sampled_from(QUESTION_COLUMNS), json_values))
def test_a_stored_question_is_read_or_refused(turn: dict[str, object]):
    with pytest.raises(TolmanError):
        read_turn(turn)


@given(json_values, json_values)
def test_a_folder_with_anything_in_it_is_refused(tmp_path_factory: pytest.TempPathFactory, one: object, two: object):
    folder = tmp_path_factory.mktemp("scene")
    empty: list[list[list[str]]] = [[[]]]
    for stored in (one, {"cognitive_map": one}, {"cognitive_map": empty, "class_count": two}):
        (folder / "cognitive_map.json").write_text(json.dumps(stored))
        (folder / f"{folder.name}_qa.json").write_text(json.dumps(two))
        with pytest.raises(TolmanError):
            read_scene_folder(folder)


@pytest.mark.parametrize("score", ["x", "", "{}", "[]", '{"overall": 1, "per_class": 2}', "null"])
def test_a_damaged_result_gives_one_line(score: str, tmp_path: Path):
    file = tmp_path / "x_results.csv"
    with file.open("w", newline="") as lines:
        rows = csv.writer(lines)
        rows.writerow(
            ["image_id", "model", "turn_id", "skills_tested", "question", "model_answer", "ground_truth", "score"]
        )
        rows.writerow(["data/a/rgb.png", "m", 0, "cognitive_map", "map", "{}", "[[['bed']]]", score])
    with pytest.raises(TolmanError, match="score"):
        rescore_osr(file)
