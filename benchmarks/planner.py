"""What explorers pay to be certain of every position, against the cheapest exploration, and CPU seconds a decision.

python benchmarks/planner.py --scenes 3000-3049 --agents greedy-planner,planner --horizons 0,2
"""

import argparse
import time
from collections.abc import Iterator
from statistics import fmean, stdev

from tolman.explore.agents.registry import SCRIPTED_BUDGET, make_explorer
from tolman.explore.cheapest import regret
from tolman.explore.episode import Episode, step
from tolman.explore.summary import gain_per_turn
from tolman.world.select import choose_scenes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", default="3000-3049")
    parser.add_argument("--agents", default="greedy-planner,planner,oracle,perfect")
    parser.add_argument("--horizons", default="", help="of the planner, beside its own choice")
    options = parser.parse_args()
    print("| agent | cost (standard error) | information gain | regret | CPU s a decision: mean | most |")
    print("|---|---|---|---|---|---|")
    for agent, horizon in _agents(options.agents, options.horizons):
        costs: list[int] = []
        gains: list[float] = []
        regrets: list[int] = []
        seconds: list[float] = []
        for choice in choose_scenes(options.scenes):
            episode = Episode(choice.load(), SCRIPTED_BUDGET)
            explorer = make_explorer(agent, episode.scene, choice.seed, horizon)
            while not episode.over:
                begin = time.process_time()
                actions = explorer.act(episode)
                seconds.append(time.process_time() - begin)
                episode = step(episode, actions)
            costs.append(episode.cost())
            gains.append(gain_per_turn(episode)[-1])
            found = regret(episode)
            regrets += [] if found is None else [found.value]
        name = agent if horizon is None else f"{agent}, horizon {horizon}"
        error = stdev(costs) / len(costs) ** 0.5 if len(costs) > 1 else 0.0
        print(
            f"| {name} | {fmean(costs):.2f} ({error:.2f}) | {100 * fmean(gains):.1f} | {fmean(regrets):.2f} "
            f"| {fmean(seconds):.3f} | {max(seconds):.2f} |",
            flush=True,
        )


def _agents(names: str, horizons: str) -> Iterator[tuple[str, int | None]]:
    for name in names.split(","):
        if name == "planner":
            yield from ((name, int(horizon)) for horizon in horizons.split(",") if horizon)
        yield name, None


if __name__ == "__main__":
    main()
