"""Settings of generated scenes and of their change before the false-belief phase."""

from dataclasses import asdict, dataclass

from tolman.core.errors import SettingsError

MAX_ROOMS = 32
WORLD_VERSIONS = (1, 2)
MAX_STAR_ROOMS = 4
"""Up to this many rooms, every other room is next to room 1."""


@dataclass(frozen=True)
class WorldSettings:
    """Settings of `generate`; the defaults are the published benchmark's main setting."""

    rooms: int = 3
    """Number of rooms, 1 to 32. Two, three and four have the published layouts."""
    room_size: tuple[int, int] = (6, 6)
    """Cells of floor along the columns (world y) and rows (world x) of the published layout."""
    things_per_room: int = 4
    fronted_in_first_room: int = 3
    """At least this many things of room 1 have a front."""
    fronted_per_room: int = 2
    """At least this many things of every other room have a front."""
    version: int = 1
    """World version: 1 is the published one; in 2 things have their real sizes, and some cover two cells of floor."""

    def __post_init__(self) -> None:
        if not 1 <= self.rooms <= MAX_ROOMS:
            raise SettingsError(f"a world has 1 to {MAX_ROOMS} rooms, not {self.rooms}")
        if not all(3 <= side <= 40 for side in self.room_size):
            w, h = self.room_size
            raise SettingsError(f"a room is 3 to 40 cells wide and deep, not {w} x {h}")
        if self.version not in WORLD_VERSIONS:
            raise SettingsError(f"there is no world version {self.version}; choose one of {WORLD_VERSIONS}")
        if self.things_per_room < 1:
            raise SettingsError(f"a room holds at least one thing, not {self.things_per_room}")
        if min(self.fronted_in_first_room, self.fronted_per_room) < 0:
            raise SettingsError("the number of things with a front can't be negative")

    def fronted(self, room: int) -> int:
        """Least number of things with a front in a room."""
        return min(self.fronted_in_first_room if room == 1 else self.fronted_per_room, self.things_per_room)

    def as_dict(self) -> dict[str, object]:
        """The settings as JSON values, for a log or a digest; the published version is not named."""
        return {name: value for name, value in asdict(self).items() if (name, value) != ("version", 1)}


@dataclass(frozen=True)
class ChangeSettings:
    """Settings of `perturb`; the defaults are the published false-belief change."""

    rotated: int = 2
    moved: int = 2
    least_move: int = 6
    """A moved thing ends at least this many cells (Euclidean) from where it was."""

    def __post_init__(self) -> None:
        if self.rotated < 0 or self.moved < 0 or self.least_move < 1:
            raise SettingsError("counts of changes can't be negative and a move is at least one cell")
