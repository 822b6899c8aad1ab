"""Scout: turn around once in every room. The published proxy behind the passive vision logs."""

from tolman.explore.agents.registry import Explorer, explorer, text_explorer
from tolman.explore.agents.tour import FloorPlanLike, InferredFloorPlan, Tour, TouringExplorer, TourSteps, TrueFloorPlan
from tolman.world import Scene


@explorer("scout")
def scout(scene: Scene, seed: int) -> Explorer:
    """A scout; it makes no random choice, so the seed is not used."""
    del seed
    return TouringExplorer(lambda _: TrueFloorPlan(scene), sweeps)


@text_explorer("scout")
def text_scout(seed: int) -> Explorer:
    """A scout without a floor plan, which finds its way by what it hears."""
    del seed
    return TouringExplorer(InferredFloorPlan, sweeps)


def sweeps(place: FloorPlanLike) -> TourSteps:
    """One sweep in each room."""
    tour = Tour(place)
    return tour.everywhere(tour.sweep)
