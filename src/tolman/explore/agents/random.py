"""Random: a look from anywhere in sight, any way, until a coin says stop. The floor that exploration stands on."""

from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate, Term
from tolman.explore.agents.registry import Explorer, explorer
from tolman.explore.episode import Episode
from tolman.seeds import rng
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


class RandomExplorer:
    """Each turn: perhaps go to something in the last view, turn to a random heading, and look."""

    def __init__(self, seed: int) -> None:
        self._stream = rng(seed, "random explorer")

    def act(self, episode: Episode) -> Actions:
        """A random look, or the end."""
        looks = len(episode.turns)
        if looks >= _BUDGET or (looks and self._stream.random() < 1 / MEAN_LOOKS):
            return Actions((), Term())
        moves: list[Move] = []
        told = episode.turns[-1].told if episode.turns else None
        if isinstance(told, Observation) and told.names and self._stream.random() < 0.5:
            moves.append(Goto(told.names[int(self._stream.integers(len(told.names)))]))
        degrees = (0, 90, 180, -90)[int(self._stream.integers(4))]
        if degrees:
            moves.append(Rotate(degrees))
        return Actions(tuple(moves), Observe())
