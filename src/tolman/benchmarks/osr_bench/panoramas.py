"""The pictures of a case as they are sent to a model: the panorama rotated, scaled, or cut into perspective views.
Rows go from straight up to straight down, columns clockwise all around; the middle column is straight ahead.
"""

import importlib.util
import io
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from scipy.ndimage import map_coordinates  # pyright: ignore[reportUnknownVariableType]

from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.dataset.files import panorama_png
from tolman.benchmarks.osr_bench.options import Options, Views
from tolman.core.errors import RenderError, SceneFileError
from tolman.core.files import encoded
from tolman.core.limits import PANORAMA_WIDTH, PICTURE_FILE, read_file

Pixels = NDArray[np.uint8]
"""Height, width, and red, green and blue."""
EYE_LEVEL_VIEWS: dict[str, tuple[float, float]] = {
    "ahead": (0, 0),
    "right": (90, 0),
    "behind": (180, 0),
    "left": (270, 0),
}
"""Views at eye level: clockwise degrees from straight ahead, and degrees up."""
CUBE_VIEWS = EYE_LEVEL_VIEWS | {"up": (0, 90), "down": (0, -90)}
_sample_pixels = cast("Callable[..., NDArray[np.float32]]", map_coordinates)


def read_panorama(data: bytes, name: str) -> Pixels:
    """The pixels of a picture file."""
    try:
        with Image.open(io.BytesIO(data), formats=["PNG", "JPEG"]) as picture:
            if picture.width != 2 * picture.height or picture.width > PANORAMA_WIDTH:
                raise SceneFileError(
                    f"{name} is no panorama: it should be twice as wide as high, up to {PANORAMA_WIDTH} pixels"
                )
            return np.asarray(picture.convert("RGB"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise SceneFileError(f"{name} can't be read as a picture: {error}") from None


def png(pixels: Pixels) -> bytes:
    """The picture as a file."""
    return encoded(Image.fromarray(pixels), "PNG")


def rotated(panorama: Pixels, degrees: float) -> Pixels:
    """The panorama after a clockwise rotation of the camera; interpolated only for fractions of a pixel."""
    shift = (degrees % 360) / 360 * panorama.shape[1]
    whole = math.floor(shift + 1e-9)
    near, rest = np.roll(panorama, -whole, axis=1), shift - whole
    if rest < 1e-9:
        return near
    mixed = (1 - rest) * near.astype(np.float32) + rest * np.roll(near, -1, axis=1).astype(np.float32)
    return np.rint(mixed).astype(np.uint8)


def downscaled(panorama: Pixels, width: int) -> Pixels:
    """The panorama scaled down to at most `width` pixels; never scaled up."""
    if panorama.shape[1] <= width:
        return panorama
    return np.asarray(Image.fromarray(panorama).resize((width, width // 2), Image.Resampling.LANCZOS))


def view(panorama: Pixels, heading: float, rise: float = 0.0) -> Pixels:
    """A square perspective view of 90 degrees at `heading` degrees clockwise from ahead and `rise` degrees up.

    Its centre has the resolution of the panorama.
    """
    height, width = panorama.shape[:2]
    size = max(1, round(width / math.pi))
    across = (np.arange(size) + 0.5) / size * 2 - 1
    right, up = np.meshgrid(across, -across)
    tilt = math.radians(rise)
    along, upward = math.cos(tilt) - up * math.sin(tilt), math.sin(tilt) + up * math.cos(tilt)
    bearing = np.arctan2(right, along) / (2 * math.pi) + heading / 360
    slope = np.arctan2(upward, np.hypot(right, along)) / math.pi
    columns = (bearing + 0.5) % 1 * width - 0.5
    rows = (0.5 - slope) * height - 0.5
    wrapped = np.pad(panorama, ((0, 0), (1, 1), (0, 0)), mode="wrap").astype(np.float32)
    where = np.stack([rows, columns + 1])
    layers = [_sample_pixels(wrapped[..., i], where, order=1, mode="nearest") for i in range(3)]
    return np.rint(np.stack(layers, axis=-1)).astype(np.uint8)


PANORAMA = "panorama"
CUT_VIEWS: dict[Views, dict[str, tuple[float, float]]] = {"four": EYE_LEVEL_VIEWS, "six": CUBE_VIEWS}
"""Perspective views by option: their names, and where they look."""


@dataclass(frozen=True)
class SentPicture:
    """One picture: what it is of (`panorama`, `ahead`, `right`, ...) and its PNG file."""

    view: str
    png: bytes


def sent_pictures(case: Case, options: Options, turn: int) -> list[SentPicture]:
    """The pictures that are sent, with the camera rotated clockwise by `turn` degrees."""
    if options.views == "blind":
        return []
    name = case.picture or f"the panorama of scene {case.id}"
    whole = rotated(downscaled(read_panorama(panorama_of(case, options), name), options.width), turn)
    if options.views == "panorama":
        return [SentPicture(PANORAMA, png(whole))]
    return [SentPicture(label, png(view(whole, *angles))) for label, angles in CUT_VIEWS[options.views].items()]


def check_renderer(options: Options) -> None:
    """Raise if the renderer is not installed, or the preset or assets are unknown."""
    if importlib.util.find_spec("mitsuba") is None or importlib.util.find_spec("pyoidn") is None:
        raise RenderError("panoramas are rendered with Mitsuba: pip install 'tolman[render]'")
    from tolman.render.assets.choose import find_source  # noqa: PLC0415 imports the renderer
    from tolman.render.engine.values import find_preset  # noqa: PLC0415

    find_preset(options.preset)
    find_source(options.assets)


def panorama_of(case: Case, options: Options) -> bytes:
    """The panorama of a case as file content: read, or rendered for a generated room."""
    if case.seed is not None:
        return panorama_png(
            case.seed,
            options.space_settings,
            width=options.width,
            preset=options.preset,
            assets=options.assets,
        )
    try:
        return read_file(Path(case.picture), PICTURE_FILE)
    except OSError as error:
        raise SceneFileError(f"{case.picture} can't be read: {error.strerror}") from None
