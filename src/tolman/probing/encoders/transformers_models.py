"""Vision models of the transformers library as encoders: DINO, DINOv2, DINOv3, MAE, CLIP, SigLIP, DeiT and ViT."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import SafetensorError
from torch import Tensor, nn

from tolman.models.local.wheel_data import WeightsError
from tolman.probing.encoder import Anatomy, EncoderError
from tolman.probing.encoders.blocks import BlockEncoder
from tolman.probing.encoders.hub_weights import folder_digest

_CLASSES: dict[str, tuple[str, dict[str, object]]] = {
    "dinov2": ("Dinov2Model", {}),
    "dinov2_with_registers": ("Dinov2WithRegistersModel", {}),
    "dinov3_vit": ("DINOv3ViTModel", {}),
    "vit": ("ViTModel", {"add_pooling_layer": False}),
    "vit_mae": ("ViTMAEModel", {"mask_ratio": 0.0}),
    "clip": ("CLIPVisionModel", {}),
    "clip_vision_model": ("CLIPVisionModel", {}),
    "siglip": ("SiglipVisionModel", {}),
    "siglip_vision_model": ("SiglipVisionModel", {}),
    "deit": ("DeiTModel", {"add_pooling_layer": False}),
}
"""Kinds of models by the name in `config.json`, with the class that reads them and what it is told."""
_PLACED = {"vit", "vit_mae", "clip_vision_model", "siglip_vision_model", "deit"}
"""Those that must be told to fit their position embeddings to the size of a picture."""


def load_transformers(
    name: str, folder: Path, device: torch.device, families: Sequence[str] = tuple(_CLASSES)
) -> BlockEncoder:
    """The encoder in a folder with `config.json` and safetensors, if it is of one of the families."""
    import transformers  # noqa: PLC0415

    untyped = cast("Any", transformers)
    untyped.utils.logging.disable_progress_bar()
    try:
        kind = str(untyped.AutoConfig.from_pretrained(folder, local_files_only=True).model_type)
    except (OSError, ValueError, KeyError) as error:
        raise WeightsError(f"{folder / 'config.json'} can't be read: {str(error).splitlines()[0]}") from None
    if kind not in _CLASSES:
        raise EncoderError(f"{name} is a {kind!r}, which has no adapter; known are {', '.join(_CLASSES)}")
    if kind not in families:
        raise WeightsError(f"{folder} holds a {kind!r}, which is not {name}; name another model as hf:NAME")
    class_name, options = _CLASSES[kind]
    try:
        model, about = getattr(untyped, class_name).from_pretrained(
            folder, local_files_only=True, use_safetensors=True, output_loading_info=True, **options
        )
    except (OSError, ValueError, RuntimeError, SafetensorError) as error:
        raise WeightsError(f"the weights of {name} in {folder} can't be read: {str(error).splitlines()[0]}") from None
    if about["missing_keys"]:
        raise WeightsError(f"{folder} lacks weights of {name}, such as {min(about['missing_keys'])}")
    return transformers_encoder(name, folder_digest(folder), model, device)


def transformers_encoder(name: str, weights: str, model: Any, device: torch.device) -> BlockEncoder:
    """A model that is loaded, as an encoder."""
    config = model.config
    options: dict[str, object] = {"interpolate_pos_encoding": True} if config.model_type in _PLACED else {}
    model = model.eval().requires_grad_(requires_grad=False).float().to(device)

    def run(pictures: Tensor, **more: object) -> Any:
        if config.model_type == "vit_mae":  # with nothing masked, noise that rises keeps patches in their order
            rising = torch.arange(_anatomy(config).patches, device=pictures.device, dtype=torch.float32)
            more["noise"] = rising.expand(len(pictures), -1)
        return model(pictures, **options, **more)

    def attend(pictures: Tensor) -> tuple[Tensor, ...]:
        before = config._attn_implementation
        model.set_attn_implementation("eager")
        try:
            return run(pictures, output_attentions=True).attentions
        finally:
            model.set_attn_implementation(before)

    return BlockEncoder(name, weights, _anatomy(config), device, run, _blocks(model, config), attend)


def _anatomy(config: Any) -> Anatomy:
    kind = config.model_type
    registers = 1 if kind == "deit" else int(getattr(config, "num_register_tokens", 0))
    cls = not kind.startswith("siglip")
    return Anatomy(config.patch_size, config.hidden_size, config.num_hidden_layers, cls, registers)


def _blocks(model: nn.Module, config: Any) -> list[nn.Module]:
    lists = (part for part in model.modules() if isinstance(part, nn.ModuleList))
    return list(next(part for part in lists if len(part) == config.num_hidden_layers))
