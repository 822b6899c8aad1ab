"""Distractors: classes that are absent from a room but plausible, being frequent or co-occurring with what is there."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal

import numpy as np

from tolman.benchmarks.osr_bench.maps.grid import GridMap
from tolman.benchmarks.osr_bench.rules import Rules
from tolman.core.seeds import digest, rng

DistractorChoice = Literal["code", "paper"]
"""How co-occurring classes are chosen: by the largest count (code), or for one present class after another (paper)."""
DISTRACTORS_OF_A_SORT = 5
"""Number of frequent and of co-occurring distractors, as published."""


def prompt_classes(present: Sequence[str], absent: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """The classes that the map prompt lists; sorted under strict rules, as the order of the map reveals positions."""
    pool = (*present, *absent)
    return tuple(sorted(pool)) if rules.pools_tell_nothing else pool


def absent_classes(truth: GridMap, co_occurrence: "CoOccurrence") -> list[str]:
    """As many absent classes as there are classes in a room, or all known ones if there are fewer.

    They are drawn with probability proportional to the number of rooms that hold them. The random stream depends on
    the true map only, so the same room gets the same list.
    """
    absent = {name: rooms for name, rooms in co_occurrence.rooms.items() if name not in truth.counts}
    if not absent:
        return []
    stream = rng(0, "osr", "class list", digest(truth.as_lists))
    rooms = np.array(list(absent.values()), dtype=np.float64)
    count = min(len(truth.classes), len(absent))
    chosen = stream.choice(len(absent), size=count, replace=False, p=rooms / rooms.sum())
    names = list(absent)
    return [names[int(i)] for i in chosen]


@dataclass(frozen=True)
class CoOccurrence:
    """Number of rooms that hold each class, and each pair of classes. Ties are ordered by first occurrence."""

    rooms: Counter[str] = field(default_factory=Counter[str])
    together: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    @staticmethod
    def of(rooms: Iterable[Sequence[str]]) -> "CoOccurrence":
        """Over all rooms of a set, each given by its classes."""
        co_occurrence = CoOccurrence()
        for classes in rooms:
            co_occurrence.rooms.update(classes)
            for one, other in permutations(classes, 2):
                co_occurrence.together.setdefault(one, Counter())[other] += 1
        return co_occurrence

    def frequent(self, present: Sequence[str], count: int = DISTRACTORS_OF_A_SORT) -> list[str]:
        """The most frequent classes that are absent."""
        return [name for name, _ in self.rooms.most_common() if name not in present][:count]

    def companions(
        self,
        present: Sequence[str],
        besides: Sequence[str],
        count: int = DISTRACTORS_OF_A_SORT,
        choice: DistractorChoice = "code",
    ) -> list[str]:
        """Absent classes that co-occur with those present, without those in `besides`."""
        taken = {*present, *besides}
        if choice == "paper":
            walked = (name for one in present for name, _ in self.together.get(one, Counter()).most_common())
            return list(dict.fromkeys(name for name in walked if name not in taken))[:count]
        scores = dict.fromkeys((name for name in self.rooms if name not in taken), 0)
        for one in (name for name in present if name in self.together):
            for name, rooms in self.together[one].items():
                if rooms > scores.get(name, rooms):
                    scores[name] = rooms
        return sorted(scores, key=lambda name: -scores[name])[:count]

    def distractors(self, present: Sequence[str], choice: DistractorChoice = "code") -> list[str]:
        """Frequent absent classes, then co-occurring ones."""
        frequent = self.frequent(present)
        return [*frequent, *self.companions(present, frequent, choice=choice)]

    @property
    def as_dict(self) -> dict[str, object]:
        """As the authors' statistics file has it."""
        together = {one: dict(others.most_common()) for one, others in self.together.items()}
        return {"object_frequency": dict(self.rooms.most_common()), "cooccurrence_count": together}
