"""Objects that are not there but could well be: the most frequent ones, and those that go with what is there."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Literal

Choice = Literal["code", "paper"]
"""How the companions are chosen: by the largest co-occurrence (code), or walking from object to object (paper)."""
EACH = 5
"""Distractors of either sort, as published."""


@dataclass(frozen=True)
class Company:
    """How many rooms hold each class, and each pair of classes. Of equal numbers the first one met comes first."""

    rooms: Counter[str] = field(default_factory=Counter[str])
    together: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    @staticmethod
    def of(rooms: Iterable[Sequence[str]]) -> "Company":
        """Over all rooms of a set, each given by its classes."""
        company = Company()
        for classes in rooms:
            company.rooms.update(classes)
            for one, other in permutations(classes, 2):
                company.together.setdefault(one, Counter())[other] += 1
        return company

    def frequent(self, present: Sequence[str], count: int = EACH) -> list[str]:
        """The most frequent classes that are absent."""
        return [name for name, _ in self.rooms.most_common() if name not in present][:count]

    def companions(
        self, present: Sequence[str], besides: Sequence[str], count: int = EACH, choice: Choice = "code"
    ) -> list[str]:
        """Absent classes that go with what is present, and are not among `besides`."""
        taken = {*present, *besides}
        if choice == "paper":
            walked = (name for one in present for name, _ in self._with(one).most_common())
            return list(dict.fromkeys(name for name in walked if name not in taken))[:count]
        scores = {
            name: max((self._with(one)[name] for one in present), default=0) for name in self.rooms if name not in taken
        }
        return sorted(scores, key=lambda name: -scores[name])[:count]

    def _with(self, name: str) -> Counter[str]:
        return self.together.get(name, Counter())

    def distractors(self, present: Sequence[str], choice: Choice = "code") -> list[str]:
        """Both sorts: what is frequent, then what goes with what is there."""
        frequent = self.frequent(present)
        return [*frequent, *self.companions(present, frequent, choice=choice)]

    @property
    def as_dict(self) -> dict[str, object]:
        """As the authors' statistics file has it."""
        together = {one: dict(others.most_common()) for one, others in self.together.items()}
        return {"object_frequency": dict(self.rooms.most_common()), "cooccurrence_count": together}
