"""Models of every family that is adapted, with few and random weights, saved as the hub keeps them."""

from pathlib import Path
from typing import Any, cast

import torch
import transformers

_SMALL: dict[str, Any] = {
    "hidden_size": 32,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 48,
    "mlp_ratio": 2,
    "image_size": 224,
    "patch_size": 32,
}
FAMILIES = {
    "dinov2": ("Dinov2Model", "Dinov2Config", {**_SMALL, "patch_size": 28, "image_size": 56}),
    "dinov2 with registers": (
        "Dinov2WithRegistersModel",
        "Dinov2WithRegistersConfig",
        {**_SMALL, "patch_size": 28, "image_size": 56, "num_register_tokens": 4},
    ),
    "dinov3": ("DINOv3ViTModel", "DINOv3ViTConfig", {**_SMALL, "num_register_tokens": 4}),
    "dino": ("ViTModel", "ViTConfig", _SMALL),
    "mae": (
        "ViTMAEForPreTraining",
        "ViTMAEConfig",
        {**_SMALL, "decoder_hidden_size": 16, "decoder_num_hidden_layers": 1},
    ),
    "clip": ("CLIPVisionModel", "CLIPVisionConfig", _SMALL),
    "siglip": ("SiglipVisionModel", "SiglipVisionConfig", _SMALL),
    "deit": ("DeiTModel", "DeiTConfig", _SMALL),
}


def save_tiny(family: str, folder: Path) -> Any:
    """Write `config.json` and `model.safetensors`; the model that was saved."""
    model_name, config_name, sizes = FAMILIES[family]
    untyped = cast("Any", transformers)
    known = {name: value for name, value in sizes.items() if hasattr(getattr(untyped, config_name)(), name)}
    model = getattr(untyped, model_name)(getattr(untyped, config_name)(**known)).eval()
    stream = torch.Generator().manual_seed(3)
    for values in model.parameters():
        torch.nn.init.normal_(values, std=0.2, generator=stream)
    model.save_pretrained(folder)
    return model


def some_pictures(count: int = 2) -> torch.Tensor:
    """Pictures as encoders take them."""
    return torch.randn(count, 3, 224, 224, generator=torch.Generator().manual_seed(1))
