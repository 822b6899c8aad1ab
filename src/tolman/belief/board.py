"""Sets of positions and of displacements as bit boards: one Python integer each.

Positions are the cells of [-reach, reach] squared. A row of the board has `4 * reach + 1` bits, of which positions use
the first `2 * reach + 1`; the rest is a gap wide enough that no displacement between two positions leaves one row and
enters the used part of another. So moving a whole set is one shift, and the union of many moved sets is a shift-or.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from tolman.geometry import Cell, Vector

Bits = int


@dataclass(frozen=True)
class Board:
    """Bit layout for positions up to `reach` cells from the start along each axis."""

    reach: int

    @property
    def stride(self) -> int:
        return 4 * self.reach + 1

    @property
    def full(self) -> Bits:
        """All positions."""
        return _full(self.reach)

    def position(self, cell: Cell) -> Bits:
        """The set that holds one position."""
        x, y = cell
        if max(abs(x), abs(y)) > self.reach:
            return 0
        return 1 << ((y + self.reach) * self.stride + x + self.reach)

    def positions(self, cells: Iterable[Cell]) -> Bits:
        bits = 0
        for cell in cells:
            bits |= self.position(cell)
        return bits

    def cells(self, bits: Bits) -> Iterator[Cell]:
        """Positions in a set, south to north and west to east."""
        return map(self.cell, bit_indices(bits))

    def cell(self, index: int) -> Cell:
        """The position of one bit."""
        y, x = divmod(index, self.stride)
        return x - self.reach, y - self.reach

    def displacements(self, vectors: Iterable[Vector]) -> Bits:
        """The set of those displacements that fit between two positions; bit 0 is (-2 reach, -2 reach)."""
        limit, bits = 2 * self.reach, 0
        for x, y in vectors:
            if max(abs(x), abs(y)) <= limit:
                bits |= 1 << ((y + limit) * self.stride + x + limit)
        return bits

    def shifter(self, displacement_bits: Bits) -> "Shifter":
        """A set of displacements made ready for `Shifter.reach_from`."""
        return _shifter(self.reach, displacement_bits)


def bit_indices(bits: Bits) -> Iterator[int]:
    """Indices of the ones of an integer, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@dataclass(frozen=True, slots=True)
class Shifter:
    """A set of displacements, ready to be applied to sets of positions.

    `stencil` is the set itself with its lowest bit at `offset` relative to no displacement; `runs` lists it as
    horizontal runs: (length, [shift of the first cell, ...]).
    """

    stencil: Bits
    offset: int
    runs: tuple[tuple[int, tuple[int, ...]], ...]
    run_count: int
    opposite: Bits
    """The displacement set the other way round, as bits."""

    def reach_from(self, origins: Bits) -> Bits:
        """All places that some displacement leads to from some origin (bits off the board not yet cleared)."""
        if origins.bit_count() <= self.run_count:
            return self._stamp(origins)
        return self._smear(origins)

    def _stamp(self, origins: Bits) -> Bits:
        """Lay the stencil on every origin."""
        reached, stencil, offset = 0, self.stencil, self.offset
        while origins:
            lowest = origins & -origins
            origins ^= lowest
            shift = lowest.bit_length() - 1 + offset
            reached |= stencil << shift if shift >= 0 else stencil >> -shift
        return reached

    def _smear(self, origins: Bits) -> Bits:
        """Move the origins along every run; doubling makes a run of n cells cost log n shifts."""
        reached, width, smeared = 0, 1, origins
        for length, shifts in self.runs:
            while width * 2 <= length:
                smeared |= smeared << width
                width *= 2
            line = smeared | smeared << (length - width) if length > width else smeared
            for shift in shifts:
                reached |= line << shift if shift >= 0 else line >> -shift
        return reached


@cache
def _full(reach: int) -> Bits:
    row = (1 << (2 * reach + 1)) - 1
    stride, bits = 4 * reach + 1, 0
    for y in range(2 * reach + 1):
        bits |= row << (y * stride)
    return bits


@lru_cache(maxsize=20_000)
def _shifter(reach: int, bits: Bits) -> Shifter:
    stride, limit = 4 * reach + 1, 2 * reach
    origin = limit * stride + limit
    if not bits:
        return Shifter(0, 0, (), 0, 0)
    runs: dict[int, list[int]] = {}
    opposite, first, previous = 0, -1, -2
    for index in bit_indices(bits):
        opposite |= 1 << (2 * origin - index)
        if index != previous + 1 or index % stride == 0:
            if first >= 0:
                runs.setdefault(previous - first + 1, []).append(first - origin)
            first = index
        previous = index
    runs.setdefault(previous - first + 1, []).append(first - origin)
    low = (bits & -bits).bit_length() - 1
    ordered = tuple((length, tuple(shifts)) for length, shifts in sorted(runs.items()))
    return Shifter(bits >> low, low - origin, ordered, sum(len(s) for _, s in ordered), opposite)
