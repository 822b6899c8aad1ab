"""Scout: one full sweep per room. The published proxy agent behind the passive vision logs."""

from tolman.explore.agents.registry import Explorer, explorer, text_explorer
from tolman.explore.agents.tour import FloorPlanLike, InferredFloorPlan, Tour, TouringExplorer, TourSteps, TrueFloorPlan
from tolman.world import Scene


@explorer("scout")
def scout(scene: Scene, seed: int) -> Explorer:
    """A scout, given the true floor plan; it is deterministic, so the seed is not used."""
    del seed
    return TouringExplorer(lambda _: TrueFloorPlan(scene), sweep_rooms)


@text_explorer("scout")
def text_scout(seed: int) -> Explorer:
    """A scout that infers the floor plan from its observations."""
    del seed
    return TouringExplorer(InferredFloorPlan, sweep_rooms)


def sweep_rooms(floor_plan: FloorPlanLike) -> TourSteps:
    """One sweep in each room."""
    tour = Tour(floor_plan)
    return tour.everywhere(tour.sweep)
