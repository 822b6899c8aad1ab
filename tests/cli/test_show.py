"""`tolman show`: its tables, its file of numbers, and what it says where there is nothing to show."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from tests.benchmarks.theory_of_space.logged_runs import OPTIONS, lived, sample, write_log
from tests.command_line import Here
from tolman.cli.show import print_tables


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of a known width that knows no colours."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "dumb")


def test_tables_of_several_folders_and_a_file_of_all_numbers(tmp_path: Path, here: Here):
    scenes = [sample(lived(seed, looks=1 + seed)) for seed in range(3)]
    write_log(tmp_path / "one", scenes, model="openai/first")
    file = write_log(tmp_path / "two", scenes, model="openai/second")
    (tmp_path / "one" / "broken.eval").write_bytes(b"nothing of the kind")
    numbers = tmp_path / "deep" / "numbers.json"
    shown = here("show", tmp_path / "one", file, "--rules", "strict", "--json", numbers)
    assert shown.returncode == 0, shown.stderr
    assert "openai/first" in shown.stdout
    assert "openai/second" in shown.stdout
    assert "broken.eval" in shown.stderr.strip().splitlines()[0]
    assert "Traceback" not in shown.stderr
    first, second = json.loads(numbers.read_text(encoding="utf-8"))["runs"]
    assert first["scores"] == second["scores"]
    cost = first["scores"]["published"]["columns"]["explore/cost"]
    assert (cost["mean"], list(cost["by_scene"].values())) == (2.0, [[1.0], [2.0], [3.0]])
    assert "2.0" in shown.stdout


def test_columns_are_explained_where_that_is_asked_for(tmp_path: Path, here: Here):
    write_log(tmp_path, [sample(lived(0))])
    gain = "Exploration, information gain: How far the evidence determines all positions"
    assert gain in here("show", tmp_path, "--explain").stdout
    assert gain not in here("show", tmp_path).stdout


def test_tables_are_printed_for_other_programs(tmp_path: Path, here: Here):
    write_log(tmp_path, [sample(lived(seed, looks=1 + seed)) for seed in range(3)], model="openai/first")
    tables = json.loads(here("show", tmp_path, "--format", "json").stdout)
    assert [table["name"] for table in tables][:3] == ["answers-none", "belief", "revision"]
    row = tables[0]["rows"][0]
    assert row["run"].startswith("openai/first")
    assert row["cells"]["explore/cost"]["mean"] == 2.0
    lines = here("show", tmp_path, "--format", "csv").stdout.splitlines()
    assert lines[0] == "# Answers, %"
    assert "explore/cost" in lines[1].split(",")
    assert "\\begin{tabular}" in here("show", tmp_path, "--format", "latex").stdout
    assert here("show", tmp_path, "--format", "markdown").stdout.startswith("**Answers, %**")


def test_a_folder_without_logs_ends_with_one_line_that_says_what_to_do(tmp_path: Path, here: Here):
    shown = here("show", tmp_path)
    assert shown.returncode == 2
    assert len(shown.stderr.strip().splitlines()) == 1
    assert "tolman eval" in shown.stderr
    assert shown.stdout == ""


def test_tables_can_be_printed_to_any_console(tmp_path: Path):
    write_log(tmp_path, [sample(lived(seed)) for seed in range(3)], options=OPTIONS)
    console = Console(file=StringIO(), width=80)
    print_tables([tmp_path], console)
    assert isinstance(console.file, StringIO)
    assert "Reliability" in console.file.getvalue()
