"""Scout: turn around once in every room. The published proxy behind the passive vision logs."""

from tolman.explore.agents.registry import Explorer, explorer
from tolman.explore.agents.tour import Tour, TouringExplorer
from tolman.world import Scene


@explorer("scout")
def scout(scene: Scene, seed: int) -> Explorer:
    """A scout; it makes no random choice, so the seed is not used."""
    del seed
    tour = Tour(scene)
    return TouringExplorer(tour.depth_first(tour.sweep))
