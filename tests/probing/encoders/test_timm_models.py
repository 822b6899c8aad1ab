"""Models of timm as encoders, where timm can be imported."""

from pathlib import Path
from typing import Any, cast

import pytest

torch = pytest.importorskip("torch")
safetensors = pytest.importorskip("safetensors.torch")
try:
    import timm  # pyright: ignore[reportMissingImports]
except Exception:  # beside a torch that does not fit, torchvision fails in ways of its own
    pytest.skip("timm can't be imported here", allow_module_level=True)

from tests.probing.tiny_models import some_pictures  # noqa: E402
from tolman.core.package_archive import WeightsError  # noqa: E402
from tolman.probing.encoders.find import find_encoder  # noqa: E402


def kept(folder: Path, name: str, **options: Any) -> Any:
    """A model with random weights, and its files in a folder."""
    model = cast("Any", timm).create_model(name, pretrained=False, **options).eval()
    (folder / "config.json").write_text("{}")
    safetensors.save_file(model.state_dict(), folder / "model.safetensors")
    return model


def test_a_model_of_timm_gives_block_outputs_and_attention(tmp_path: Path):
    model = kept(tmp_path, "vit_tiny_patch16_224", img_size=224)
    encoder = find_encoder("timm:timm/vit_tiny_patch16_224.augreg_in21k", tmp_path)
    (last,) = encoder.tokens(some_pictures(1), [12])
    assert last.shape == (1, 197, 192)
    with torch.no_grad():
        assert torch.allclose(model.norm(last), model.forward_features(some_pictures(1)), atol=1e-4)
    (weights,) = encoder.attention(some_pictures(1), [3])
    assert weights.shape == (1, 3, 197, 197)


@pytest.mark.parametrize("classes", [0, 7])
def test_neither_the_classifier_nor_the_size_it_was_trained_at_matters(tmp_path: Path, classes: int):
    kept(tmp_path, "vit_small_patch14_dinov2", img_size=280, num_classes=classes)
    encoder = find_encoder("timm:timm/vit_small_patch14_dinov2.lvd142m", tmp_path)
    (last,) = encoder.tokens(some_pictures(1), [12])
    assert last.shape == (1, 257, 384)
    safetensors.save_file({"blocks.0.norm1.weight": torch.ones(384)}, tmp_path / "model.safetensors")
    with pytest.raises(WeightsError, match="lacks weights"):
        find_encoder("timm:timm/vit_small_patch14_dinov2.lvd142m", tmp_path)
