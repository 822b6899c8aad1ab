"""A run knows how to reproduce it: the command that was given, when, with which version; and a report says so."""

import datetime
import subprocess
from pathlib import Path

import pytest

from tests.command_line import Here
from tolman import __version__
from tolman.benchmarks.theory_of_space.runs import read_runs
from tolman.harness.origins import own_commit, release
from tolman.report.site.blocks import Code
from tolman.report.site.folder import report_command
from tolman.report.site.page import RunSettings, about_tab

GIVEN = ("--scenes", "3", "--mode", "passive", "--phases", "explore,ask", "--kinds", "direction", "--questions", "1")


def test_a_report_gives_the_commands_that_made_it_with_date_and_version(tmp_path: Path, here: Here):
    set_up = ("eval", "theory-of-space", "--model", "tolman/scout", *GIVEN, "--temperature", "0.5")
    assert here(*set_up, "--log-dir", tmp_path, "--display", "none", "--no-tables").returncode == 0
    (run,) = read_runs([tmp_path], pytest.fail)
    settings = RunSettings(run.name, "", run.settings, run.origins)
    terms = ("tolman.benchmarks.theory_of_space", "terms")
    tab = about_tab(terms, (), [settings], "tolman report logs", ("numbers.json", "numbers"))
    (code,) = [block for block in tab.blocks if isinstance(block, Code)]
    about, evaluation, made, report = code.text.splitlines()
    today = datetime.datetime.now(datetime.UTC).date()
    assert about in {f"# {today - datetime.timedelta(days)}, {release()}" for days in (0, 1)}
    given = (*set_up, "--log-dir", tmp_path.name)
    assert sorted(evaluation.split()[1:]) == sorted(given), "all that was given, and no default"
    assert made == f"# this report: {release()}"
    assert report == "tolman report logs"


def test_the_folder_that_logs_go_to_unless_told_is_not_named(
    tmp_path: Path, here: Here, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    here("eval", "theory-of-space", "--model", "tolman/scout", *GIVEN, "--display", "none", "--no-tables")
    (run,) = read_runs([Path("logs")], pytest.fail)
    assert [origin.command for origin in run.origins] == [
        "tolman eval theory-of-space --model tolman/scout --scenes 3 --mode passive --phases explore,ask --questions 1 "
        "--kinds direction"
    ]


def test_the_commit_is_that_of_the_checkout_from_which_tolman_runs():
    checkout = Path(__file__).parents[2]
    if not (checkout / ".git").exists():
        pytest.skip("not a checkout")
    asked = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    head = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    assert head.startswith(own_commit().removesuffix("+changes"))
    assert release() == f"Tolman {__version__} at commit {own_commit()}"


def test_a_report_command_names_folders_as_they_were_given_and_gives_no_whole_path_away(tmp_path: Path):
    paths = [Path("logs/theory-of-space"), tmp_path / "private" / "runs", Path("../other/sparrta")]
    told = report_command(paths, scripted=False, scores=Path("data/scores.csv"))
    assert told == "tolman report logs/theory-of-space runs sparrta --scores data/scores.csv"
