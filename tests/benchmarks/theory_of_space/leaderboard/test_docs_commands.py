"""Every command in docs/leaderboard.md is run, in order; logs of scripted models stand for evaluations."""

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.benchmarks.theory_of_space.leaderboard.entries import SHORT, log_of
from tests.benchmarks.theory_of_space.leaderboard.test_board import command
from tests.benchmarks.theory_of_space.logged_runs import passive, sample, write_log
from tests.benchmarks.theory_of_space.scripted_runs import scripted_case
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.world.select import choose_scenes

GUIDE = Path(__file__).parents[4] / "docs" / "leaderboard.md"


def commands() -> list[str]:
    blocks = re.findall(r"```console\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def evaluate(words: list[str]) -> None:
    """What the evaluation would leave."""
    if "sealed.json" in words:
        cases = [case_of(choice, SHORT) for choice in choose_scenes("sealed.json")]
        write_log(Path("sealed-logs"), [sample(scripted_case("scout", case, SHORT)) for case in cases], options=SHORT)
    else:
        for options in (SHORT, passive(SHORT)):
            log_of(Path("logs/theory-of-space/tolman-scout"), "scout", options)


def test_every_command_of_the_guide_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shown: dict[str, str] = {}
    commitment = ""
    for line in commands():
        program, *words = shlex.split(line.replace("--scenes 100", "--scenes 2").replace("COMMITMENT", commitment))
        if program == "cp":
            shutil.copy(*words)
        elif words[0] == "eval":
            evaluate(words)
        else:
            assert command(*words) == 0, line
            shown[line] = capsys.readouterr().out
            commitment = shown[line].strip() if words[0] == "seal" else commitment
    first, _, last = (text for line, text in shown.items() if line.startswith("tolman board"))
    assert "Scout" in first
    assert "2 scenes of the sealed split" in last
    assert (tmp_path / "entries" / "scout-text-passive.json").is_file()
    assert (tmp_path / "board" / "index.html").is_file()
