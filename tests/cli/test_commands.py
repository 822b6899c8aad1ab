"""The command line: some commands as a user runs them, the others in this process, which saves the time of starting."""

import csv
import json
import subprocess
from pathlib import Path

import pytest

from tests.command_line import Here, tolman
from tolman.ask import question_from_dict
from tolman.cli import app as cli_app
from tolman.world import generate, perturb, read_scene, write_scene


def test_explore_prints_a_table_and_writes_a_line_a_scene(tmp_path: Path):
    out = tmp_path / "deep" / "rows.jsonl"
    run = tolman("explore", "--agent", "scout,strategist", "--scenes", "0-2,7", "--out", out)
    assert run.returncode == 0, run.stderr
    assert "scout" in run.stdout
    assert "strategist" in run.stdout
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [(row["agent"], row["scene"]) for row in rows] == [
        (a, s) for a in ("scout", "strategist") for s in (0, 1, 2, 7)
    ]
    for row in rows:
        assert {
            "scene",
            "agent",
            "steps",
            "cost",
            "info_gain",
            "node_coverage",
            "edge_coverage",
            "seconds",
        } <= row.keys()
        assert len(row["info_gain"]) == row["steps"] + 1 == len(row["actions"])
        assert row["digest"] == generate(row["scene"]).digest


def test_one_scene_is_a_scene_and_not_scenes(here: Here):
    assert here("explore", "--agent", "scout", "--scenes", "3", "--workers", "1").stdout.startswith(
        "Exploration of 1 scene: "
    )


def test_explore_prints_percent_and_other_formats(here: Here):
    words = ("explore", "--agent", "greedy-planner", "--scenes", "0-2", "--workers", "1")
    assert "100.0" in here(*words).stdout
    line, *rows = here(*words, "--format", "csv").stdout.splitlines()
    assert line.startswith("# Exploration of 3 scenes")
    (row,) = csv.DictReader(rows)
    assert (row["agent"], row["explore/gain"], row["explore/certain"]) == ("greedy-planner", "100", "3/3")
    (table,) = json.loads(here(*words, "--format", "json").stdout)
    assert all(column["definition"] for column in table["columns"])


@pytest.mark.parametrize(
    ("scenes", "rooms"), [("0-3", "2"), pytest.param("0-9", "3", marks=pytest.mark.slow, id="more and larger")]
)
def test_rows_do_not_depend_on_the_number_of_workers(
    scenes: str, rooms: str, tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("tolman.core.parallel.MIN_PARALLEL_SECONDS", -1.0)
    files, world = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"], ("--scenes", scenes, "--rooms", rooms)
    for workers, file in zip("12", files, strict=True):
        assert here("explore", "--agent", "greedy-planner", *world, "--workers", workers, "--out", file).returncode == 0
    one, two = ([{**json.loads(line), "seconds": 0} for line in file.read_text().splitlines()] for file in files)
    assert one == two


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("explore", "--rooms", "33"), "32"),
        (("explore", "--scenes", "no/such/folder"), "0-49"),
        (("explore", "--scenes", "9-3"), "FIRST-LAST"),
        (("explore", "--things", "30"), "fewer"),
        (("explore", "--rooms", "many"), "rooms"),
        (("explore", "--frobnicate", "1"), "frobnicate"),
        (("scene", "0-4"), "one"),
        (("scene", "3", "--png", "no/such/folder/x.png"), "written"),
        (("ask", "7", "--kind", "riddle"), "direction"),
        (("replay", "no/such/file"), "read"),
        pytest.param(("dance",), "explore", marks=pytest.mark.slow),
        (("make", "theory-of-space"), "tolman render"),
        (("render", "--models", "built-in"), "--models is now --assets"),
    ],
)
def test_bad_input_gives_one_line_and_exit_code_2(arguments: tuple[str, ...], hint: str, here: Here):
    check_one_line(here(*arguments), hint)


def test_so_it_does_for_a_user():
    check_one_line(tolman("explore", "--agent", "nobody"), "strategist")


def check_one_line(run: subprocess.CompletedProcess[str], hint: str) -> None:
    assert run.returncode == 2
    assert run.stdout == ""
    assert len(run.stderr.splitlines()) == 1
    assert hint in run.stderr


def test_a_folder_without_scenes_is_named(tmp_path: Path, here: Here):
    run = here("explore", "--scenes", tmp_path)
    assert run.returncode == 2
    assert "meta_data.json" in run.stderr


def test_episodes_are_written_and_replayed(tmp_path: Path, here: Here):
    rows, episodes = tmp_path / "rows.jsonl", tmp_path / "episodes.jsonl"
    run = here("explore", "--agent", "random,scout", "--scenes", "0-1", "--out", rows, "--episodes", episodes)
    assert run.returncode == 0, run.stderr
    row = json.loads(rows.read_text().splitlines()[2])
    shown = here("replay", episodes, "--number", "3").stdout
    assert f"cost {row['cost']}" in shown
    assert all(asked in shown for asked in row["actions"])
    assert here("replay", episodes).stdout.count("--- ") == 4
    episodes.write_text(episodes.read_text().replace("near", "far"))
    altered = here("replay", episodes)
    assert altered.returncode == 2
    assert "differs from the record" in altered.stderr


def test_scene_draws_prints_and_saves(tmp_path: Path, here: Here):
    png = tmp_path / "out.png"
    run = here("scene", "7", "--png", png)
    assert run.returncode == 0
    assert png.read_bytes().startswith(b"\x89PNG")
    assert all(name in run.stdout for name in generate(7).names)


def test_scene_json_can_be_read_back(tmp_path: Path, here: Here):
    run = here("scene", "7", "--rooms", "5", "--format", "json")
    file = tmp_path / "scene.json"
    file.write_text(run.stdout)
    scene = read_scene(file)
    assert len(scene.rooms) == 5
    assert here("scene", file, "--format", "json").stdout == run.stdout


def test_scene_after_the_change(tmp_path: Path, here: Here):
    file = tmp_path / "changed.json"
    write_scene(generate(7), file)
    run = here("scene", file, "--changed", "7", "--format", "json")
    assert json.loads(run.stdout)["digest"] == perturb(generate(7), 7).scene.digest


def test_ask_prints_the_questions_of_a_scene(tmp_path: Path, here: Here):
    out = tmp_path / "questions.jsonl"
    run = here("ask", "7", "--answers", "--out", out)
    assert run.returncode == 0, run.stderr
    questions = [question_from_dict(json.loads(line)) for line in out.read_text().splitlines()]
    assert len(questions) == 27
    assert all(question.id in run.stdout for question in questions)
    assert run.stdout.count("Right answer: ") == 27
    assert len(here("ask", "7", "--kind", "direction,mental_rotation", "--per-kind", "2").stdout.split("--- ")) == 5


def test_help_names_every_command():
    run = tolman("--help")
    assert run.returncode == 0
    assert all(command in run.stdout for command in ("explore", "replay", "scene", "ask", "rescore"))


HELPED = (
    "play",
    "submit",
    "render",
    "scene 0",
    "make osr-bench",
    "eval theory-of-space",
    "eval osr-bench",
    "probe correlate",
)


@pytest.mark.parametrize("command", HELPED)
def test_help_shows_defaults_that_say_something_and_no_empty_ones(command: str, here: Here):
    shown = " ".join(here(*command.split(), "--help").stdout.split())
    assert '[default: ""]' not in shown
    assert "[default: None]" not in shown
    assert "[default: (" not in shown, "a default is shown as it is given"
    assert "--empty-" not in shown
    assert "[default: " in shown or command == "submit"


def test_who_gives_a_wrong_flag_is_led_to_the_help_of_that_command(here: Here):
    run = here("explore", "--nonsense", "1")
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.strip().endswith("(see tolman explore --help)")


def test_an_interrupt_that_an_engine_wrapped_ends_in_peace_and_other_errors_are_told(monkeypatch: pytest.MonkeyPatch):
    def wrapped(**_: object) -> None:
        try:
            try:
                raise KeyboardInterrupt
            except KeyboardInterrupt as interrupt:
                raise RuntimeError("encountered an exception (see above)") from interrupt
        except RuntimeError as error:
            raise RuntimeError("failed (see above)") from error

    def broken(**_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(cli_app, "app", wrapped)
    with pytest.raises(SystemExit) as ended:
        cli_app.main()
    assert ended.value.code == 130
    monkeypatch.setattr(cli_app, "app", broken)
    with pytest.raises(RuntimeError, match="out of order"):
        cli_app.main()
