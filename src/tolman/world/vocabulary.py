"""Kinds of things with their sizes, and the colours of doors: the content of `vocabulary.toml`.

The renderer finds the asset of a kind by its name.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tolman.core.files import packaged_table


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """A category of things. `fronted` says whether it has a recognisable front.

    The footprint is width (along the thing's own left-right axis) and depth (front to back), all lengths in metres.
    """

    name: str
    fronted: bool
    width: float
    depth: float
    height: float


def kinds_in(table: Mapping[str, Mapping[str, tuple[float, float, float]]]) -> tuple[ObjectKind, ...]:
    """The kinds of a table with the sizes of those that are `fronted`, and of those that are `frontless`."""
    return tuple(
        ObjectKind(name, part == "fronted", *size)
        for part in ("fronted", "frontless")
        for name, size in table[part].items()
    )


_TABLE = packaged_table("tolman.world", "vocabulary.toml")
VOCABULARY_V1: tuple[ObjectKind, ...] = kinds_in(_TABLE)
"""The kinds that generated scenes draw from. Frozen: one kind more, or another order, and every seed would make another
world."""

ADDED_KINDS: tuple[ObjectKind, ...] = ()
"""Kinds that scene files and pictures know, and that no generated scene draws."""

KIND_BY_NAME: dict[str, ObjectKind] = {kind.name: kind for kind in (*VOCABULARY_V1, *ADDED_KINDS)}

VOCABULARY_V2: tuple[ObjectKind, ...] = kinds_in(_TABLE["version_2"])
"""The kinds of world version 2, with their real sizes: without those that would be too small to recognise at six
metres, or too large for the rooms. Frozen like the first."""

_SIZES: dict[int, dict[str, ObjectKind]] = {2: {kind.name: kind for kind in VOCABULARY_V2}}
_PICTURED: dict[str, tuple[float, float, float]] = _TABLE["pictured"]


def vocabulary_of(version: int) -> tuple[ObjectKind, ...]:
    """The kinds that generated scenes of a world version draw from."""
    return VOCABULARY_V1 if version == 1 else VOCABULARY_V2


def kind_in(name: str, version: int = 1) -> ObjectKind | None:
    """The kind of that name with its size in pictures of a world version; None for an unknown name.

    In version 1 sizes may differ from those of the published vocabulary. Kinds that version 2 lacks have those of 1.
    """
    kind = _SIZES.get(version, {}).get(name) or KIND_BY_NAME.get(name)
    if kind is None or version != 1 or name not in _PICTURED:
        return kind
    width, depth, height = _PICTURED[name]
    return replace(kind, width=width, depth=depth, height=height)


COLOURS: dict[str, str] = _TABLE["colours"]
UNKNOWN_DOOR = "#9a948c"


def door_colour(name: str) -> str:
    """The sRGB code of `<colour> door`; grey if the name has no known colour."""
    return COLOURS.get(name.removesuffix(" door"), UNKNOWN_DOOR)


"""Colour words of doors, with the sRGB value that pictures use. The first five are the published ones."""
