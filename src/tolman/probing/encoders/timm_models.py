"""Vision transformers of the timm library as encoders, where timm can be imported."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor

from tolman.core.package_archive import WeightsError
from tolman.probing.encoder import SIDE, BlockEncoder, EncoderError, EncoderLayout
from tolman.probing.encoders.hub_weights import weights_digest


def load_timm(name: str, model_name: str, folder: Path, device: torch.device) -> BlockEncoder:
    """A timm model by name, with the weights in a folder."""
    try:
        import timm  # noqa: PLC0415  # pyright: ignore[reportMissingImports]
    except Exception as error:  # timm imports torchvision, which fails in various ways with another torch
        raise EncoderError(
            f"{name} needs timm, which can't be imported here ({type(error).__name__}): pip install timm, with a "
            "torchvision that fits your torch"
        ) from None
    files = sorted(folder.glob("model*.safetensors"))
    if len(files) != 1:
        raise WeightsError(f"{folder} should hold one model.safetensors, not {len(files)}")
    untyped = cast("Any", timm)
    try:
        model = untyped.create_model(model_name.partition(".")[0], pretrained=False, num_classes=0, img_size=SIDE)
        # timm's own conversion of weight names and position embeddings
        fit: Any = getattr(sys.modules[type(model).__module__], "checkpoint_filter_fn", None)
        weights = load(files[0].read_bytes())
        missing = model.load_state_dict(fit(weights, model) if fit else weights, strict=False).missing_keys
    except (RuntimeError, ValueError, TypeError, KeyError, SafetensorError) as error:
        raise WeightsError(f"{files[0]} is not {model_name}: {str(error).splitlines()[0]}") from None
    if missing:
        raise WeightsError(f"{files[0]} lacks weights of {model_name}, such as {min(missing)}")
    return timm_encoder(name, weights_digest(*files), model, device)


def timm_encoder(name: str, weights: str, model: Any, device: torch.device) -> BlockEncoder:
    """A loaded model as an encoder."""
    model = model.eval().requires_grad_(False).float().to(device)
    patch = model.patch_embed.patch_size[0]
    cls = model.cls_token is not None
    layout = EncoderLayout(patch, model.embed_dim, len(model.blocks), cls, model.num_prefix_tokens - int(cls))

    def attend(pictures: Tensor) -> Sequence[Tensor]:
        caught: list[Tensor] = []

        def keep(_module: object, _inputs: object, output: Tensor) -> None:
            caught.append(output)

        parts = [block.attn for block in model.blocks]
        before = [part.fused_attn for part in parts]
        handles = [part.attn_drop.register_forward_hook(keep) for part in parts]
        for part in parts:
            part.fused_attn = False
        try:
            model.forward_features(pictures)
        finally:
            for part, fused, handle in zip(parts, before, handles, strict=True):
                part.fused_attn = fused
                handle.remove()
        return caught

    return BlockEncoder(name, weights, layout, device, model.forward_features, list(model.blocks), attend)
