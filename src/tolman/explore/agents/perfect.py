"""Perfect: knows the scene, and follows a cheapest exploration of it (`tolman.explore.cheapest`), from any history."""

from tolman.explore.actions import Actions, Observe, Query, Term
from tolman.explore.agents.oracle import routes_in
from tolman.explore.agents.registry import Explorer, explorer
from tolman.explore.belief_tracker import BeliefTracker
from tolman.explore.cheapest import KnownWorld, Progress, cheapest_completion
from tolman.explore.episode import AgentHistory
from tolman.explore.topological_map import moves_along
from tolman.world import START, Scene


@explorer("perfect")
def perfect(scene: Scene, seed: int) -> Explorer:
    """A perfect explorer; it is deterministic, so the seed is not used."""
    del seed
    return Perfect(scene)


class Perfect:
    """The least action cost that determines every position."""

    def __init__(self, scene: Scene) -> None:
        self._scene, self._world = scene, KnownWorld(scene)
        self._tracker = BeliefTracker(scene.extent)

    def act(self, history: AgentHistory) -> Actions:
        """The first step of a cheapest way to go on, or `Term`."""
        belief, topology = self._tracker.of(history)
        progress = Progress(
            belief, frozenset(topology.zones) - {START}, frozenset(topology.looks), history.standing_on == START
        )
        steps = cheapest_completion(progress, self._world).steps
        if not steps:
            return Actions((), Term())
        step = steps[0]
        if isinstance(step, str):
            return Actions((), Query(step))
        place, heading = step
        return Actions(moves_along(history.heading, routes_in(self._scene, history)[place], heading), Observe())
