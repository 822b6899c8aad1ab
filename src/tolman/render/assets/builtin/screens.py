"""What screens show: pictures drawn with numpy, sRGB."""

import numpy as np

from tolman.render.assets.builtin.draws import between, pick
from tolman.render.assets.builtin.registry import Stream
from tolman.render.shapes.material import Material, Texture
from tolman.render.shapes.textures import noise

HEIGHT, WIDTH = 144, 256


def landscape(stream: Stream) -> Material:
    """A picture of hills below a sky, as a television shows it."""
    down, along = np.mgrid[0:HEIGHT, 0:WIDTH]
    share = (down / HEIGHT)[..., None]
    picture = (1 - share) * np.array([60, 130, 215]) + share * np.array([225, 235, 245])
    line = noise(stream, 4, 1, WIDTH)[0]
    for level, colour in ((0.42, (105, 135, 150)), (0.56, (60, 115, 75)), (0.74, (95, 150, 60))):
        ground = HEIGHT * (level + 0.22 * (np.roll(line, int(255 * level)) - 0.5))
        picture = np.where((down > ground[along])[..., None], np.array(colour), picture)
    x, y = between(stream, 40, 210), between(stream, 20, 45)
    sun = ((along - x) ** 2 + (down - y) ** 2 < 14**2)[..., None]
    return _screen(np.where(sun, np.array([255, 232, 140]), picture))


def desktop(stream: Stream) -> Material:
    """A coloured background with two windows of text lines and a bar below."""
    base = np.array(pick(stream, (38, 92, 150), (90, 60, 130), (25, 120, 115)))
    down = np.mgrid[0:HEIGHT, 0:WIDTH][0]
    picture = base * (1.25 - 0.5 * (down / HEIGHT))[..., None]
    picture[HEIGHT - 12 :] = (28, 30, 36)
    for i in range(5):
        picture[HEIGHT - 10 : HEIGHT - 3, 8 + 14 * i : 16 + 14 * i] = stream.integers(90, 255, 3)
    for left, top, right, bottom in ((24, 16, 140, 112), (120, 34, 236, 124)):
        picture[top:bottom, left:right] = (246, 246, 243)
        picture[top : top + 9, left:right] = (70, 78, 92)
        for row in range(top + 16, bottom - 8, 9):
            end = left + 10 + int(between(stream, 0.35, 0.95) * (right - left - 20))
            picture[row : row + 4, left + 10 : end] = pick(
                stream, (90, 95, 105), (90, 95, 105), (200, 80, 60), (50, 110, 190)
            )
    return _screen(picture)


def _screen(picture: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Material:
    return Material(Texture(np.clip(picture, 0, 255).astype(np.uint8)), roughness=0.15)
