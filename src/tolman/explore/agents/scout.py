"""Scout: turn around once in every room. The published proxy behind the passive vision logs."""

from tolman.explore.agents.registry import Explorer, explorer
from tolman.explore.agents.tour import DOOR_SWEEP, START_SWEEP, Looks, Tour, TouringExplorer
from tolman.world import Scene


@explorer("scout")
def scout(scene: Scene, seed: int) -> Explorer:
    """A scout; it makes no random choice, so the seed is not used."""
    del seed
    return TouringExplorer(_visit(Tour(scene), 1, {1}))


def _visit(tour: Tour, room: int, done: set[int]) -> Looks:
    yield from tour.sweep(room, START_SWEEP if room == 1 else DOOR_SWEEP)
    for door, beyond in tour.doors_onward(room, done):
        if tour.all_known:
            return
        done.add(beyond)
        tour.enter(door, beyond)
        tour.known.add(door.name)
        tour.known_in_room[beyond].add(door.name)
        yield from _visit(tour, beyond, done)
        if not tour.all_known:
            tour.enter(door, room)
