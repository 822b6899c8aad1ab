"""The numbers of docs/learning.md are those of the rows in docs/results."""

import csv
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "learning.md").read_text("utf-8")
RUNS = ["counts 1000", "counts 8000", "route 1000", "route 2000", "view and route 12000"]
"""In the order of the table."""


def rows(file: str) -> list[dict[str, str]]:
    with (DOCS / "results" / file).open() as lines:
        return list(csv.DictReader(lines))


def mean_and_interval(values: list[float]) -> list[float]:
    drawn = np.array(values)[np.random.default_rng(0).integers(len(values), size=(4000, len(values)))].mean(axis=1)
    return [float(np.mean(values)), *np.percentile(drawn, [2.5, 97.5]).tolist()]


@pytest.mark.parametrize("run", RUNS)
def test_a_row_of_the_table(run: str) -> None:
    reasoning, worlds = run.rsplit(" ", 1)
    found = [row for row in rows("learning.csv") if (row["reasoning"], row["worlds"]) == (reasoning, worlds)]
    assert [int(row["scene"]) for row in found] == list(range(100))
    lines = re.findall(r"^\|[^|]*\| (\d+,000) \|(.*)\|$", PAGE, re.MULTILINE)
    stated_worlds, line = lines[RUNS.index(run)]
    assert stated_worlds.replace(",", "") == worlds
    stated = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", line)]
    for place, (column, scale) in enumerate((("gain", 100), ("cost", 1), ("failed", 100))):
        mean, low, high = mean_and_interval([scale * float(row[column]) for row in found])
        assert stated[3 * place] == pytest.approx(mean, abs=0.051)
        assert stated[3 * place + 1 : 3 * place + 3] == pytest.approx([low, high], abs=0.7)


def test_the_gain_at_a_cost_of_twelve_and_scenes_that_ended() -> None:
    scenes: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows("learning-turns.csv"):
        scenes[row["scene"]].append((int(row["cost"]), 100 * float(row["gain"])))
    reached = [max(gain for cost, gain in turns if cost <= 12) for turns in scenes.values()]
    mean, low, high = mean_and_interval(reached)
    assert f"At a cost of 12 it has gained {mean:.1f} ({low:.1f}–{high:.1f})" in PAGE
    assert f"({sum(len(turns) < 20 for turns in scenes.values())} of 100 scenes" in PAGE
