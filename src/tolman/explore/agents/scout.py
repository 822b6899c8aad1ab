"""Scout: one full sweep per room. The published proxy agent behind the passive vision logs."""

from tolman.explore.agents.tour import FloorPlanLike, Tour, TourSteps, touring_explorer


@touring_explorer("scout")
def sweep_rooms(floor_plan: FloorPlanLike) -> TourSteps:
    """One sweep in each room."""
    tour = Tour(floor_plan)
    return tour.everywhere(tour.sweep)
