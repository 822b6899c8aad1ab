"""The numbers of docs/learning.md are those of the rows in docs/results."""

import csv
import re
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "learning.md").read_text("utf-8")
RUNS = [
    "counts 1000",
    "counts 8000",
    "route 1000",
    "route 2000",
    "view and route 12000",
    "ranges 8205",
    "ranges with sums 4000",
    "ranges with sums 13991",
    "ranges by steps 39416",
    "ranges in full 27268",
]
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


def gains_at_a_cost(file: str, most: int = 12) -> dict[str, float]:
    scenes: dict[str, float] = {row["scene"]: 0.0 for row in rows(file)}
    for row in rows(file):
        if int(row["cost"]) <= most:
            scenes[row["scene"]] = max(scenes[row["scene"]], 100 * float(row["gain"]))
    return scenes


def test_ranges_against_the_reasoning_before_at_a_cost_of_twelve() -> None:
    ranges, before = (gains_at_a_cost(f"learning-turns{end}.csv") for end in ("-ranges", ""))
    mean, low, high = mean_and_interval(list(ranges.values()))
    assert f"At a cost of 12 a gain of {mean:.1f} ({low:.1f}–{high:.1f})" in PAGE
    mean, low, high = mean_and_interval([gain - before[scene] for scene, gain in ranges.items()])
    assert f"{mean:.1f} (−{-low:.1f} to {high:.1f}, paired by scene) more" in PAGE


def test_the_second_model_with_ranges_against_the_first() -> None:
    second, first, before = (f"learning-turns{end}.csv" for end in ("-ranges-with-sums", "-ranges", ""))
    text = " ".join(PAGE.split())
    gains, others = gains_at_a_cost(second), gains_at_a_cost(first)
    mean, low, high = mean_and_interval(list(gains.values()))
    less, least, most = mean_and_interval([others[scene] - gain for scene, gain in gains.items()])
    stated = f"{mean:.1f} ({low:.1f}–{high:.1f}), {less:.1f} ({least:.1f}–{most:.1f}) less"
    assert f"with a gain at a cost of 12 of {stated}" in text
    six, six_before = (np.mean(list(gains_at_a_cost(file, 6).values())) for file in (second, before))
    assert f"({six:.1f} against {six_before:.1f} of the model of 12,000 worlds)" in text
    costs = {
        reasoning: {row["scene"]: float(row["cost"]) for row in rows("learning.csv") if named(row) == reasoning}
        for reasoning in ("ranges 8205", "ranges with sums 13991")
    }
    saved = [costs["ranges 8205"][scene] - cost for scene, cost in costs["ranges with sums 13991"].items()]
    mean, low, high = mean_and_interval(saved)
    assert f"It pays {mean:.1f} ({low:.1f}–{high:.1f}) less" in text
    found = [row for row in rows("learning.csv") if named(row) == "ranges with sums 13991"]
    failures = sorted((round(float(row["failed"]) * int(row["turns"])) for row in found), reverse=True)
    assert f"In {failures.count(0)} scenes no turn fails, and seven account for {sum(failures[:7])} of" in text
    shown = {row["what"]: row["13991"] for row in counted()}
    assert sum(failures) == int(shown["failed turns"])
    legs = shown["failed at a second or third leg that no look has shown"]
    assert f"of {sum(failures)} failures: {legs} of these go to a second or third place" in text


def test_the_model_that_writes_down_all_that_it_needs() -> None:
    text = " ".join(PAGE.split())
    gains, first = (gains_at_a_cost(f"learning-turns-ranges{end}.csv") for end in ("-in-full", ""))
    mean, low, high = mean_and_interval(list(gains.values()))
    assert f"has {mean:.1f} ({low:.1f}–{high:.1f}) at a cost of 12" in text
    mean, low, high = mean_and_interval([gain - first[scene] for scene, gain in gains.items()])
    assert f"it has gained {mean:.1f} ({low:.1f}–{high:.1f}, paired by scene) more than the model of 8,205" in text
    found = [row for row in rows("learning.csv") if named(row) == "ranges in full 27268"]
    without = [row for row in found if not float(row["failed"])]
    gain, cost = ([scale * float(row[column]) for row in without] for column, scale in (("gain", 100), ("cost", 1)))
    (gained, *ends), (paid, *bounds) = mean_and_interval(gain), mean_and_interval(cost)
    stated = f"{gained:.1f} ({ends[0]:.1f}–{ends[1]:.1f}) for {paid:.1f} ({bounds[0]:.1f}–{bounds[1]:.1f})"
    assert f"In the {len(without)} scenes in which no turn fails the model of 27,268 readings gains {stated}" in text
    failures = sorted((round(float(row["failed"]) * int(row["turns"])) for row in found), reverse=True)
    assert f"twelve account for {sum(failures[:12])} of the {sum(failures)} failures" in text
    assert failures[0] == 11
    assert "says the same again, up to eleven times" in text


def named(row: dict[str, str]) -> str:
    return f"{row['reasoning']} {row['worlds']}"


def test_four_rooms() -> None:
    found: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in rows("learning-four-rooms.csv"):
        found[row["explorer"]].append((100 * float(row["gain"]), float(row["cost"])))
    model = [mean_and_interval(list(values)) for values in zip(*found["ranges with sums 13991"], strict=True)]
    (gain, *gains), (cost, *costs) = ((f"{each:.1f}" for each in numbers) for numbers in model)
    text = " ".join(PAGE.split())
    assert f"gains {gain} ({gains[0]}–{gains[1]}) for {cost} ({costs[0]}–{costs[1]})" in text
    scout, strategist, greedy = (np.mean(found[name], axis=0) for name in ("scout", "strategist", "greedy-planner"))
    assert f"the scout pays {scout[1]:.1f} for {scout[0]:.1f}, the strategist {strategist[1]:.1f} for" in text
    assert f"for {strategist[0]:.1f}, the greedy planner {greedy[1]:.1f} for {greedy[0]:.0f}" in text


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
    first, second = ({row["what"]: int(row[run] or 0) for row in counted()} for run in ("8205", "13991"))
    pairs = (f"{counts[part]:,}" for counts in (first, second) for part in (right, among))
    assert f"| {said} | {' | '.join(pairs)} |" in PAGE
    overlaps = (f"{n['joined'] - n['nothing in both']} | {n['joined']}" for n in (first, second))
    assert f"| both have something in common | {' | '.join(overlaps)} |" in PAGE
    true, near = (second[f"points {part}"] for part in ("that are true", "within a step of the truth"))
    assert f"{100 * true / second['points']:.0f} % are true and {100 * near / second['points']:.0f} % within" in PAGE
    assert f"calls {second['points'] - second['points that are certain']} positions certain that are not" in PAGE


@pytest.mark.parametrize(
    ("said", "right", "among"),
    [
        ("ranges, stated again as before", "stated again as before", "stated again"),
        ("displacements between two ranges", "between two ranges, right", "between two ranges"),
        (
            "what was told of the two, of those of which something was told",
            "told of the two in these words",
            "told of the two",
        ),
        ("displacements that fit both", "displacements that fit, right", "told of the two"),
        ("what is left of the ranges", "what remains, right", "what remains"),
        ("positions that it calls certain, which are", "points that are certain", "points"),
    ],
)
def test_what_the_model_with_ranges_in_full_computes(said: str, right: str, among: str) -> None:
    counts = {row["what"]: int(row["statements"]) for row in rows("learning-ranges-in-full.csv")}
    assert f"| {said} | {counts[right]:,} | {counts[among]:,} |" in PAGE
    ended, told = (
        counts["positions that end as points"],
        counts["positions that would end as points if no step was left out"],
    )
    assert f"{ended} of {counts['positions']} positions end as points, while {told} would" in " ".join(PAGE.split())


OTHER_WORLDS = {
    "2 rooms": "2-rooms",
    "4 rooms (never trained on)": "4-rooms",
    "3 rooms, names never trained on": "unseen-names",
}


def test_other_worlds_and_maps() -> None:
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows("learning-other-worlds.csv"):
        found[row["test"]].append(row)
    (maps,) = (values for test, values in found.items() if test == "map")
    mean, low, high = mean_and_interval([100 * float(row["score"]) for row in maps])
    assert f"of scenes 0–{len(maps) - 1} after its own explorations score {mean:.1f} ({low:.1f}–{high:.1f})" in PAGE
    gain, cost = (np.mean([float(row[column]) for row in maps]) for column in ("gain", "cost"))
    assert f"information gain {100 * gain:.1f}, cost {cost:.1f};" in PAGE
    lines = re.findall(r"^\| (.*?) \| (\d+) \| (.*) \| [\d.–]+ \|$", PAGE, re.MULTILINE)
    stated = {OTHER_WORLDS[label]: (int(count), numbers) for label, count, numbers in lines if label in OTHER_WORLDS}
    assert stated.keys() == found.keys() - {"map"}
    for test, (count, numbers) in stated.items():
        assert [int(row["scene"]) for row in found[test]] == list(range(count))
        said = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", numbers)]
        for place, (column, scale) in enumerate((("gain", 100), ("cost", 1), ("failed", 100))):
            values = mean_and_interval([scale * float(row[column]) for row in found[test]])
            assert said[3 * place : 3 * place + 3] == pytest.approx(values, abs=0.051)


SMALL = re.findall(r"^\| ([\d,]+) \| ([\d\w ]+) \| (\d+) \| (.*) \|$", PAGE, re.MULTILINE)
"""Readings, test, scenes and scores of the model that was trained without a GPU."""


@pytest.mark.parametrize(("readings", "test", "scenes", "scores"), SMALL)
def test_a_row_of_the_model_from_nothing(readings: str, test: str, scenes: str, scores: str) -> None:
    own = (readings.replace(",", ""), test.replace(" ", "-"))
    found = [row for row in rows("learning-cpu.csv") if (row["readings"], row["test"]) == own]
    assert [int(row["scene"]) for row in found] == list(range(int(scenes)))
    stated = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", scores)]
    for place, (column, scale) in enumerate((("gain", 100), ("cost", 1), ("failed", 100))):
        mean, low, high = mean_and_interval([scale * float(row[column]) for row in found])
        assert stated[3 * place] == pytest.approx(mean, abs=0.051)
        assert stated[3 * place + 1 : 3 * place + 3] == pytest.approx([low, high], abs=0.9)


def test_what_is_said_of_the_model_from_nothing() -> None:
    assert len(SMALL) >= 5
    text = " ".join(PAGE.split())
    turns = [row for row in rows("learning-cpu-turns.csv") if row["readings"] == "13775"]
    for cost, said in ((8, "At a cost of 8 the model of 13,775 readings has gained"), (11, ", at 11"), (12, ", at 12")):
        scenes = {row["scene"]: 0.0 for row in turns}
        for row in turns:
            if int(row["cost"]) <= cost:
                scenes[row["scene"]] = max(scenes[row["scene"]], 100 * float(row["gain"]))
        mean, low, high = mean_and_interval(list(scenes.values()))
        assert f"{said} {mean:.1f} ({low:.1f}–{high:.1f})" in text
    n = {row["what"]: f"{int(row['statements']):,}" for row in rows("learning-cpu-statements.csv")}
    success = f"{n['places right, after success']} of {n['poses, after success']} cases and its heading in"
    failure = f"{n['places right, after a failure']} and {n['headings right, after a failure']} of"
    assert f"{success} {n['headings right, after success']}, after one that failed in {failure}" in text
    first, later = (f"{when} at a place" for when in ("first reply", "later replies"))
    assert f"({n[f'views stated right, {first}']} of {n[f'views shown, {first}']} right)" in text
    assert f"it recalls {n[f'views stated right, {later}']} of {n[f'views shown, {later}']}" in text
    assert (
        f"Of {n['stated as certain']} positions that it calls certain {n['stated as certain, which is right']}" in text
    )


def test_maps_and_answers_by_the_evaluation() -> None:
    (line,) = re.findall(r"^\| SmolLM2-135M, 13,991 worlds, ranges \| 0–19 \|(.*)\|$", PAGE, re.MULTILINE)
    stated = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", line)]
    found = rows("learning-eval.csv")
    assert [int(row["scene"]) for row in found] == list(range(20))
    scales = {"cost": 1, "gain": 100, "map": 100, "positions": 100, "facings": 100, "answers": 100}
    for place, (column, scale) in enumerate(scales.items()):
        mean = float(np.mean([scale * float(row[column]) for row in found]))
        assert stated[3 * place] == pytest.approx(mean, abs=0.051)
        assert stated[3 * place + 1] < mean < stated[3 * place + 2]
    parsed = [100 * float(row["map"]) for row in found if float(row["map"])]
    assert f"The other {len(parsed)} average {np.mean(parsed):.1f}" in PAGE


def counted() -> list[dict[str, str]]:
    return rows("learning-ranges.csv")


def test_the_gain_at_a_cost_of_twelve_and_scenes_that_ended() -> None:
    scenes: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows("learning-turns.csv"):
        scenes[row["scene"]].append((int(row["cost"]), 100 * float(row["gain"])))
    reached = [max(gain for cost, gain in turns if cost <= 12) for turns in scenes.values()]
    mean, low, high = mean_and_interval(reached)
    assert f"and {mean:.1f} ({low:.1f}–{high:.1f}) at a cost of 12" in PAGE
    assert f"({sum(len(turns) < 20 for turns in scenes.values())} of 100 scenes" in PAGE
