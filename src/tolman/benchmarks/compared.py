"""A stored value of something released, and ours."""

from dataclasses import dataclass

Value = float | str | frozenset[str] | tuple[float | None, ...] | None
TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Compared:
    """One value as the authors stored it and as it comes out here.

    `lost`: the released files no longer hold what it was computed from, so that it can't be checked.
    """

    metric: str
    place: str
    ours: Value
    stored: Value
    lost: bool = False

    @property
    def identical(self) -> bool:
        """Equal to within 1e-9."""
        ours, stored = _numbers(self.ours), _numbers(self.stored)
        if ours is None or stored is None:
            return self.ours == self.stored
        return len(ours) == len(stored) and all(map(_close, ours, stored))


def _numbers(value: Value) -> tuple[float | None, ...] | None:
    if isinstance(value, int | float):
        return (value,)
    return value if isinstance(value, tuple) else None


def _close(a: float | None, b: float | None) -> bool:
    return a is b is None or (a is not None and b is not None and abs(a - b) <= TOLERANCE)
