"""Information gain against action cost: checkpoints beside scripted explorers and released runs.

    python plot.py 12,000=transcripts/supervised-12000/3-rooms.csv --references references.csv --out learning.svg

Each argument is a label and a file of `evaluate.py --transcripts`. A curve is the mean over scenes of the gain reached
at each cost, with 95 % intervals; an exploration that has ended keeps its gain. References are made once and kept in a
file; points are those of released runs (mean cost and gain on their own scenes).
"""

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from evaluate import by_turn
from matplotlib.axes import Axes
from matplotlib.patheffects import withStroke

from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.explore.agents.registry import make_explorer
from tolman.models.scripted.reply import formatted_reply

COSTS = np.arange(0, 21)
REFERENCES = ("cautious-planner", "strategist", "scout", "random")
RELEASED = {"gpt-5.2": (8.5, 73.8), "gemini-3-pro-preview": (11.2, 71.9)}
"""Cost and information gain of the released text runs 00-03 under `strict`, as in the README (four scenes)."""
GREY, ORANGE = "#6a6f77", "#c1440e"
LABEL_HEIGHT = 5.0
"""Least distance between two names, in percent of gain."""


def reference_rows(names: Sequence[str], scenes: Sequence[int]) -> Iterator[list]:
    options = EnvironmentOptions(allow_test_scenes=True, budget=60)
    for name in names:
        for seed in scenes:
            exploration = Exploration(seed, options)
            explorer = make_explorer(name, exploration.case.scene, seed)
            while not exploration.over:
                exploration.reply(formatted_reply("", str(explorer.act(exploration.episode)), think=True))
            for scene, turn, cost, gain in by_turn(exploration):
                yield [name, scene, turn, cost, f"{gain:.3f}"]


def reached(rows: Sequence[dict[str, str]]) -> np.ndarray:
    """The gain in percent that was reached at each cost, (scenes, costs)."""
    scenes: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows:
        scenes[row["scene"]].append((int(row["cost"]), float(row["gain"])))
    gains = [[max((g for c, g in turns if c <= cost), default=0.0) for cost in COSTS] for turns in scenes.values()]
    return 100 * np.array(gains)


def interval(gains: np.ndarray, resamples: int = 2000) -> np.ndarray:
    """Ends of the 95 % bootstrap interval over scenes of the mean at each cost, (2, costs)."""
    drawn = np.random.default_rng(0).integers(len(gains), size=(resamples, len(gains)))
    return np.quantile(gains[drawn].mean(axis=1), (0.025, 0.975), axis=0)


def label_ends(axes: Axes, ends: dict[str, tuple[float, object]]) -> None:
    """Names at the right ends of their curves, from above, none on another."""
    below = np.inf
    for name, (height, colour) in sorted(ends.items(), key=lambda end: -end[1][0]):
        below = min(height, below - LABEL_HEIGHT)
        axes.annotate(name, (COSTS[-1] + 0.25, below), color=colour, va="center", fontsize=9, annotation_clip=False)


def read(file: Path) -> list[dict[str, str]]:
    with file.open() as lines:
        return list(csv.DictReader(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description="A figure of what was learnt.")
    parser.add_argument("curves", nargs="+", help="LABEL=FILE")
    parser.add_argument("--model", default="SmolLM2-135M", help="before each label")
    parser.add_argument("--references", type=Path, default=Path("references.csv"))
    parser.add_argument("--out", type=Path, default=Path("learning.svg"))
    arguments = parser.parse_args()
    if not arguments.references.exists():
        with arguments.references.open("w", newline="") as file:
            csv.writer(file).writerows([["explorer", "scene", "turn", "cost", "gain"]])
            csv.writer(file).writerows(reference_rows(REFERENCES, range(100)))
    references = read(arguments.references)
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "svg.hashsalt": "tolman"})
    figure, axes = plt.subplots(figsize=(8.4, 4.2), layout="constrained")
    ends: dict[str, tuple[float, object]] = {}
    for name, style in zip(REFERENCES, ("-", "--", "-.", ":"), strict=True):
        means = reached([row for row in references if row["explorer"] == name]).mean(axis=0)
        axes.plot(COSTS, means, style, color=GREY, linewidth=1.4)
        ends[name] = means[-1], GREY
    shades = plt.get_cmap("viridis")(np.linspace(0.15, 0.55, len(arguments.curves)))
    for each, shade in zip(arguments.curves, shades, strict=True):
        label, _, file = each.partition("=")
        gains = reached(read(Path(file)))
        axes.fill_between(COSTS, *interval(gains), color=shade, alpha=0.2, linewidth=0)
        axes.plot(COSTS, gains.mean(axis=0), color=shade, linewidth=2.4)
        ends[f"{arguments.model}, {label}"] = gains.mean(axis=0)[-1], shade
    label_ends(axes, ends)
    for (name, (cost, gain)), mark in zip(RELEASED.items(), ("o", "s"), strict=True):
        axes.plot([cost], [gain], mark, color=ORANGE, markersize=7)
        halo = [withStroke(linewidth=3, foreground="white")]
        axes.annotate(f"{name}*", (cost + 0.35, gain - 4), color=ORANGE, fontsize=9, path_effects=halo)
    axes.annotate("* released runs, four scenes of their own", (20, 3), color=ORANGE, fontsize=9, ha="right")
    axes.set(xlabel="action cost so far", ylabel="information gain, %", xlim=(0, 20), ylim=(0, 103), xticks=COSTS[::2])
    axes.grid(color="#e4e6e9", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(arguments.out, metadata={"Date": None} if arguments.out.suffix == ".svg" else None, dpi=200)


if __name__ == "__main__":
    main()
