"""What holds for every sample: how actors and cameras are drawn, and which samples are kept."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tolman.benchmarks.sparrta.relations import AMBIGUITY, RELATIONS, VIEWPOINTS, Relation, Viewpoint

Floats = NDArray[np.float64]
_MIDDLES: dict[Relation, float] = {"front": 0.0, "back": 180.0, "left": 90.0, "right": -90.0}


@dataclass(frozen=True)
class Rules:
    """What holds for every sample. Lengths in metres, angles in degrees."""

    wander: float = 3.0
    """Of the middle about the anchor: a standard deviation."""
    spread: float = 5.0
    """Of each actor about that middle."""
    gap: float = 0.25
    """Between the boxes of two actors, at least."""
    farthest: float = 10.0
    """Between two actors, at most."""
    reach: float = 25.0
    """Of the camera to each side of the middle."""
    rise: float = 15.0
    """Of the camera above the actors, at most."""
    margin: float = 2.0
    """Pixels between an actor's box and the edge of a picture of 224 pixels."""
    clustered: float = 8.0
    """No picture in which all actors are nearer to its middle than this."""
    share: float = 0.6
    """Of an actor's own pixels that nothing hides, at least."""
    pixels: int = 50
    """Of an actor in a picture of 224 pixels, at least."""
    ambiguity: float = AMBIGUITY
    viewpoints: tuple[Viewpoint, ...] = VIEWPOINTS
    """From which it must be clear where the target is."""
    balanced: bool = False
    """Whether relations take turns."""

    def wanted(self, index: int) -> dict[Viewpoint, Relation]:
        """The relations that a picture must show where they take turns: every pair of them equally often."""
        if not self.balanced:
            return {}
        return {view: RELATIONS[index // 4**i % 4] for i, view in enumerate(self.viewpoints)}

    def are_clear(
        self, viewpoint: Viewpoint, index: int, seen_from: Floats, source: Floats, target: Floats
    ) -> NDArray[np.bool_]:
        """For many at once, whether it can be said from there where the target is, and it is where it is wanted.

        Positions are rows of x and y. From a viewpoint that does not count, everything is clear.
        """
        if viewpoint not in self.viewpoints:
            return np.ones(len(np.broadcast_arrays(seen_from, source)[0]), np.bool_)
        sight, way = source - seen_from, target - source
        turned = np.degrees(np.arctan2(sight[:, 0] * way[:, 1] - sight[:, 1] * way[:, 0], (sight * way).sum(axis=1)))
        wanted = self.wanted(index)
        sectors: list[Relation] = [wanted[viewpoint]] if viewpoint in wanted else list(RELATIONS)
        off = np.stack([np.abs((turned - _MIDDLES[sector] + 180) % 360 - 180) for sector in sectors])
        return np.asarray((off < 45 - self.ambiguity).any(axis=0))
