"""Entries about sealed scenes: nothing in them names a seed, and they are checked once the split is opened."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from tests.benchmarks.theory_of_space.leaderboard.entries import SHORT, run_of
from tests.benchmarks.theory_of_space.leaderboard.test_board import command, printed
from tests.benchmarks.theory_of_space.logged_runs import sample, write_log
from tests.benchmarks.theory_of_space.scripted_runs import scripted_case
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.leaderboard.entry import EntryScene, LeaderboardEntry
from tolman.benchmarks.theory_of_space.leaderboard.space_leaderboard import entry_of, verify
from tolman.benchmarks.theory_of_space.runs import TheoryOfSpaceRun, score_record
from tolman.core.errors import SettingsError
from tolman.report.leaderboard.benchmark import EntryAbout
from tolman.report.leaderboard.board import read_board
from tolman.report.leaderboard.entry_file import EntryRefused, write_entry
from tolman.world import WorldSettings
from tolman.world.select import SealedSplit, seal, sealed_choices, write_sealed


@cache
def split() -> SealedSplit:
    return seal(3, WorldSettings(rooms=2), "0.1.0")


@cache
def run() -> TheoryOfSpaceRun:
    cases = [case_of(choice, SHORT) for choice in sealed_choices(split())]
    done = [score_record(scripted_case("scout", case, SHORT)) for case in cases]
    return TheoryOfSpaceRun("tolman/scout", SHORT, done, [], len(done), {"rooms": 3, "things": 4})


def entry() -> LeaderboardEntry:
    return entry_of(run(), EntryAbout(), [split()])


def test_an_entry_names_the_split_and_no_seed():
    made = entry()
    assert (made.split.kind, made.split.commitment) == ("sealed", split().commitment)
    assert [scene.seed for scene in made.scenes] == [None] * 3
    text = made.model_dump_json()
    assert not any(str(seed) in text for seed in split().seeds)


def test_it_can_be_submitted_with_its_split_and_all_of_its_scenes_only():
    with pytest.raises(SettingsError, match="--sealed"):
        entry_of(run(), EntryAbout())
    with pytest.raises(SettingsError, match="--sealed"):
        entry_of(run(), EntryAbout(), [seal(3, WorldSettings(rooms=2), "0.1.0")])
    with pytest.raises(SettingsError, match="all of its scenes"):
        entry_of(replace(run(), cases=run().cases[:2], planned=2), EntryAbout(), [split()])


def test_it_waits_until_the_split_is_opened_and_is_then_ranked(tmp_path: Path):
    write_entry(entry(), tmp_path / "scout.json")
    waiting = read_board(tmp_path)
    assert (waiting.entries, waiting.refused) == (0, ())
    assert "its scenes are sealed" in waiting.sealed[0].reason
    write_sealed(split(), tmp_path / "opened.json")
    board = read_board(tmp_path)
    assert (board.entries, board.sealed, board.refused) == (1, (), ())
    assert f"3 scenes of the sealed split {split().commitment[:16]}…, 2 rooms" in printed(board, 200)


def test_other_scenes_or_scores_than_those_of_the_split_are_refused():
    splits = {split().commitment: split()}
    made = entry()
    with pytest.raises(EntryRefused, match="not the 3 of the sealed split"):
        verify(made.model_copy(update={"scenes": made.scenes[:2]}), splits)
    first, second, third = made.scenes
    swapped = [_called(second, first.id), _called(first, second.id), third]
    with pytest.raises(EntryRefused, match="is not the one that its seed makes"):
        verify(made.model_copy(update={"scenes": swapped}), splits)
    better = {**first.scores["strict"], "ask/none/direction/1": 0.123}
    with pytest.raises(EntryRefused, match=r"-001, ask/none/direction/1 under strict: claimed 0\.123"):
        verify(made.model_copy(update={"scenes": [_scored(first, better), second, third]}), splits)


def _called(scene: EntryScene, name: str) -> EntryScene:
    return scene.model_copy(update={"id": name})


def _scored(scene: EntryScene, strict: dict[str, float]) -> EntryScene:
    return scene.model_copy(update={"scores": {**scene.scores, "strict": strict}})


def test_unsealing_tells_whether_an_entry_is_about_exactly_these_scenes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_sealed(split(), tmp_path / "sealed.json")
    log = write_log(tmp_path / "logs", [sample(done.logged) for done in run().cases], options=SHORT)
    assert run_of(log).planned == 3
    sealed, mine = tmp_path / "sealed.json", tmp_path / "mine.json"
    assert command("submit", log, "-o", mine, "--sealed", sealed) == 0
    assert command("unseal", sealed, "--commitment", split().commitment, "--entry", mine) == 0
    made = entry()
    write_entry(made.model_copy(update={"scenes": made.scenes[:2]}), tmp_path / "fewer.json")
    capsys.readouterr()
    assert command("unseal", sealed, "--commitment", split().commitment, "--entry", tmp_path / "fewer.json") == 1
    assert "has other scenes than the split" in " ".join(capsys.readouterr().err.split())
