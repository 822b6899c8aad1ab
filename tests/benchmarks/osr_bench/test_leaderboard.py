"""Entries of OSR-Bench: rooms are made anew from seeds, replies scored again, and whoever lies is refused."""

import json
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.osr_bench.logged_runs import (
    careless_answer,
    careless_map,
    lived,
    sample,
    true_answer,
    true_map,
    write_log,
    write_run,
)
from tests.benchmarks.theory_of_space.leaderboard.entries import entry as space_entry
from tests.benchmarks.theory_of_space.leaderboard.test_board import command, printed
from tolman.benchmarks.osr_bench.cases import generated_cases
from tolman.benchmarks.osr_bench.leaderboard import LEADERBOARD
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.core.errors import SettingsError
from tolman.core.parallel import untracked
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.report.leaderboard.benchmark import EntryAbout
from tolman.report.leaderboard.board import read_board, write_board
from tolman.report.leaderboard.entry_file import EntryRefused, write_entry
from tolman.report.leaderboard.replies import RepliesEntry

BLIND = Options(views="blind", class_list="distractors", each=2)
SEEDS = range(6)
Json = Any


def entry(folder: Path, *, careless: bool = False, options: Options = BLIND, seeds: range = SEEDS) -> RepliesEntry:
    """The entry of a log, as `tolman submit` makes it."""
    answer, state = (careless_answer, careless_map) if careless else (true_answer, true_map)
    rooms = [lived(case, options, answer, state) for case in generated_cases(seeds, options)]
    log = write_log(folder, [sample(room) for room in rooms], options, model="x/careless" if careless else "x/knowing")
    (run,) = LEADERBOARD.read_runs([log], print, untracked)
    return LEADERBOARD.entry(run, EntryAbout())


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Json:
    made = entry(tmp_path_factory.mktemp("logs"), careless=True)
    return json.loads(made.model_dump_json())


def refusal(tampered: Json) -> str:
    with pytest.raises(EntryRefused) as caught:
        LEADERBOARD.verify(LEADERBOARD.parse(json.loads(json.dumps(tampered))))
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_scripted_models_go_from_an_evaluation_to_the_board(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)
    for agent in ("oracle", "random"):
        task = osr_bench(data="0-6", views="blind", each=2)
        assert evaluate([task], RunPlan(f"tolman/{agent}", tmp_path / agent, display="log")).complete
        assert command("submit", tmp_path / agent, "-o", tmp_path / "entries" / f"{agent}.json") == 0
    capsys.readouterr()
    assert command("board", tmp_path / "entries", "--json", tmp_path / "board.json") == 0
    shown = capsys.readouterr().out
    assert "Leaderboard: OSR-Bench" in shown
    assert "Standard questions, own map, no picture: 7 rooms from seeds 0–6" in shown
    (league,) = json.loads((tmp_path / "board.json").read_text(encoding="utf-8"))["leagues"]
    assert [(one["name"], one["rank"]) for one in league["entries"]] == [("tolman/oracle", 1), ("tolman/random", 2)]
    assert league["entries"][0]["scores"]["strict"]["map/f1"]["mean"] == 1
    assert set(league["entries"][0]["scores"]) == {"strict", "published"}


def test_an_entry_holds_replies_and_no_truth(honest: Json):
    assert set(honest["cases"][0]) == {"id", "made_from", "digest", "replies"}
    assert honest["cases"][0]["made_from"] == {"seed": 0}
    checked = LEADERBOARD.verify(LEADERBOARD.parse(honest))
    for rules in ("strict", "published"):
        claimed = honest["summary"][rules]["answers"]["mean"]
        assert checked.measured[rules].interval("answers").mean == pytest.approx(claimed)


def test_whoever_knows_ranks_above_and_think_is_told(tmp_path: Path):
    write_entry(entry(tmp_path / "a"), tmp_path / "board" / "a.json")
    write_entry(entry(tmp_path / "b", careless=True), tmp_path / "board" / "b.json.gz")
    thinking = Options(views="blind", class_list="distractors", each=2, think=True)
    write_entry(entry(tmp_path / "c", options=thinking), tmp_path / "board" / "c.json")
    unmapped = Options(views="blind", class_list="distractors", each=2, mode="none")
    write_entry(entry(tmp_path / "d", options=unmapped), tmp_path / "board" / "d.json")
    board = read_board(tmp_path / "board")
    assert not board.refused
    assert sorted(len(league.standings) for league in board.leagues) == [1, 3]
    assert "think yes" in printed(board, 200)


def test_several_benchmarks_stand_on_one_board(tmp_path: Path):
    write_entry(entry(tmp_path / "logs"), tmp_path / "entries" / "rooms.json")
    write_entry(space_entry("scout"), tmp_path / "entries" / "space.json")
    board = read_board(tmp_path / "entries")
    assert board.benchmarks == ("theory-of-space", "osr-bench")
    text = printed(board, 160)
    assert text.index("Leaderboard: Theory of Space") < text.index("Leaderboard: OSR-Bench")
    write_board(board, tmp_path / "site")
    page = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "board-osr-bench" in page


# ---- lies ----


def test_a_forged_truth_is_refused_wherever_it_stands(honest: Json, tmp_path: Path):
    forged = deepcopy(honest)
    forged["cases"][1]["digest"] = "0" * 64
    assert refusal(forged) == "room 1 is not the one that is made here from seed 1"
    forged = deepcopy(honest)
    forged["cases"][1]["truth"] = [["sofa"]]
    assert "cases.1.truth" in refusal(forged)
    first, second, *others = generated_cases(SEEDS, BLIND)
    asked = replace(second.questions[0], answer="another")
    liar = replace(second, questions=(asked, *second.questions[1:]))
    log = write_log(tmp_path, [sample(lived(case, BLIND)) for case in (first, liar, *others)], BLIND)
    (run,) = LEADERBOARD.read_runs([log], print, untracked)
    with pytest.raises(EntryRefused, match="room 1 is not the one that is made here from seed 1"):
        LEADERBOARD.verify(LEADERBOARD.entry(run, EntryAbout()))


def test_a_missing_reply_is_missed_and_one_to_another_call_is_refused(honest: Json):
    shorter = deepcopy(honest)
    del shorter["cases"][2]["replies"]["0/3"]
    assert refusal(shorter) == "room 2, 0/3: there is no reply"
    longer = deepcopy(honest)
    longer["cases"][2]["replies"]["90/3"] = "Front"
    assert refusal(longer) == "room 2, 90/3: a reply to a call that is never made"
    unmapped = deepcopy(honest)
    unmapped["options"]["mode"] = "none"
    assert "0/map: a reply to a call that is never made (6 items differ)" in refusal(unmapped)


def test_a_better_reply_or_number_is_found_out(honest: Json):
    better = deepcopy(honest)
    for question in generated_cases(range(1), BLIND)[0].questions:
        better["cases"][0]["replies"][f"0/{question.turn}"] = question.answer
    assert refusal(better).startswith("summary, ")
    better = deepcopy(honest)
    better["summary"]["strict"]["ask/counting"]["mean"] = 1.0
    assert "mean of ask/counting under strict: claimed 1.0, recomputed " in refusal(better)


@pytest.mark.parametrize(
    ("option", "value", "reason"),
    [
        ("surprise", 1, "there is no option 'surprise'"),
        ("turns", ["north"], "its option turns is not one"),
        ("each", 10**9, "its options can't be"),
        ("grid", 20, "is not the one that is made here from seed"),
        ("asked", "negative", "is not the one that is made here from seed"),
    ],
)
def test_options_that_it_was_not_run_with_are_refused(honest: Json, option: str, value: Json, reason: str):
    tampered = deepcopy(honest)
    tampered["options"][option] = value
    assert reason in refusal(tampered)


def test_other_seeds_selections_and_doubles_are_refused(honest: Json):
    for origin in ({}, {"seed": "1"}, {"seed": 1, "rooms": 2}):
        tampered = deepcopy(honest)
        tampered["cases"][1]["made_from"] = origin
        assert refusal(tampered) == "1 should be made from seed, and from nothing else"
    for seed in (-1, 10**12, 0):
        tampered = deepcopy(honest)
        tampered["cases"][1]["made_from"] = {"seed": seed}
        assert refusal(tampered).startswith("its seeds are to be different numbers")
    twice = deepcopy(honest)
    twice["cases"].append(twice["cases"][0])
    assert refusal(twice) == "a room is there twice"
    chosen = deepcopy(honest)
    chosen["selection"]["data"] = "somewhere"
    assert refusal(chosen) == "its selection has, or lacks, 'data'"


def test_the_board_refuses_what_is_of_no_benchmark_in_one_line(honest: Json, tmp_path: Path):
    (tmp_path / "a.json").write_text(json.dumps({**honest, "benchmark": "chess"}), encoding="utf-8")
    (tmp_path / "b.json").write_text(json.dumps({**honest, "benchmark": "theory-of-space"}), encoding="utf-8")
    first, second = read_board(tmp_path).refused
    assert first.reason.startswith("there is no leaderboard of the benchmark 'chess', but of theory-of-space")
    assert second.reason.startswith("it is not a whole entry: ")


def test_scenes_of_a_folder_can_not_be_submitted(tmp_path: Path):
    log = write_run(tmp_path, Options())
    (run,) = LEADERBOARD.read_runs([log], print, untracked)
    with pytest.raises(SettingsError, match="scenes of a folder, which a board can't make again") as caught:
        LEADERBOARD.entry(run, EntryAbout())
    assert "\n" not in str(caught.value)
