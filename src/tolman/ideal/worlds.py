"""Worlds consistent with an agent's evidence, as arrays with a row for each world."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tolman.belief.possible_positions import displacements
from tolman.belief.posterior import JOINT_DRAWS, Posterior, joint_positions, posterior
from tolman.core.bins import FacingLabel, WallLabel, wall_label
from tolman.core.geometry import Heading
from tolman.core.seeds import rng
from tolman.ideal.knowledge import Knowledge
from tolman.ideal.labels import DISTANCE, EGO, FRONTLESS, QUARTERS, Bools, Floats, Ints, LabelTables, label_tables
from tolman.sense import Sighting
from tolman.world import START

Zones = frozenset[int]


@dataclass(frozen=True, eq=False)
class ConsistentWorlds:
    """Positions in cells east and north of the start. The weights add up to 1."""

    knowledge: Knowledge
    cells: Mapping[str, Ints]
    """By name of every thing and door and the start, an array of shape (worlds, 2)."""
    fronts: Mapping[str, Ints]
    """By thing, the index of the heading of its front in each world, or `FRONTLESS`."""
    weights: Floats
    exact: bool
    """Whether these are all consistent worlds; else they are samples."""
    posterior: Posterior

    def __len__(self) -> int:
        return len(self.weights)

    @property
    def labels(self) -> LabelTables:
        return label_tables(2 * self.knowledge.belief.extent)

    @property
    def things(self) -> tuple[str, ...]:
        return self.knowledge.brief.things

    def zones(self, name: str) -> Zones | None:
        """The rooms, numbered as they were found, in which a name is known to be; None where unknown."""
        zones = self.knowledge.topology.zones.get(name)
        return None if zones is None else frozenset(zones)

    def together(self, a: Zones | None, b: Zones | None) -> bool:
        """Whether two may share a room."""
        return a is None or b is None or not a.isdisjoint(b)

    def chance_of_view(self, at: Ints, heading: Ints | int, zones: Zones | None, shown: Sequence[Sighting]) -> Floats:
        """In each world, the probability that everything shown is in view exactly as shown from these cells and rooms.

        0 or 1, except for names that no evidence mentions, which may be anywhere.
        """
        looks = self.looks_fit(heading, zones, shown)
        if not looks.any():
            return np.zeros(len(self))
        unseen = [seen for seen in shown if not self.is_mentioned(seen.name)]
        chance = math.prod(map(self._by_chance, unseen))
        return np.where(looks & self.places_fit(at, heading, shown), float(chance), 0.0)

    def places_fit(self, at: Ints, heading: Ints | int, shown: Sequence[Sighting]) -> Bools:
        """Whether the positions of everything shown that the evidence mentions agree.

        For each world, `at` may hold one cell or several (a third axis).
        """
        right = np.ones(at.shape[:-1], np.bool_)
        for seen in (seen for seen in shown if self.is_mentioned(seen.name)):
            cells = self.cells[seen.name] if at.ndim == 2 else self.cells[seen.name][:, None]
            direction, distance = self.labels.seen(cells - at, heading)
            right &= (direction == EGO.index(seen.direction)) & (distance == DISTANCE.index(seen.distance))
        return right

    def looks_fit(self, heading: Ints | int, zones: Zones | None, shown: Sequence[Sighting]) -> Bools:
        """The worlds in which everything shown that the evidence mentions has the room and the facing or wall shown."""
        mentioned = [seen for seen in shown if self.is_mentioned(seen.name)]
        if not all(self.together(zones, self.zones(seen.name)) for seen in mentioned):
            return np.zeros(len(self), np.bool_)
        return np.all(
            [np.ones(len(self), np.bool_), *(self._looks(seen, heading, zones) for seen in mentioned)], axis=0
        )

    def is_mentioned(self, name: str) -> bool:
        """Whether any evidence mentions a name."""
        return self.knowledge.belief.is_constrained(name)

    def _by_chance(self, seen: Sighting) -> float:
        """Probability that a name without evidence looks as shown from a given pose."""
        extent = self.knowledge.belief.extent
        cells = len(displacements(seen.direction, seen.distance, Heading.NORTH, extent))
        return cells / extent**2 / len(Heading)

    def _looks(self, seen: Sighting, heading: Ints | int, zones: Zones | None) -> Bools:
        """The worlds in which the facing or the wall of a name is as shown."""
        headings = np.broadcast_to(np.asarray(heading), len(self))
        if isinstance(seen.detail, WallLabel):
            return np.isin(headings, self._toward_wall(seen.name, seen.detail, zones))
        if seen.name not in self.fronts:
            return np.zeros(len(self), np.bool_)
        fronts = self.fronts[seen.name]
        if seen.detail is None:
            return fronts == FRONTLESS
        return (fronts != FRONTLESS) & ((fronts - headings) % 4 == QUARTERS[FacingLabel(seen.detail)])

    def _toward_wall(self, door: str, wall: WallLabel, zones: Zones | None) -> list[int]:
        """The headings for which a door is in such a wall; all, where its orientation is unknown."""
        into = {zone: heading for (name, zone), heading in self.knowledge.topology.into.items() if name == door}
        inward = [heading for zone, heading in into.items() if zones is None or zone in zones]
        return [h for h in Heading if not inward or any(wall_label(i, h) == wall for i in inward)]


def consistent_worlds(knowledge: Knowledge, seed: int = 0, draws: int = JOINT_DRAWS) -> ConsistentWorlds:
    """The worlds consistent with some knowledge: all of them, or `draws` samples.

    A name that no evidence mentions is uniform in a square of `extent` by `extent` cells, as in information gain, that
    contains all the rest at a random offset. An unknown front has a random heading.
    """
    belief, brief = knowledge.belief, knowledge.brief
    stream = rng(seed, "worlds")
    positions = posterior(belief, seed)
    joint = joint_positions(positions, stream, draws=draws)
    unseen = [name for name in brief.names if name not in joint.cells]
    turnable = [name for name in brief.things if name not in knowledge.fronts]
    rows, weights = len(joint.weights), joint.weights
    cells, exact = dict(joint.cells), joint.exact and not unseen and not turnable
    if not exact and joint.exact:
        chosen = stream.choice(rows, draws, p=weights)
        cells = {name: found[chosen] for name, found in cells.items()}
        rows, weights = draws, np.full(draws, 1.0 / draws)
    cells[START] = np.zeros((rows, 2), np.int64)
    low = _corner(np.stack(list(cells.values())), belief.extent, stream)
    cells |= {name: low + stream.integers(belief.extent, size=(rows, 2)) for name in unseen}
    fronts = {
        name: np.full(rows, FRONTLESS if front is None else int(front)) for name, front in knowledge.fronts.items()
    }
    fronts |= {name: stream.integers(4, size=rows) for name in turnable}
    return ConsistentWorlds(knowledge, cells, fronts, weights, exact, positions)


def _corner(cells: Ints, side: int, stream: np.random.Generator) -> Ints:
    """For each world the south-west corner of a square that holds all cells (names, worlds, x and y), if possible."""
    highest, lowest = cells.min(axis=0), cells.max(axis=0) - side + 1
    return np.asarray(stream.integers(np.minimum(lowest, highest), highest + 1), np.int64)
