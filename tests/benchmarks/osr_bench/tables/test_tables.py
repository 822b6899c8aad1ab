"""`tolman show` on logs of OSR-Bench: the numbers that a reader relies on, worked out by hand here."""

import json
from collections import Counter
from io import StringIO
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from rich.console import Console

from tests.benchmarks.osr_bench.logged_runs import (
    careless_answer,
    careless_map,
    lived,
    room,
    sample,
    write_log,
    write_run,
)
from tests.benchmarks.osr_bench.tiny_dataset import ROOMS
from tests.benchmarks.theory_of_space.logged_runs import OPTIONS as WALKED
from tests.benchmarks.theory_of_space.logged_runs import lived as walked
from tests.benchmarks.theory_of_space.logged_runs import sample as walked_sample
from tests.benchmarks.theory_of_space.logged_runs import write_log as write_walked
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.runs import evaluated_models, read_runs, run_scores
from tolman.benchmarks.osr_bench.scores import headline_scores
from tolman.cli.show import print_tables, show
from tolman.core.errors import SettingsError

KINDS = ("counting", "distance", "direction")
COLUMNS = {
    **{f"ask/{kind}": kind for kind in KINDS},
    "map/f1": "map F1",
    "map/precision": "map precision",
    "map/recall": "map recall",
    "map/distance": "map distance",
    "map/success": "map success",
    "map/mirrored_f1": "mirrored F1",
    "map/invents": "maps that invent",
    "map/invented_classes": "invented classes",
    "map/invented_objects": "invented objects",
}
"""Columns of the tables, and the numbers that a log holds."""


def printed(*paths: Path, width: int = 110) -> str:
    console = Console(file=StringIO(), width=width)
    print_tables(list(paths), console)
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


def numbers(tmp_path: Path, *paths: Path, **more: Any) -> dict[str, Any]:
    show(list(paths), json_file=tmp_path / "numbers.json", force=True, **more)
    return json.loads((tmp_path / "numbers.json").read_text(encoding="utf-8"))


def by_way(found: dict[str, Any]) -> dict[tuple[str, str, str, bool], dict[str, Any]]:
    return {(run["model"], run["asked"], run["mode"], run["think"]): run for run in found["runs"]}


def test_answers_stand_by_kind_and_map_in_hand(tmp_path: Path):
    logs = tmp_path / "logs"
    write_run(logs, Options(mode="first"), careless_answer, careless_map)
    write_run(logs, Options(mode="none"), careless_answer)
    write_run(logs, Options(mode="true"))
    found = by_way(numbers(tmp_path, logs))
    for mode in ("first", "none"):
        scores = found["openai/gpt-5.2", "standard", mode, False]["scores"]
        for kind in KINDS:
            asked = [q for name in ROOMS for q in room(name).questions if q.kind == kind]
            right = fmean(careless_answer(room("study"), q) == q.answer for q in asked)
            assert scores["strict"][f"ask/{kind}"]["mean"] == pytest.approx(right)
        counts = [int(q.answer) for name in ROOMS for q in room(name).questions if q.kind == "counting"]
        near = fmean(1.0 if count == 1 else 1 - (count - 1) / count for count in counts)
        assert scores["published"]["ask/counting"]["mean"] == pytest.approx(near)
    assert all(
        found["openai/gpt-5.2", "standard", "true", False]["scores"]["strict"][f"ask/{k}"]["mean"] == 1 for k in KINDS
    )
    text = printed(logs)
    (table,) = [part for part in text.split("\n\n") if part.startswith("Answers, standard questions")]
    assert table.count("openai/gpt-5.2") == 1, "three runs make one row"
    assert "100.0" in table


def test_means_are_those_that_the_evaluation_itself_gives(tmp_path: Path):
    write_run(tmp_path / "logs", Options(mode="first", turns=(0, 180)), careless_answer, careless_map)
    (run,) = read_runs([tmp_path / "logs"], print)
    for rules, measured in run_scores(run).measured.items():
        known = headline_scores([case.scores[rules] for case in run.cases])
        for column, title in COLUMNS.items():
            assert measured.interval(column).mean == pytest.approx(known[title], nan_ok=True), (rules, column)


def test_what_a_map_adds_is_paired_by_scene(tmp_path: Path):
    logs = tmp_path / "logs"
    write_run(logs, Options(mode="first"), careless_answer)
    write_run(logs, Options(mode="true"))
    gains = numbers(tmp_path, logs)["map_gains"]
    (direction,) = [g for g in gains if (g["gain"], g["kind"], g["rules"]) == ("true", "direction", "strict")]
    lost = [fmean(q.answer != "Front" for q in room(name).questions if q.kind == "direction") for name in ROOMS]
    assert direction["mean"] == pytest.approx(fmean(lost))
    assert not [gain for gain in gains if gain["gain"] == "own"], "nobody answered without a map"


def test_maps_tell_what_is_found_and_what_is_invented(tmp_path: Path):
    logs = tmp_path / "logs"
    write_run(logs, Options(mode="first"), state=careless_map)
    write_run(logs, Options(mode="first"), model="openai/silent", state=lambda _: "I can't.")
    found = by_way(numbers(tmp_path, logs))
    scores = found["openai/gpt-5.2", "standard", "first", False]["scores"]
    strict = {name: values["mean"] for name, values in scores["strict"].items()}
    assert strict["map/success"] == strict["map/invents"] == 1
    there, stated = [len(room(name).truth.classes) for name in ROOMS], 2
    assert strict["map/invented_classes"] == pytest.approx(fmean(stated / (n - 1 + stated) for n in there))
    assert 0 < strict["map/f1"] < 1
    assert "map/mirrored_f1" in strict
    assert "map/mirrored_f1" not in scores["published"]
    dropped = scores["published"]["map/invented_objects"]["mean"]
    assert dropped < strict["map/invented_objects"], "the dragon lies beyond the grid"
    silent = found["openai/silent", "standard", "first", False]["scores"]["strict"]
    assert (silent["map/success"]["mean"], silent["map/distance"]["mean"], silent["map/f1"]["mean"]) == (0, 15, 0)
    assert "Invented (CHAIR)" in printed(logs)


def test_guesses_are_worth_what_these_questions_make_them(tmp_path: Path):
    logs = tmp_path / "logs"
    write_run(logs, Options(mode="none", asked="negative"))
    rows = {(row["name"], row["rules"]): row for row in numbers(tmp_path, logs)["references"]}
    asked = [q for name in ROOMS for q in room(name, "negative").questions]
    for kind in ("counting", "direction"):
        answers = Counter(q.answer for q in asked if q.kind == kind)
        best = answers.most_common(1)[0][1] / answers.total()
        assert rows["constant", "strict"]["columns"][f"none/{kind}"]["mean"] == pytest.approx(best)
    first = max(fmean(q.names[i] == q.answer for q in asked if q.kind == "distance") for i in range(1, 5))
    assert rows["constant", "strict"]["columns"]["none/distance"]["mean"] >= first
    assert rows["chance", "strict"]["columns"]["none/direction"]["mean"] == pytest.approx(1 / 11)
    assert 0 < rows["chance", "strict"]["columns"]["map/f1"]["mean"] < 0.6
    assert rows["chance", "published"]["columns"]["none/counting"]["mean"] > 1 / 7


def test_the_papers_rows_come_when_asked_for(tmp_path: Path):
    logs = tmp_path / "logs"
    write_run(logs, Options(mode="first"))
    names = {row["name"] for row in numbers(tmp_path, logs, references="all")["references"]}
    assert {"chance", "constant", "GPT-5.2", "Human 1 · 100 questions"} <= names
    assert numbers(tmp_path, logs, references="none")["references"] == []


def test_a_turn_of_the_camera_should_change_nothing(tmp_path: Path):
    logs = tmp_path / "logs"
    options = Options(mode="none", turns=(0, 90))
    scenes = [lived(room(name), options) for name in ROOMS]
    first = next(call for call in scenes[0].record.calls if call.name.startswith("90/"))
    changed = [c.model_copy(update={"reply": "?"}) if c is first else c for c in scenes[0].record.calls]
    scenes[0] = lived(room("kitchen"), options)
    scenes[0].record.calls[:] = changed
    write_log(logs, [sample(of) for of in scenes], options)
    (run,) = numbers(tmp_path, logs)["runs"]
    total = sum(len(room(name).questions) for name in ROOMS)
    same = run["scores"]["strict"]["turned/same"]
    assert (same["mean"], same["values"]) == (pytest.approx(1 - 1 / total), total)
    assert run["scores"]["strict"]["ask/counting"]["mean"] == 1, "scores are of the first turn"
    assert "Consistency over camera rotations" in printed(logs)


def test_a_judge_is_held_against_the_rules(tmp_path: Path):
    write_run(tmp_path / "logs", Options(mode="none"), careless_answer, judge="openai/judge")
    (run,) = numbers(tmp_path, tmp_path / "logs")["runs"]
    right = fmean(careless_answer(room(n), q) == q.answer for n in ROOMS for q in room(n).questions)
    assert run["judge"]["strict"]["share"] == pytest.approx(right)
    assert "judged by openai/judge" in printed(tmp_path / "logs")


def test_runs_that_differ_in_turns_only_share_a_row_unless_they_would_clash(tmp_path: Path):
    write_run(tmp_path / "one", Options(mode="first", turns=(0, 90)))
    write_run(tmp_path / "one", Options(mode="none"))
    known = [run_scores(run) for run in read_runs([tmp_path / "one"], print)]
    (together,) = evaluated_models(known)
    assert len(together.conditions) == 2
    write_run(tmp_path / "one", Options(mode="first"))
    known = [run_scores(run) for run in read_runs([tmp_path / "one"], print)]
    names = [model.name for model in evaluated_models(known)]
    assert len(names) == len(set(names)) == 2
    assert any("turns 0+90" in name for name in names)


def test_a_scene_that_failed_is_told_and_not_scored(tmp_path: Path):
    options = Options(mode="none")
    scenes = [
        sample(lived(room("kitchen"), options)),
        sample(lived(room("study"), options), error="no such deployment"),
    ]
    write_log(tmp_path / "logs", scenes, options)
    (run,) = numbers(tmp_path, tmp_path / "logs")["runs"]
    assert run["scenes"]["failed"] == [{"scene": "study", "reason": "no such deployment"}]
    text = printed(tmp_path / "logs")
    assert "1 of 2 scenes" in text
    assert "no such deployment" in text


def test_both_benchmarks_in_one_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    logs = tmp_path / "logs"
    write_run(logs / "osr", Options(mode="none"))
    write_walked(logs / "walked", [walked_sample(walked(0))], options=WALKED)
    (logs / "broken.eval").write_bytes(b"nothing of the kind")
    found = numbers(tmp_path, logs)
    told = capsys.readouterr()
    assert set(found) == {"theory_of_space", "osr_bench"}
    assert len(found["theory_of_space"]["runs"]) == len(found["osr_bench"]["runs"]) == 1
    assert told.err.count("broken.eval") == 1
    assert told.out.index("Theory of Space") < told.out.index("OSR-Bench")


def test_logs_of_something_else_end_with_one_line(tmp_path: Path):
    write_walked(tmp_path, [walked_sample(walked(0))], options=WALKED, task="other/arithmetic")
    with pytest.raises(SettingsError, match="Theory of Space, OSR-Bench or SpaRRTa"):
        show([tmp_path])
