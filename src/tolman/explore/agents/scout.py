"""Scout: turn around once in every room. The published proxy behind the passive vision logs."""

from tolman.explore.agents.floor_plan import FloorPlan
from tolman.explore.agents.hearsay import Hearsay
from tolman.explore.agents.place import Place
from tolman.explore.agents.registry import Explorer, explorer, listener
from tolman.explore.agents.tour import Looks, Tour, TouringExplorer
from tolman.world import Scene


@explorer("scout")
def scout(scene: Scene, seed: int) -> Explorer:
    """A scout; it makes no random choice, so the seed is not used."""
    del seed
    return TouringExplorer(lambda _: FloorPlan(scene), sweeps)


@listener("scout")
def listening_scout(seed: int) -> Explorer:
    """A scout without a floor plan, which finds its way by what it hears."""
    del seed
    return TouringExplorer(Hearsay, sweeps)


def sweeps(place: Place) -> Looks:
    """One sweep in each room."""
    tour = Tour(place)
    return tour.everywhere(tour.sweep)
