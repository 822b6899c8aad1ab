"""Random: moves and turns at random and ends at random. The lower baseline of exploration."""

import numpy as np

from tolman.core.seeds import rng
from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate, Term
from tolman.explore.agents.registry import text_explorer
from tolman.explore.episode import AgentHistory, Turn
from tolman.sense import Observation

MEAN_LOOKS = 12
"""Mean number of turns, about that of models; the published budget of 20 turns also ends it."""
_BUDGET = 20


@text_explorer("random")
class RandomExplorer:
    """Each turn: with probability 1/2 go to something in the last view, rotate at random, and observe."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def act(self, history: AgentHistory) -> Actions:
        """A random turn. All draws before it are repeated, so it is a function of seed and history."""
        stream = rng(self._seed, "random explorer")
        for taken in range(len(history.turns)):
            _draw(stream, history.turns[:taken])
        return _draw(stream, history.turns)


def _draw(stream: np.random.Generator, turns: tuple[Turn, ...]) -> Actions:
    if len(turns) >= _BUDGET or (turns and stream.random() < 1 / MEAN_LOOKS):
        return Actions((), Term())
    moves: list[Move] = []
    view = turns[-1].feedback if turns else None
    if isinstance(view, Observation) and view.names and stream.random() < 0.5:
        moves.append(Goto(view.names[int(stream.integers(len(view.names)))]))
    degrees = (0, 90, 180, -90)[int(stream.integers(4))]
    if degrees:
        moves.append(Rotate(degrees))
    return Actions(tuple(moves), Observe())
