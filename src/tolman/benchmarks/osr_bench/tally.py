"""Objects found, invented and missed, and how far from their places."""

from dataclasses import dataclass

FARTHEST = 15.0
"""Distance in cells that stands for nothing to measure."""


@dataclass(frozen=True)
class Tally:
    """Objects found, invented and missed, with the distances of all pairs in cells."""

    found: int = 0
    invented: int = 0
    missed: int = 0
    distances: tuple[float, ...] = ()

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.found + other.found,
            self.invented + other.invented,
            self.missed + other.missed,
            self.distances + other.distances,
        )

    @property
    def precision(self) -> float:
        stated = self.found + self.invented
        return self.found / stated if stated else 0.0

    @property
    def recall(self) -> float:
        there = self.found + self.missed
        return self.found / there if there else 0.0

    @property
    def f1(self) -> float:
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    @property
    def distance(self) -> float:
        """Mean over all pairs, those too far apart included."""
        return sum(self.distances) / len(self.distances) if self.distances else FARTHEST
