"""The oracle of the manifest: the greedy planner explores a world, and reaches the maximum of the reward.

`python oracle.py [SEED]` prints the return, in [0, 1].
"""
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

import sys

from tolman.core.seeds import FIRST_TRAINING_SEED
from tolman.env.openenv import Reply, TheoryOfSpace
from tolman.explore.agents.registry import make_text_explorer


def oracle_return(seed: int = FIRST_TRAINING_SEED) -> float:
    """The return of the greedy planner in a world, through the environment that is served."""
    environment = TheoryOfSpace()
    told = environment.reset(seed=seed)
    agent = make_text_explorer("greedy-planner", seed)
    total = 0.0
    while not told.done:
        told = environment.step(Reply(text=str(agent.act(environment.exploration.episode))))
        total += float(told.reward or 0.0)
    return total


if __name__ == "__main__":
    sys.stdout.write(f"{oracle_return(*map(int, sys.argv[1:2]))}\n")
