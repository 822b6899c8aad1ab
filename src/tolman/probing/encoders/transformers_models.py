"""Vision models loaded by the transformers library (DINO, DINOv2, DINOv3, MAE, CLIP, SigLIP, DeiT, ViT, and the image
encoder of VGGT), and vision transformers of the timm library, where timm can be imported.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load
from torch import Tensor, nn

from tolman.core.package_archive import WeightsError
from tolman.probing.encoder import SIDE, BlockEncoder, EncoderError, EncoderLayout
from tolman.probing.encoders.presets import folder_digest, weights_digest

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
"""Model classes and their options by `model_type` in `config.json`."""
_INTERPOLATED = {"vit", "vit_mae", "clip_vision_model", "siglip_vision_model", "deit"}
"""Model types that need an option to interpolate position embeddings."""


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
    """A loaded model as an encoder."""
    config = model.config
    options: dict[str, object] = {"interpolate_pos_encoding": True} if config.model_type in _INTERPOLATED else {}
    model = model.eval().requires_grad_(requires_grad=False).float().to(device)

    def run(pictures: Tensor, **more: object) -> Any:
        if config.model_type == "vit_mae":  # with mask_ratio 0, increasing noise keeps the order of patches
            rising = torch.arange(_layout(config).patches, device=pictures.device, dtype=torch.float32)
            more["noise"] = rising.expand(len(pictures), -1)
        return model(pictures, **options, **more)

    def attend(pictures: Tensor) -> tuple[Tensor, ...]:
        before = config._attn_implementation
        model.set_attn_implementation("eager")
        try:
            return run(pictures, output_attentions=True).attentions
        finally:
            model.set_attn_implementation(before)

    return BlockEncoder(name, weights, _layout(config), device, run, _blocks(model, config), attend)


def _layout(config: Any) -> EncoderLayout:
    kind = config.model_type
    registers = 1 if kind == "deit" else int(getattr(config, "num_register_tokens", 0))
    cls = not kind.startswith("siglip")
    return EncoderLayout(config.patch_size, config.hidden_size, config.num_hidden_layers, cls, registers)


def _blocks(model: nn.Module, config: Any) -> list[nn.Module]:
    lists = (part for part in model.modules() if isinstance(part, nn.ModuleList))
    return list(next(part for part in lists if len(part) == config.num_hidden_layers))


_PREFIX = "aggregator.patch_embed."
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
_QKV = re.compile(r"^blocks\.(\d+)\.attn\.qkv\.(weight|bias)$")


def load_vggt(name: str, folder: Path, device: torch.device) -> BlockEncoder:
    """The encoder from a folder with VGGT's `model.safetensors`."""
    import transformers  # noqa: PLC0415

    files = sorted(folder.glob("model*.safetensors"))
    renamed = hub_names(_read(files))
    if not renamed:
        raise WeightsError(f"{folder} holds no {_PREFIX}*: it is not VGGT")
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
                names = [key for key in stored.keys() if key.startswith(_PREFIX)]  # noqa: SIM118
                found |= {key.removeprefix(_PREFIX): stored.get_tensor(key) for key in names}
        except SafetensorError as error:
            raise WeightsError(f"{file} can't be read: {error}") from None
    return found


def hub_names(weights: dict[str, Tensor]) -> dict[str, Tensor]:
    """Weights under transformers' names, with the joint query, key and value matrices split."""
    renamed: dict[str, Tensor] = {}
    for key, values in weights.items():
        joint = _QKV.match(key)
        if joint:
            for part, piece in zip(("query", "key", "value"), values.chunk(3), strict=True):
                renamed[f"encoder.layer.{joint[1]}.attention.attention.{part}.{joint[2]}"] = piece
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
