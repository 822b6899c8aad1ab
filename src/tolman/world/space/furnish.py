"""Furnish a floor: each of its rooms for one use, the largest first."""

from collections.abc import Sequence

from tolman.world.scene import Room
from tolman.world.space.openings import add_openings
from tolman.world.space.single import add
from tolman.world.space.site import Site
from tolman.world.space.sorts import SORTS
from tolman.world.space.themes import BATH_CELLS, BATH_SHARE, MAIN, THEMES

_FOR_TWO = 20
"""Square metres from which on a room has two uses."""
_MOST_USES = 4
_ORDER = ("wall", "end on", "free", "flat", "hung", "small", "top", "in wall")
_CELLS_A_PIECE = 1.3
"""Square metres of a room for each piece that comes by itself."""


def furnish(site: Site) -> None:
    """Doors and windows, then furniture, then what is put around it."""
    add_openings(site)
    rooms = _parts(site.rooms)
    uses = _uses(site, rooms)
    for room, use in zip(rooms, uses, strict=False):
        for group in THEMES[use].groups:
            group(site, room)
    for room, use in zip(rooms, uses, strict=False):
        _fill(site, room, use)


def _parts(rooms: Sequence[Room]) -> list[Room]:
    """The rooms, the largest first; then once more those that are large enough for two uses."""
    ordered = sorted(rooms, key=lambda room: -len(room.cells))
    return [*ordered, *(room for room in ordered if len(room.cells) >= _FOR_TWO)][:_MOST_USES]


def _uses(site: Site, rooms: Sequence[Room]) -> list[str]:
    """What each room is for: uses that go together, each once as long as there are any. A bathroom has no other use."""
    if len(site.rooms) == 1 and len(site.cells) <= BATH_CELLS and site.chance(BATH_SHARE):
        return ["bath"]
    drawn = float(site.stream.random())
    uses: list[str] = []
    for name, share in MAIN:
        drawn -= share
        if drawn < 0:
            uses.append(name)
            break
    uses = uses or [MAIN[0][0]]
    for _ in rooms[1:]:
        fresh = [name for name in THEMES[uses[0]].goes_with if name not in uses]
        uses.append(fresh[site.whole(0, len(fresh) - 1)] if fresh else uses[-1])
    return uses


def _fill(site: Site, room: Room, use: str) -> None:
    """Pieces that come one by one until the room has its share, those first that need most room."""
    budget = len(room.cells) / _CELLS_A_PIECE * site.between(0.8, 1.2)
    drawn = [THEMES[use].others[int(i)] for i in site.stream.permutation(len(THEMES[use].others))]
    for category, often, most in sorted(drawn, key=lambda other: _ORDER.index(SORTS[other[0]].how)):
        if not site.chance(often):
            continue
        for _ in range(site.whole(1, most)):
            if budget <= 0 or add(site, room, category) is None:
                break
            budget -= 1
