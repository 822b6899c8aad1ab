"""A stored value of something released, ours, and what to make of the two."""

from dataclasses import dataclass
from typing import Literal

Value = float | str | frozenset[str] | tuple[float | None, ...] | None
Status = Literal["identical", "explained", "can't be checked", "different"]
STATUSES: tuple[Status, ...] = ("identical", "explained", "can't be checked", "different")
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a stored value is not ours although both are right, or why nobody can tell; `test` shows that it is so."""

    name: str
    why: str
    test: str


@dataclass(frozen=True, slots=True)
class Compared:
    """One value as the authors stored it and as it comes out here."""

    metric: str
    place: str
    """Where in the run: a turn, a thing, the mean."""
    ours: Value
    stored: Value
    explained: Reason | None = None
    """What else, shown to reproduce the stored value to the digit, ours does not know."""
    uncheckable: Reason | None = None
    """Why the released files no longer hold what the value was computed from."""
    run: str = ""
    turn: int | None = None
    """Number of the reply that it is about, from 1 in each phase."""

    @property
    def identical(self) -> bool:
        """Equal to within 1e-9."""
        ours, stored = _numbers(self.ours), _numbers(self.stored)
        if ours is None or stored is None:
            return self.ours == self.stored
        return len(ours) == len(stored) and all(map(_close, ours, stored))

    @property
    def status(self) -> Status:
        if self.uncheckable is not None:
            return "can't be checked"
        if self.identical:
            return "identical"
        return "different" if self.explained is None else "explained"

    @property
    def reason(self) -> Reason | None:
        """The reason for a status that has one."""
        return self.uncheckable or (None if self.identical else self.explained)

    @property
    def gap(self) -> float:
        """The largest difference between two numbers of the value; 1 where one side has no number."""
        ours, stored = _numbers(self.ours), _numbers(self.stored)
        if ours is None or stored is None or len(ours) != len(stored):
            return 0.0 if self.identical else 1.0
        return max(map(_gap, ours, stored), default=0.0)


def _numbers(value: Value) -> tuple[float | None, ...] | None:
    if isinstance(value, int | float):
        return (value,)
    return value if isinstance(value, tuple) else None


def _gap(a: float | None, b: float | None) -> float:
    return float(a is not b) if a is None or b is None else abs(a - b)


def _close(a: float | None, b: float | None) -> bool:
    return a is b is None or (a is not None and b is not None and abs(a - b) <= TOLERANCE)
