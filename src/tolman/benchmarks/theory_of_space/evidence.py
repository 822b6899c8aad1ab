"""A stated map held against the evidence: what in it is right, what might have been, and what can't be."""

import math
from collections.abc import Mapping

from tolman.belief.cognitive_map import Point
from tolman.belief.revision import PlainMap
from tolman.benchmarks.theory_of_space.explored import ExploredTurn
from tolman.benchmarks.theory_of_space.insight import Overwritten, StatedMap, StatedPosition
from tolman.geometry import Cell
from tolman.sense import Observation
from tolman.world import Scene

Marginals = Mapping[str, Mapping[Cell, float]]


def hold_against(
    call: str, said: PlainMap, before: StatedMap | None, turn: ExploredTurn, marginals: Marginals, scene: Scene
) -> StatedMap:
    """The map `said` after a turn, given what could be known then and the map stated before; not scored yet."""
    positions = tuple(
        _judged(name, at, scene, marginals, turn.belief.extent) for name, (at, _) in said.items() if name in scene
    )
    return StatedMap(call, positions, _overwritten(positions, before, turn))


def _judged(name: str, at: Point, scene: Scene, marginals: Marginals, extent: int) -> StatedPosition:
    cell = _nearest(at)
    known = marginals.get(name)
    chance = 1 / extent**2 if known is None else known.get(cell, 0.0)
    if cell == scene.from_start(name):
        return StatedPosition(name, at, "right", chance)
    return StatedPosition(name, at, "unlucky" if chance > 0 else "impossible", chance)


def _nearest(at: Point) -> Cell:
    """The cell that holds a point."""
    return math.floor(at[0] + 0.5), math.floor(at[1] + 0.5)


def _overwritten(
    positions: tuple[StatedPosition, ...], before: StatedMap | None, turn: ExploredTurn
) -> tuple[Overwritten, ...]:
    """What was right in the map before and is not any more. A reply without a map overwrites nothing."""
    if before is None or not positions:
        return ()
    now = {position.name: position for position in positions}
    in_view = turn.turn.told.names if isinstance(turn.turn.told, Observation) else ()
    lost: list[Overwritten] = []
    for old in before.positions:
        new = now.get(old.name)
        if old.verdict == "right" and (new is None or new.verdict != "right"):
            said, verdict = (None, None) if new is None else (new.said, new.verdict)
            lost.append(Overwritten(old.name, old.said, said, verdict, old.name in in_view))
    return tuple(lost)
