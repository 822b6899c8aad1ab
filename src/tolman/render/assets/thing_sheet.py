"""Every kind of thing with its name, seen from 1, 3 and 6 metres, on pages; and how many pixels are left of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from tolman.render.assets.plain_room import Standing, camera, middle_of
from tolman.render.building.things import ModelOf
from tolman.render.lettering import write
from tolman.world.vocabulary import Kind

ENOUGH = 40
"""Pixels below which a thing can't be told."""
SIDES = (0.0, 90.0, 180.0, 270.0)
"""Degrees off the front."""
NEAR, MIDWAY, FAR = 1.0, 3.0, 6.0
"""Metres from the eye to the middle of the thing's cell."""
_ASIDE = -30.0
"""Degrees off the front from which things are shown: most things can be told best from there."""
_ACROSS, _DOWN = 3, 5
_WHOLE, _MIDDLE, _SMALL = 208, 152, 80
"""Pixels of the three pictures of a thing: the whole near view, reduced, and two cut out as they are."""
_ENOUGH_MIDWAY, _ENOUGH_FAR = 224, 128
"""Pixels about the middle of a view of 384 from which those are cut, in which any thing has room."""
_STRIP, _GAP = 26, 12


@dataclass(frozen=True, eq=False)
class Entry:
    """A thing on the sheet."""

    name: str
    near: NDArray[np.uint8]
    midway: NDArray[np.uint8]
    far: NDArray[np.uint8]
    pixels: int
    """Of the thing at 6 m, without its plinth, in a view of 384 by 384 pixels over 90 degrees."""


def entries(kinds: Sequence[Kind], model_of: ModelOf, preset: str = "standard", look: int = 0) -> Iterator[Entry]:
    """The things one by one; each takes a few seconds. `look` is the seed of their models."""
    for kind in kinds:
        thing = Standing(kind, model_of, look)
        near, _ = thing.view(camera(NEAR, _ASIDE), preset)
        midway, there = thing.view(middle_of(camera(MIDWAY, _ASIDE), _ENOUGH_MIDWAY), preset)
        far, small = thing.view(middle_of(camera(FAR, _ASIDE), _ENOUGH_FAR), preset)
        pixels = int(small.sum())
        yield Entry(kind.name, near, _cut(midway, there, _MIDDLE), _cut(far, small, _SMALL), pixels)


def least_pixels(kind: Kind, model_of: ModelOf, looks: Sequence[int] = range(4)) -> int:
    """The fewest pixels that a thing has at 6 m, over some looks and the four sides that scenes show."""
    things = [Standing(kind, model_of, look) for look in looks]
    return min(thing.pixels(FAR, side) for thing in things for side in SIDES)


def _cut(picture: NDArray[np.uint8], there: NDArray[np.bool_], side: int) -> NDArray[np.uint8]:
    """A square with the thing in its middle, as far as the picture reaches."""
    rows, columns = np.nonzero(there)
    top, left = (
        int(np.clip((at.min() + at.max() + 1) // 2 - side // 2, 0, len(picture) - side)) for at in (rows, columns)
    )
    return picture[top : top + side, left : left + side]


def pages(shown: Sequence[Entry]) -> Iterator[Image.Image]:
    """Sheets of fifteen things each, in the order given."""
    for start in range(0, len(shown), _ACROSS * _DOWN):
        yield _page(shown[start : start + _ACROSS * _DOWN])


def _page(shown: Sequence[Entry]) -> Image.Image:
    wide, high = _WHOLE + _MIDDLE + _SMALL + 2, _WHOLE + _STRIP
    rows = -(-len(shown) // _ACROSS)
    page = Image.new("RGB", (_ACROSS * (wide + _GAP) + _GAP, rows * (high + _GAP) + _GAP), "#ffffff")
    for number, entry in enumerate(shown):
        row, column = divmod(number, _ACROSS)
        _put(page, entry, _GAP + column * (wide + _GAP), _GAP + row * (high + _GAP))
    return page


def _put(page: Image.Image, entry: Entry, left: int, top: int) -> None:
    near = Image.fromarray(entry.near).resize((_WHOLE, _WHOLE), Image.Resampling.LANCZOS)
    middle, small = left + _WHOLE + 1, left + _WHOLE + _MIDDLE + 2
    page.paste(near, (left, top))
    page.paste(Image.fromarray(entry.midway), (middle, top + _WHOLE - _MIDDLE))
    page.paste(Image.fromarray(entry.far), (small, top + _WHOLE - _SMALL))
    write(page, "1 m", (left + 4, top + 11), 12)
    write(page, "3 m", (middle + 2, top + _WHOLE - _MIDDLE - 12), 12)
    write(page, "6 m", (small + 2, top + _WHOLE - _SMALL - 28), 12)
    write(page, f"{entry.pixels} pixels", (small + 2, top + _WHOLE - _SMALL - 12), 12)
    write(page, entry.name, (left + 2, top + _WHOLE + _STRIP / 2), 17)
