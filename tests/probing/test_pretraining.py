"""An encoder of our own: training lowers its loss, is repeatable, and gives a file that is an encoder."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

torch = pytest.importorskip("torch")

from torch.nn.utils import parameters_to_vector  # noqa: E402

from tests.probing.tiny_models import some_pictures  # noqa: E402
from tolman.core.package_archive import WeightsError  # noqa: E402
from tolman.probing.encoder import count_training_pictures  # noqa: E402
from tolman.probing.encoders.find import find_encoder  # noqa: E402
from tolman.probing.encoders.own_encoders import VitShape, new_vit, save_tolman_vit  # noqa: E402
from tolman.probing.pretraining import PretrainingRecipe, pretrain, read_pictures  # noqa: E402

TINY = PretrainingRecipe(
    VitShape(32, 2, 2, 32), 60, 16, 1e-2, decoder_width=16, decoder_layers=1, decoder_heads=2, top=1
)


def test_what_is_kept_is_where_training_led_and_not_a_mean_with_its_start():
    pixels = torch.randint(0, 255, (4, 224, 224, 3), dtype=torch.uint8, generator=torch.Generator().manual_seed(0))
    start = parameters_to_vector(new_vit(TINY.shape, TINY.seed).parameters())
    kept, led = (parameters_to_vector(pretrain(pixels, one).parameters()) for one in (TINY, replace(TINY, averaging=0)))
    assert torch.dist(kept, start) > 0.9 * torch.dist(led, start)


def test_training_lowers_the_loss_and_leaves_an_encoder(tmp_path: Path):
    stream = np.random.default_rng(0)
    for number in range(16):
        coarse = stream.integers(0, 255, (3, 3, 3), dtype=np.uint8)
        Image.fromarray(coarse).resize((224, 224), Image.Resampling.BICUBIC).save(tmp_path / f"img_{number:02d}.png")
    pixels, digests = read_pictures([tmp_path], torch.device("cpu"))
    assert pixels.shape == (16, 224, 224, 3)
    losses: list[float] = []
    one = pretrain(pixels, TINY, lambda _done, _total, loss: losses.append(loss))
    other = pretrain(pixels, TINY)
    assert losses[-1] < 0.96 * losses[0]
    path = tmp_path / "own.safetensors"
    save_tolman_vit(one, path, str(TINY), digests)
    first = path.read_bytes()
    for name, values in one.state_dict().items():
        assert torch.allclose(values, other.state_dict()[name], atol=1e-3), name
    encoder = find_encoder("tolman-mae", path)
    assert (encoder.layout.width, encoder.layout.layers, encoder.layout.patches) == (32, 2, 49)
    assert torch.allclose(encoder.tokens(some_pictures(1), [2])[0], one(some_pictures(1)), atol=1e-5)
    assert count_training_pictures(encoder, [*digests, "0" * 64]) == 16
    path.write_bytes(first[:-9])
    with pytest.raises(WeightsError, match="train it again"):
        find_encoder("tolman-mae", path)
