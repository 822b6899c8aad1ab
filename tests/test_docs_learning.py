"""The numbers of docs/learning.md are those of the rows in docs/results."""

import csv
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "learning.md").read_text("utf-8")
RUNS = ["counts 1000", "counts 8000", "route 1000", "route 2000", "view and route 12000", "ranges 8205"]
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
    lines = re.findall(r"^\|[^|]*\| (\d+,\d+) \|(.*)\|$", PAGE, re.MULTILINE)
    stated_worlds, line = lines[RUNS.index(run)]
    assert stated_worlds.replace(",", "") == worlds
    stated = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", line)]
    for place, (column, scale) in enumerate((("gain", 100), ("cost", 1), ("failed", 100))):
        mean, low, high = mean_and_interval([scale * float(row[column]) for row in found])
        assert stated[3 * place] == pytest.approx(mean, abs=0.051)
        assert stated[3 * place + 1 : 3 * place + 3] == pytest.approx([low, high], abs=0.7)


def gains_at_a_cost_of_twelve(file: str) -> dict[str, float]:
    scenes: dict[str, float] = {row["scene"]: 0.0 for row in rows(file)}
    for row in rows(file):
        if int(row["cost"]) <= 12:
            scenes[row["scene"]] = max(scenes[row["scene"]], 100 * float(row["gain"]))
    return scenes


def test_ranges_against_the_reasoning_before_at_a_cost_of_twelve() -> None:
    ranges, before = (gains_at_a_cost_of_twelve(f"learning-turns{end}.csv") for end in ("-ranges", ""))
    mean, low, high = mean_and_interval(list(ranges.values()))
    assert f"at a cost of 12 a gain of {mean:.1f} ({low:.1f}–{high:.1f})" in PAGE
    mean, low, high = mean_and_interval([gain - before[scene] for scene, gain in ranges.items()])
    assert f"{mean:.1f} (−{-low:.1f} to {high:.1f}, paired by scene) more" in PAGE


@pytest.mark.parametrize(
    ("said", "right", "among"),
    [
        ("what it stated before, stated again as known", "known as stated before", "joined"),
        ("where a look puts something that was told before (a sum)", "sum right, told again", "told again"),
        ("where a look puts something that is told for the first time", "sum right, told first", "told first"),
        ("positions stated as certain that are", "points that are certain", "points"),
    ],
)
def test_what_a_model_computes(said: str, right: str, among: str) -> None:
    counts = {row["what"]: int(row["statements"]) for row in rows("learning-ranges.csv")}
    assert f"| {said} | {counts[right]:,} | {counts[among]:,} |" in PAGE
    common = counts["joined"] - counts["nothing in both"]
    assert f"| both have something in common | {common} | {counts['joined']} |" in PAGE


def test_the_gain_at_a_cost_of_twelve_and_scenes_that_ended() -> None:
    scenes: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows("learning-turns.csv"):
        scenes[row["scene"]].append((int(row["cost"]), 100 * float(row["gain"])))
    reached = [max(gain for cost, gain in turns if cost <= 12) for turns in scenes.values()]
    mean, low, high = mean_and_interval(reached)
    assert f"At a cost of 12 it has gained {mean:.1f} ({low:.1f}–{high:.1f})" in PAGE
    assert f"({sum(len(turns) < 20 for turns in scenes.values())} of 100 scenes" in PAGE
