"""Information gain against action cost: checkpoints beside scripted explorers and released runs.

    python plot.py 12,000=transcripts/supervised-12000/3-rooms.csv --references references.csv --out learning.svg

Each argument is a label and a file of `evaluate.py --transcripts`. A curve is the mean over scenes of the gain reached
at each cost; an exploration that has ended keeps its gain. References are made once and kept in a file; points are
those of released runs (mean cost and gain on their own scenes).
"""

import argparse
import csv
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from evaluate import by_turn

from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.explore.agents.registry import make_explorer
from tolman.models.scripted.reply import formatted_reply

COSTS = np.arange(0, 21)
REFERENCES = ("greedy-planner", "strategist", "scout", "random")
RELEASED = {"gpt-5.2": (8.5, 73.8), "gemini-3-pro-preview": (11.2, 71.9)}
"""Cost and information gain of the released text runs 00-03 under `strict`, as in the README (four scenes)."""


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


def curve(rows: Sequence[dict[str, str]]) -> np.ndarray:
    """Mean gain in percent over scenes at each cost."""
    scenes: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for row in rows:
        scenes[row["scene"]].append((int(row["cost"]), float(row["gain"])))
    reached = [[max((g for c, g in turns if c <= cost), default=0.0) for cost in COSTS] for turns in scenes.values()]
    return 100 * np.mean(reached, axis=0)


def read(file: Path) -> list[dict[str, str]]:
    with file.open() as lines:
        return list(csv.DictReader(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description="A figure of what was learnt.")
    parser.add_argument("curves", nargs="+", help="LABEL=FILE")
    parser.add_argument("--references", type=Path, default=Path("references.csv"))
    parser.add_argument("--out", type=Path, default=Path("learning.svg"))
    arguments = parser.parse_args()
    if not arguments.references.exists():
        with arguments.references.open("w", newline="") as file:
            csv.writer(file).writerows([["explorer", "scene", "turn", "cost", "gain"]])
            csv.writer(file).writerows(reference_rows(REFERENCES, range(100)))
    references = read(arguments.references)
    plt.rcParams.update({"font.family": "DejaVu Sans", "font.size": 10, "svg.hashsalt": "tolman"})
    figure, axes = plt.subplots(figsize=(7.2, 4.2), layout="constrained")
    for name, style in zip(REFERENCES, ("-", "--", "-.", ":"), strict=True):
        rows = [row for row in references if row["explorer"] == name]
        axes.plot(COSTS, curve(rows), style, color="#7a7f87", linewidth=1.4, label=name)
    shades = plt.get_cmap("viridis")(np.linspace(0.15, 0.75, len(arguments.curves)))
    for each, shade in zip(arguments.curves, shades, strict=True):
        label, _, file = each.partition("=")
        axes.plot(COSTS, curve(read(Path(file))), color=shade, linewidth=2.4, label=f"SmolLM2-135M, {label}")
    for (name, (cost, gain)), mark in zip(RELEASED.items(), ("o", "s"), strict=True):
        axes.plot([cost], [gain], mark, color="#c1440e", markersize=7, label=f"{name}, released runs")
    axes.set(xlabel="action cost so far", ylabel="information gain, %", xlim=(0, 20), ylim=(0, 103), xticks=COSTS[::2])
    axes.grid(color="#e4e6e9", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower right", framealpha=1, edgecolor="none", fontsize=9)
    figure.savefig(arguments.out, metadata={"Date": None} if arguments.out.suffix == ".svg" else None, dpi=200)


if __name__ == "__main__":
    main()
