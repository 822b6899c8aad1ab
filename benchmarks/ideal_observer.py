"""CPU seconds of the ideal observer for one scene: ceilings of 27 questions and of its maps, regret, by observer and
explorer.

python benchmarks/ideal_observer.py --scenes 20
"""

import argparse
import asyncio
import time
from dataclasses import replace
from statistics import fmean, median

from tests.benchmarks.theory_of_space.logged_runs import case
from tests.benchmarks.theory_of_space.plain_stage import PlainStage, scripted

from tolman.benchmarks.theory_of_space.calibration import EXPLORERS, explored
from tolman.benchmarks.theory_of_space.ideal_observer import scene_insight
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.core.rules import STRICT

OPTIONS = replace(Options(phases=("explore", "probe", "ask")), mode="passive", probe="every")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scenes", type=int, default=20)
    parser.add_argument("--first", type=int, default=1000)
    options = parser.parse_args()
    print("| observer | explorer | CPU s per scene: mean | median | most |\n|---|---|---|---|---|")
    every: dict[str, list[float]] = {"relations": [], "generative": []}
    for explorer in EXPLORERS:
        scenes = [_played(explorer, seed) for seed in range(options.first, options.first + options.scenes)]
        for observer in ("relations", "generative"):
            took: list[float] = []
            for scene in scenes:
                scores = scene.scores(STRICT)
                begin = time.process_time()
                scene_insight(scene, scores, observer)
                took.append(time.process_time() - begin)
            every[observer] += took
            print(f"| {observer} | {explorer} | {fmean(took):.2f} | {median(took):.2f} | {max(took):.2f} |", flush=True)
    for observer, took in every.items():
        print(f"| {observer} | all | {fmean(took):.2f} | {median(took):.2f} | {max(took):.2f} |")


def _played(explorer: str, seed: int) -> ScoredCase:
    """A scripted model that reads an explorer's log, states a map after every turn, and answers."""
    settings = replace(OPTIONS, explorer=explorer)
    of, stage = case(seed, settings), PlainStage(scripted("scout"))
    log = explored(explorer, of.scene, seed)
    asyncio.run(SceneRun(of, settings, stage).run(log))
    return ScoredCase(of, settings, stage.record([str(turn.asked) for turn in log.turns]))


if __name__ == "__main__":
    main()
