"""docs/exploration-patterns.md says what its results file holds, and that holds what the released runs give."""

import csv
import re
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean

import pytest

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER
from tolman.benchmarks.theory_of_space.columns import columns
from tolman.benchmarks.theory_of_space.released.replies import released_record
from tolman.benchmarks.theory_of_space.released.run_files import find_runs
from tolman.core.rules import STRICT

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "exploration-patterns.md").read_text(encoding="utf-8")
SHOWN = {
    "patterns": (
        "doorway",
        "in_place",
        "headings",
        "nothing_new",
        "same_view",
        "rooms_unseen",
        "left_early",
        "came_back",
    ),
    "text-vision": (
        "ask/none",
        "map/correctness/overall",
        "map/correctness/facing",
        "map/correctness/position",
        "revise/f1",
        "explore/nodes",
        "explore/cost",
    ),
}


def kept() -> list[dict[str, str]]:
    with (ROOT / "docs" / "results" / "exploration-patterns.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def cell(row: Mapping[str, str] | None, digits: int = 1) -> str:
    """A mean with its interval, as the page prints it."""
    if row is None:
        return "–"
    mean = f"{float(row['mean']):.{digits}f}".replace("-", "−")
    if row["low"] in ("", row["high"]):
        return mean
    low, high = (f"{float(row[end]):.{0 if digits == 1 else digits}f}".replace("-", "−") for end in ("low", "high"))
    return f"{mean} ({low} to {high})" if low.startswith("−") else f"{mean} ({low}–{high})"


def test_the_tables_are_those_of_the_kept_numbers():
    found = {(row["table"], row["setting"], row["run"], row["column"]): row for row in kept()}
    settings = dict.fromkeys((table, setting, run) for table, setting, run, _ in found if table in SHOWN)
    assert len(settings) == 10
    for table, setting, run in settings:
        if table == "patterns":
            keys = {name: (f"pattern/{name}", 2 if name == "headings" else 1) for name in SHOWN[table]}
            begin = f"| {setting.partition(',')[0]} | {run} | "
        else:
            keys = {name: (name, 1) for name in SHOWN[table]}
            begin = f"| {run}, {setting} | "
        cells = (cell(found.get((table, setting, run, key)), digits) for key, digits in keys.values())
        assert begin + " | ".join(cells) + " |" in PAGE


def test_every_number_of_the_paragraph_is_a_kept_one():
    paragraph = PAGE[PAGE.index("What they say") : PAGE.index("All released scenes")]
    known = {cell(row, digits) for row in kept() for digits in (1, 2)}
    stated = re.findall(r"−?\d+\.\d+ \([^)]*\)", paragraph)
    assert len(stated) == 21
    assert set(stated) <= known


@pytest.mark.slow
@pytest.mark.skipif(not FOLDER.is_dir(), reason="the released runs are not beside this checkout")
@pytest.mark.parametrize("model", ["gpt-5.2", "gemini-3-pro-preview"])
@pytest.mark.parametrize("world", ["text", "vision"])
def test_the_released_runs_give_the_kept_numbers(model: str, world: str):
    archives = [FOLDER / "runs-00-03.tar.xz", FOLDER / "runs-04-06.tar.xz"]
    runs = [
        run
        for archive in archives
        for run in find_runs(archive)
        if (run.model, run.world, run.exploration) == (model, world, "active")
    ]
    scenes = [columns(released_record(run).scores(STRICT)) for run in runs]
    assert len(scenes) == 7
    rows = [row for row in kept() if row["setting"] == f"{world}, active" and row["run"] == model]
    assert len(rows) == 15
    for row in rows:
        values = [value for scene in scenes for value in scene.get(row["column"], ())]
        scale = 1 if row["column"] == "pattern/headings" else 100
        assert scale * fmean(values) == pytest.approx(float(row["mean"]), rel=1e-4), row["column"]
