"""The image encoder inside VGGT: a DINOv2 with registers that was trained on. It is all of VGGT that is probed.

Its weights have the names of DINOv2's first release; here they get those of transformers.
"""

import re
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from tolman.models.local.wheel_data import WeightsError
from tolman.probing.encoders.blocks import BlockEncoder
from tolman.probing.encoders.hub_weights import weights_digest
from tolman.probing.encoders.transformers_models import transformers_encoder

_BEFORE = "aggregator.patch_embed."
_NAMES = (
    (r"^cls_token$", "embeddings.cls_token"),
    (r"^mask_token$", "embeddings.mask_token"),
    (r"^register_tokens$", "embeddings.register_tokens"),
    (r"^pos_embed$", "embeddings.position_embeddings"),
    (r"^patch_embed\.proj\.", "embeddings.patch_embeddings.projection."),
    (r"^norm\.", "layernorm."),
    (r"^blocks\.(\d+)\.attn\.proj\.", r"encoder.layer.\1.attention.output.dense."),
    (r"^blocks\.(\d+)\.ls(\d)\.gamma$", r"encoder.layer.\1.layer_scale\2.lambda1"),
    (r"^blocks\.(\d+)\.", r"encoder.layer.\1."),
)
_MIXED = re.compile(r"^blocks\.(\d+)\.attn\.qkv\.(weight|bias)$")


def load_vggt(name: str, folder: Path, device: torch.device) -> BlockEncoder:
    """The encoder from a folder with VGGT's `model.safetensors`."""
    import transformers  # noqa: PLC0415

    files = sorted(folder.glob("model*.safetensors"))
    renamed = hub_names(_read(files))
    if not renamed:
        raise WeightsError(f"{folder} holds no {_BEFORE}*: it is not VGGT")
    kind = cast("Any", transformers).Dinov2WithRegistersModel
    model, about = kind.from_pretrained(None, config=_config(renamed), state_dict=renamed, output_loading_info=True)
    if about["missing_keys"]:
        raise WeightsError(f"{folder} lacks weights of {name}, such as {min(about['missing_keys'])}")
    return transformers_encoder(name, weights_digest(*files), model, device)


def _read(files: list[Path]) -> dict[str, Tensor]:
    found: dict[str, Tensor] = {}
    for file in files:
        try:
            with cast("Any", safe_open)(file, framework="pt") as stored:
                names = [key for key in stored.keys() if key.startswith(_BEFORE)]  # noqa: SIM118
                found |= {key.removeprefix(_BEFORE): stored.get_tensor(key) for key in names}
        except SafetensorError as error:
            raise WeightsError(f"{file} can't be read: {error}") from None
    return found


def hub_names(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights under the names that transformers gives them; three matrices that were kept as one are taken apart."""
    renamed: dict[str, Tensor] = {}
    for key, values in weights.items():
        mixed = _MIXED.match(key)
        if mixed:
            for part, piece in zip(("query", "key", "value"), values.chunk(3), strict=True):
                renamed[f"encoder.layer.{mixed[1]}.attention.attention.{part}.{mixed[2]}"] = piece
            continue
        for pattern, name in _NAMES:
            new, count = re.subn(pattern, name, key)
            if count:
                renamed[new] = values
                break
    return renamed


def _config(weights: dict[str, Tensor]) -> object:
    import transformers  # noqa: PLC0415

    width, _, patch, _ = weights["embeddings.patch_embeddings.projection.weight"].shape
    places = weights["embeddings.position_embeddings"].shape[1] - 1
    layers = 1 + max(int(found[1]) for key in weights if (found := re.match(r"encoder\.layer\.(\d+)\.", key)))
    return cast("Any", transformers).Dinov2WithRegistersConfig(
        hidden_size=width,
        num_hidden_layers=layers,
        num_attention_heads=max(width // 64, 1),
        mlp_ratio=weights["encoder.layer.0.mlp.fc1.weight"].shape[0] // width,
        num_register_tokens=weights["embeddings.register_tokens"].shape[1],
        patch_size=patch,
        image_size=round(places**0.5) * patch,
    )
