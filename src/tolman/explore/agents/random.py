"""Random: a look from anywhere in sight, any way, until a coin says stop. The floor that exploration stands on."""

import numpy as np

from tolman.core.seeds import rng
from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate, Term
from tolman.explore.agents.registry import Explorer, explorer, text_explorer
from tolman.explore.episode import AgentHistory, Turn
from tolman.sense import Observation
from tolman.world import Scene

MEAN_LOOKS = 12
"""About as many looks as models take; the published budget of 20 turns also ends it."""
_BUDGET = 20


@explorer("random")
def random_explorer(scene: Scene, seed: int) -> Explorer:
    """A random walker; it never looks at the scene, only at what it was told."""
    del scene
    return RandomExplorer(seed)


@text_explorer("random")
class RandomExplorer:
    """Each turn: perhaps go to something in the last view, turn to a random heading, and look."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def act(self, heard: AgentHistory) -> Actions:
        """A random look, or the end. All draws before it are made again, so it depends on what was heard only."""
        stream = rng(self._seed, "random explorer")
        for taken in range(len(heard.turns)):
            _draw(stream, heard.turns[:taken])
        return _draw(stream, heard.turns)


def _draw(stream: np.random.Generator, turns: tuple[Turn, ...]) -> Actions:
    if len(turns) >= _BUDGET or (turns and stream.random() < 1 / MEAN_LOOKS):
        return Actions((), Term())
    moves: list[Move] = []
    told = turns[-1].told if turns else None
    if isinstance(told, Observation) and told.names and stream.random() < 0.5:
        moves.append(Goto(told.names[int(stream.integers(len(told.names)))]))
    degrees = (0, 90, 180, -90)[int(stream.integers(4))]
    if degrees:
        moves.append(Rotate(degrees))
    return Actions(tuple(moves), Observe())
