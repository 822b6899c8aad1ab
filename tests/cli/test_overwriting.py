"""Nothing is written over that somebody may want to keep; terminals of any kind; numbers that can't be."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.benchmarks.theory_of_space.leaderboard.entries import log_of
from tests.command_line import TOLMAN, Here
from tolman.cli.app import COMMANDS
from tolman.core.errors import SettingsError
from tolman.core.files import check_made_with

MINE = "years of work"


def _commands(folder: Path) -> dict[str, list[str | Path]]:
    """Commands that write the file `mine` in a folder, and are quick."""
    log, mine = log_of(folder / "logs", "random", seeds=range(1)), folder / "mine.json"
    return {
        "scene": ["scene", "7", "--png", mine],
        "ask": ["ask", "7", "--kind", "direction", "--out", mine],
        "explore": ["explore", "--agent", "random", "--scenes", "0", "--out", mine],
        "episodes": ["explore", "--agent", "random", "--scenes", "0", "--episodes", mine],
        "show": ["show", log, "--json", mine, "--references", "none"],
        "submit": ["submit", log, "-o", mine],
        "board": ["board", folder, "--json", mine],
    }


@pytest.mark.parametrize("name", ["scene", "ask", "explore", "episodes", "show", "submit", "board"])
def test_a_file_that_is_there_is_kept_unless_it_is_forced(tmp_path: Path, here: Here, name: str):
    words, mine = _commands(tmp_path)[name], tmp_path / "mine.json"
    mine.write_text(MINE)
    refused = here(*words)
    assert refused.returncode == 2
    assert "already exists" in refused.stderr
    assert "--force" in refused.stderr
    assert mine.read_text() == MINE
    forced = here(*words, "--force")
    assert forced.returncode == (1 if name == "board" else 0), "the board refuses what is no entry"
    assert mine.read_bytes() != MINE.encode()


def test_a_data_set_is_not_put_among_files_of_others(tmp_path: Path):
    (tmp_path / "README.md").write_text(MINE)
    with pytest.raises(SettingsError, match="--force"):
        check_made_with(tmp_path, {"size": 3})
    check_made_with(tmp_path, {"size": 3}, force=True)
    check_made_with(tmp_path, {"size": 3})
    with pytest.raises(SettingsError, match="other settings"):
        check_made_with(tmp_path, {"size": 4}, force=True)


def test_make_refuses_a_folder_of_others_and_goes_on_in_its_own(tmp_path: Path, here: Here):
    (tmp_path / "README.md").write_text(MINE)
    words = ("make", "osr-bench", "--scenes", "0-1", "--no-pictures", "--each", "1", "--workers", "1")
    refused = here(*words, "--out", tmp_path)
    assert refused.returncode == 2
    assert "not made by this command" in refused.stderr
    assert (tmp_path / "README.md").read_text() == MINE
    for _ in range(2):
        assert here(*words, "--out", tmp_path / "set").returncode == 0


# ---- terminals ----


def _ascii(*words: str | Path) -> "subprocess.CompletedProcess[str]":
    plain = {**os.environ, "LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    return subprocess.run([TOLMAN, *words], capture_output=True, text=True, check=False, env=plain)


def test_a_terminal_without_the_signs_of_a_table_gets_no_traceback(tmp_path: Path):
    log = log_of(tmp_path / "logs", "random", seeds=range(1))
    shown = _ascii("show", log, "--references", "all")
    assert shown.returncode == 0, shown.stderr[-1000:]
    assert shown.stdout.isascii()
    assert "Traceback" not in shown.stderr
    wrong = _ascii("show", tmp_path / "wörld–")
    assert wrong.returncode == 2
    assert "Traceback" not in wrong.stderr


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_every_command_can_be_printed_anywhere(command: str):
    told = _ascii(command, "--help")
    assert told.returncode == 0
    assert "Traceback" not in told.stderr


# ---- numbers that can't be ----


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["explore", "--scenes", "0,0,0"], "names 0 more than once"),
        (["explore", "--scenes", "0-9,5"], "names 5 more than once"),
        (["explore", "--scenes", "0-999999,1000000-1999999"], "more than 1,000,000 seeds"),
        (["make", "osr-bench", "--scenes", "1,1"], "names 1 more than once"),
        (["eval", "theory-of-space", "--model", "tolman/scout", "--scenes", "0,0,0"], "names 0 more than once"),
        (["eval", "theory-of-space", "--model", "tolman/scout", "--scenes-at-once", "-1"], "--scenes-at-once is at"),
        (["eval", "osr-bench", "--model", "tolman/oracle", "--scenes-at-once", "0"], "--scenes-at-once is at least 1"),
        (["eval", "sparrta", "--model", "tolman/oracle", "--max-connections", "-3"], "--max-connections is at least 1"),
        (["eval", "theory-of-space", "--model", "tolman/scout", "--limit-cost", "-1"], "--limit-cost is more than 0"),
    ],
)
def test_numbers_that_can_not_be_are_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, here: Here, words: list[str], reason: str
):
    monkeypatch.chdir(tmp_path)
    told = here(*words)
    assert told.returncode == 2
    assert reason in told.stderr
    assert list(tmp_path.iterdir()) == []
