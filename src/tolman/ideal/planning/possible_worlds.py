"""Worlds drawn from the generative posterior, for an explorer that predicts what looks would tell in them."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from tolman.core.geometry import Heading, difference
from tolman.explore.belief_tracker import SampledWorld
from tolman.explore.episode import AgentHistory
from tolman.explore.known_world import KnownWorld
from tolman.explore.topological_map import SightLines
from tolman.ideal.generative import WeightedScenes, posterior
from tolman.ideal.observer import prior_for
from tolman.sense import in_view
from tolman.world import START

DRAWS = 512
"""Scenes of the posterior from which worlds are drawn, where it can't be listed."""


@dataclass(frozen=True)
class PossibleWorlds:
    """Distinct worlds that may be the true one, the most frequent first, and how often each was drawn."""

    worlds: tuple[KnownWorld, ...]
    weights: tuple[float, ...]
    """They add up to 1."""
    sight_lines: SightLines
    """Headings in which one name is in view from another in all of these worlds."""


def possible_worlds(history: AgentHistory, count: int, stream: np.random.Generator) -> PossibleWorlds | None:
    """`count` draws from the posterior of the generative observer; None where it has none."""
    prior = prior_for(history.brief)
    scenes = None if prior is None else posterior(history, prior, draws=DRAWS)
    if scenes is None:
        return None
    marks = (np.arange(count) + stream.random()) / count
    rows = np.minimum(np.searchsorted(np.cumsum(scenes.weights), marks), len(scenes) - 1)
    drawn: Counter[tuple[int, ...]] = Counter()
    first: dict[tuple[int, ...], int] = {}
    names = (START, *scenes.brief.names)
    for row in rows.tolist():
        key = tuple(int(part) for name in names for part in scenes.cells[name][row])
        drawn[key] += 1
        first.setdefault(key, row)
    common = drawn.most_common()
    worlds = [_world(scenes, first[key]) for key, _ in common]
    return PossibleWorlds(
        tuple(map(KnownWorld, worlds)), tuple(times / count for _, times in common), _shared_sight_lines(worlds)
    )


def _world(scenes: WeightedScenes, row: int) -> SampledWorld:
    """One row, with the start's room as zone 0 and the room beyond the i-th door as zone i + 1."""
    cells = {name: (int(found[row][0]), int(found[row][1])) for name, found in scenes.cells.items()}
    zones: dict[str, tuple[int, ...]] = {START: (0,)}
    zones |= {name: (int(scenes.rooms[name][row]),) for name in scenes.brief.things}
    zones |= {door: (0, number) for number, door in enumerate(scenes.brief.doors, start=1)}
    return SampledWorld(cells, zones)


def _shared_sight_lines(worlds: list[SampledWorld]) -> SightLines:
    lines: SightLines = {}
    names = list(worlds[0].cells)
    for a in names:
        for b in names:
            if a != b and all(not set(world.zones[a]).isdisjoint(world.zones[b]) for world in worlds):
                apart = [difference(world.cells[b], world.cells[a]) for world in worlds]
                for heading in Heading:
                    if all(in_view(vector, heading) for vector in apart):
                        lines.setdefault(a, {})[b] = heading
    return lines
