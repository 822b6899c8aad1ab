"""Words on a picture: dark letters with a light rim, to be read on any ground."""

from functools import lru_cache
from pathlib import Path

import matplotlib as mpl
from PIL import Image, ImageDraw, ImageFont

from tolman.render.plan.letters import drawable

_INK, _RIM = "#1b1f24", "#ffffff"


def write(
    picture: Image.Image, text: str, left: tuple[float, float], size: float, *, room: float | None = None
) -> None:
    """A line of text from the middle of its left edge, in pixels from the upper left; cut off where there is no room.

    `room` is how many pixels there are, up to the right side of the picture unless told.
    """
    font = _font(round(size))
    free = picture.width - left[0] if room is None else room
    line = drawable(text)
    while line and font.getlength(line) > free:
        line = line[:-1]
    draw = ImageDraw.Draw(picture)
    draw.text(left, line, fill=_INK, font=font, anchor="lm", stroke_width=max(1, round(size / 10)), stroke_fill=_RIM)


@lru_cache(maxsize=16)
def _font(size: int) -> ImageFont.FreeTypeFont:
    """The typeface that comes with matplotlib, set letter by letter, so that it is alike on every machine."""
    face = Path(mpl.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf"
    return ImageFont.truetype(face, size, layout_engine=ImageFont.Layout.BASIC)
