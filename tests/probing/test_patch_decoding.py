"""Whether things are in tokens: told where they are, not told where they are not."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from tolman.core.errors import SettingsError  # noqa: E402
from tolman.probing.attention import MaskedPicture, average_precision, decode_patches  # noqa: E402
from tolman.probing.encoder import EncoderLayout  # noqa: E402

THINGS = {"source": (250, 20, 20), "target": (20, 20, 250)}


@dataclass(frozen=True)
class Colours:
    """The first layer gives mean colours of patches, the second the same for all. Two tokens stand before them."""

    name: str = "colours"
    weights: str = "none"
    layout: EncoderLayout = EncoderLayout(16, 3, 2, cls=True, registers=1)  # noqa: RUF009
    device: Any = torch.device("cpu")  # noqa: RUF009
    trained_on: frozenset[str] = frozenset()

    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        patches = torch.nn.functional.avg_pool2d(pictures, 16).flatten(2).transpose(1, 2)
        before = torch.full((len(pictures), 2, 3), 1e4)
        return [torch.cat([before, patches if layer == 1 else torch.ones_like(patches)], dim=1) for layer in layers]

    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        raise NotImplementedError


def scenes(folder: Path, count: int) -> list[MaskedPicture]:
    """Grey pictures with a red and a blue square somewhere."""
    found, stream = list[MaskedPicture](), np.random.default_rng(0)
    for number in range(count):
        pixels = np.full((224, 224, 3), 128, dtype=np.uint8)
        masks: dict[str, np.ndarray[Any, np.dtype[np.bool_]]] = {}
        for half, (name, colour) in enumerate(THINGS.items()):
            row, column = (16 * stream.integers(7, size=2)).tolist()
            masks[name] = np.zeros((224, 224), dtype=bool)
            masks[name][row : row + 32, column + 112 * half : column + 112 * half + 16] = True
            pixels[masks[name]] = colour
        path = folder / f"{number}.png"
        Image.fromarray(pixels).save(path)
        found.append(MaskedPicture(path, "forest", masks))
    return found


def test_a_thing_of_its_own_colour_is_told_by_colours_and_by_nothing_else(tmp_path: Path):
    found = decode_patches(Colours(), scenes(tmp_path, 24), [*THINGS, "human"], (1, 2))
    for thing in THINGS:
        assert found[1][thing].precision == pytest.approx(1)
        assert found[1][thing].share == pytest.approx(2 / 196)
        assert found[2][thing].precision == pytest.approx(found[2][thing].share)
    assert np.isnan(found[1]["human"].precision)
    assert found[1]["human"].share == 0


def test_the_map_is_tried_on_pictures_that_it_was_not_fitted_to(tmp_path: Path):
    pictures = scenes(tmp_path, 24)
    elsewhere = [replace(picture, masks={"source": ~picture.masks["source"]}) for picture in pictures[18:]]
    found = decode_patches(Colours(), [*pictures[:18], *elsewhere], ["source"], (1,))
    assert found[1]["source"].precision < found[1]["source"].share


def test_progress_is_told_to_the_end(tmp_path: Path):
    told: list[tuple[int, int]] = []
    decode_patches(Colours(), scenes(tmp_path, 40), [*THINGS], (1,), lambda done, total: told.append((done, total)))
    assert told == [(16, 40), (30, 40), (40, 40)]


def test_one_picture_is_too_few(tmp_path: Path):
    with pytest.raises(SettingsError, match="1 pictures are too few"):
        decode_patches(Colours(), scenes(tmp_path, 1), [*THINGS], (1,))


def test_average_precision_of_a_known_ranking():
    assert average_precision(np.array([4.0, 3.0, 2.0, 1.0]), np.array([True, False, True, False])) == pytest.approx(
        5 / 6
    )
    assert np.isnan(average_precision(np.array([1.0, 2.0]), np.array([False, False])))


@given(st.lists(st.tuples(st.integers(-3, 3), st.booleans()), min_size=1, max_size=40), st.randoms())
def test_average_precision_does_not_hang_on_order_and_equal_scores_are_guesses(
    rows: list[tuple[int, bool]], random: Any
):
    if not any(right for _, right in rows):
        return
    mixed = random.sample(rows, len(rows))
    one, other = (
        average_precision(np.array([s for s, _ in some], dtype=float), np.array([r for _, r in some]))
        for some in (rows, mixed)
    )
    assert one == pytest.approx(other)
    right = np.array([r for _, r in rows])
    assert average_precision(np.zeros(len(rows)), right) == pytest.approx(right.mean())
    assert 0 < one <= 1 + 1e-12
