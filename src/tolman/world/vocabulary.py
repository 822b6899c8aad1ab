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

_PICTURED: dict[str, tuple[float, float, float]] = _TABLE["pictured"]


def pictured_kind(name: str) -> ObjectKind | None:
    """The kind of that name with its size in pictures, which may differ from that of the published vocabulary."""
    kind = KIND_BY_NAME.get(name)
    if kind is None or name not in _PICTURED:
        return kind
    width, depth, height = _PICTURED[name]
    return replace(kind, width=width, depth=depth, height=height)


COLOURS: dict[str, str] = _TABLE["colours"]
UNKNOWN_DOOR = "#9a948c"


def door_colour(name: str) -> str:
    """The sRGB code of `<colour> door`; grey if the name has no known colour."""
    return COLOURS.get(name.removesuffix(" door"), UNKNOWN_DOOR)


"""Colour words of doors, with the sRGB value that pictures use. The first five are the published ones."""
