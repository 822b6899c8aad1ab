"""Sets of positions and of displacements as bit boards: one Python integer each.

Positions are the cells of [-reach, reach] squared. A row of the board has `4 * reach + 1` bits, of which positions use
the first `2 * reach + 1`; the rest is a gap wide enough that no displacement between two positions leaves one row and
enters the used part of another. So moving a whole set is one shift, and the union of many moved sets is a shift-or.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, reduce

from tolman.core.geometry import Cell, Vector

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
        """The set of some positions; those off the board are dropped."""
        return reduce(int.__or__, map(self.position, cells), 0)

    def cells(self, bits: Bits) -> Iterator[Cell]:
        """Positions in a set, south to north and west to east."""
        return map(self.cell, bit_indices(bits))

    def cell(self, index: int) -> Cell:
        """The position of one bit."""
        y, x = divmod(index, self.stride)
        return x - self.reach, y - self.reach

    def displacements(self, vectors: Iterable[Vector]) -> "DisplacementSet":
        """A set of displacements in cells; any too long to lie between two positions is dropped."""
        longest = 2 * self.reach
        shifts = [y * self.stride + x for x, y in vectors if max(abs(x), abs(y)) <= longest]
        offset = min(shifts, default=0)
        return DisplacementSet(reduce(int.__or__, (1 << (shift - offset) for shift in shifts), 0), offset)


def bit_indices(bits: Bits) -> Iterator[int]:
    """Indices of the ones of an integer, lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@dataclass(frozen=True)
class DisplacementSet:
    """A set of displacements that can be applied to sets of positions.

    A displacement is a shift by some number of bits. Bit i of `stencil` stands for a shift by `offset + i`, and the
    lowest bit of the stencil is set, so the integers are as small as the set allows, however large the board.
    """

    stencil: Bits
    offset: int

    @cached_property
    def runs(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The stencil as runs of ones: (length, index of the first bit of each), shortest first."""
        runs: dict[int, list[int]] = {}
        place, bits = 0, self.stencil
        while bits:
            gap = (bits & -bits).bit_length() - 1
            bits >>= gap
            length = (~bits & (bits + 1)).bit_length() - 1
            runs.setdefault(length, []).append(place + gap)
            bits >>= length
            place += gap + length
        return tuple((length, tuple(places)) for length, places in sorted(runs.items()))

    @cached_property
    def run_count(self) -> int:
        return sum(len(places) for _, places in self.runs)

    @cached_property
    def reverse(self) -> "DisplacementSet":
        """The opposite displacements."""
        mirrored = int(f"{self.stencil:b}"[::-1], 2)
        return DisplacementSet(mirrored, 1 - self.offset - self.stencil.bit_length())

    def intersection(self, other: "DisplacementSet") -> "DisplacementSet":
        """The displacements that are in both sets."""
        offset = max(self.offset, other.offset)
        both = (self.stencil >> (offset - self.offset)) & (other.stencil >> (offset - other.offset))
        gap = (both & -both).bit_length() - 1 if both else -offset
        return DisplacementSet(both >> gap if both else 0, offset + gap)

    def reach_from(self, origins: Bits) -> Bits:
        """All positions reached from some origin by some displacement (bits off the board are not cleared)."""
        if not origins:
            return 0
        low = (origins & -origins).bit_length() - 1
        origins >>= low
        reached = self.reach_by_origin(origins) if origins.bit_count() <= self.run_count else self.reach_by_run(origins)
        shift = low + self.offset
        return reached << shift if shift >= 0 else reached >> -shift

    def reach_by_origin(self, origins: Bits) -> Bits:
        """`reach_from` before the offset, by one shift of the stencil per origin: fast for few origins."""
        reached, stencil = 0, self.stencil
        while origins:
            lowest = origins & -origins
            origins ^= lowest
            reached |= stencil << (lowest.bit_length() - 1)
        return reached

    def reach_by_run(self, origins: Bits) -> Bits:
        """`reach_from` before the offset, by moving the origins along every run: n cells take log n shifts."""
        reached, width, spread = 0, 1, origins
        for length, places in self.runs:
            while width * 2 <= length:
                spread |= spread << width
                width *= 2
            line = spread | spread << (length - width) if length > width else spread
            for place in places:
                reached |= line << place
        return reached


@cache
def _full(reach: int) -> Bits:
    row, stride = (1 << (2 * reach + 1)) - 1, 4 * reach + 1
    return reduce(int.__or__, (row << (y * stride) for y in range(2 * reach + 1)), 0)
