"""Loading of encoders by name; MaskFeat, SPA, CroCo and CroCo v2 from the files that their makers publish, which are
plain vision transformers under other names of weights.

Of such a file only numbers are read, pickles in a separate process. Decoders, mask tokens and heads are left out.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import torch
from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor, nn

from tolman.core.errors import UnknownNameError
from tolman.core.files import cache_folder
from tolman.core.package_archive import WeightsError
from tolman.probing.encoder import SIDE, BlockEncoder, Encoder, EncoderLayout, from_array, split
from tolman.probing.encoders.own_encoders import (
    PixelEncoder,
    TransformerBlock,
    VitShape,
    load_onnx,
    load_tolman_vit,
    load_torchscript,
    new_vit,
    vit_encoder,
)
from tolman.probing.encoders.packaged.catalogue import PACKAGED_ENCODERS, load_packaged
from tolman.probing.encoders.packaged.saliency_vit import load_saliency_vit
from tolman.probing.encoders.packaged.weight_files import read_checkpoint
from tolman.probing.encoders.presets import PRESETS, Preset, hub_file, refuse_misnamed, weights_digest, weights_folder
from tolman.probing.encoders.transformers_models import load_timm, load_transformers, load_vggt

_SEED = 0
WeightsPath = Path | None


def find_encoder(name: str, weights: WeightsPath = None, device: str | torch.device = "cpu") -> Encoder:
    """The encoder of a name: a preset, or `hf:ORG/NAME`, `timm:ORG/NAME`, `torchscript:FILE`, `onnx:FILE`.

    `weights` is a folder of weights to use instead of the hub; for an exported encoder or a maker's own, the file.
    """
    refuse_misnamed(name)
    torch_device = found_device(device)
    kind, _, rest = name.partition(":")
    if rest and kind == "hf":
        return load_transformers(name, weights_folder(rest, weights), torch_device)
    if rest and kind == "timm":
        return load_timm(name, rest.split("/")[-1], weights_folder(rest, weights), torch_device)
    if rest and kind in {"torchscript", "onnx"}:
        return _load_exported(f"{kind}:{Path(rest).name}", Path(rest), torch_device)
    for preset in PRESETS:
        if preset.name == name:
            return _load_preset(preset, weights, torch_device)
    known = ", ".join(preset.name for preset in PRESETS)
    raise UnknownNameError(f"no encoder is called {name!r}: choose {known}, or hf:, timm:, torchscript:, onnx:")


def found_device(device: str | torch.device) -> torch.device:
    """The device of that name; raises where it is not available."""
    try:
        torch_device = torch.device(device)
    except RuntimeError:
        raise UnknownNameError(f"there is no device {device!r}: choose cpu or cuda") from None
    if torch_device.type not in {"cpu", "cuda"}:
        raise UnknownNameError(f"probing runs on cpu or cuda, not {torch_device.type}")
    if torch_device.type == "cuda" and (torch_device.index or 0) >= torch.cuda.device_count():
        raise UnknownNameError(f"torch sees no device {torch_device} here: choose --device cpu")
    return torch_device


def _load_preset(preset: Preset, weights: WeightsPath, device: torch.device) -> Encoder:
    if preset.way == "own":
        return _OWN_ENCODERS[preset.name](weights, device)
    if preset.way == "package":
        packaged = next((one for one in PACKAGED_ENCODERS if one.name == preset.name), None)
        return load_packaged(packaged, weights, device) if packaged else load_saliency_vit(weights, device)
    if preset.way == "checkpoint":
        return _load_checkpoint(preset, weights, device)
    folder = weights_folder(preset.hub_id, weights)
    if preset.way == "timm":
        return _with_expected_size(preset, load_timm(preset.name, preset.hub_id.split("/")[-1], folder, device))
    if preset.way == "vggt":
        return _with_expected_size(preset, load_vggt(preset.name, folder, device))
    return _with_expected_size(preset, load_transformers(preset.name, folder, device, preset.families))


def _load_checkpoint(preset: Preset, weights: WeightsPath, device: torch.device) -> Encoder:
    """An encoder from its maker's file, or one that the user exported."""
    if weights is not None and weights.suffix in {".pt", ".onnx"}:
        return _load_exported(preset.name, weights, device)
    repository, _, file = preset.hub_id.partition(", ")
    if weights is None and file.endswith(".safetensors"):
        weights = hub_file(repository, file)
    if weights is None:
        raise WeightsError(f"{preset.name} needs its maker's file: give --weights with {file} of {repository}")
    return _with_expected_size(preset, load_maker_checkpoint(preset.name, weights, device))


def _with_expected_size(preset: Preset, encoder: Encoder) -> Encoder:
    """The encoder; raises where its sizes contradict its name."""
    layout = encoder.layout
    found = layout.width, layout.layers, layout.patch
    if preset.size not in {None, found}:
        raise WeightsError(
            f"these weights are not {preset.name}: width {found[0]}, {found[1]} layers, patches of {found[2]} pixels; "
            "name another model as hf:NAME"
        )
    return encoder


def _load_exported(name: str, path: Path, device: torch.device) -> Encoder:
    return (load_onnx if path.suffix == ".onnx" else load_torchscript)(name, path, device)


def _refuse_weights(name: str, weights: WeightsPath) -> None:
    if weights is not None:
        raise WeightsError(f"{name} has no weights to read: leave --weights out")


def _random(weights: WeightsPath, device: torch.device) -> Encoder:
    _refuse_weights("random", weights)
    return vit_encoder("random", f"seed {_SEED}", new_vit(VitShape(), _SEED), device)


def _pixels(weights: WeightsPath, device: torch.device) -> Encoder:
    _refuse_weights("pixels", weights)
    return PixelEncoder(device)


def tolman_vit_path() -> Path:
    """The default file of our own encoder."""
    return cache_folder() / "encoders" / "tolman-mae.safetensors"


def _tolman_vit(weights: WeightsPath, device: torch.device) -> Encoder:
    path = weights or tolman_vit_path()
    return load_tolman_vit("tolman-mae", path / tolman_vit_path().name if path.is_dir() else path, device)


_OWN_ENCODERS: dict[str, Callable[[WeightsPath, torch.device], Encoder]] = {
    "random": _random,
    "pixels": _pixels,
    "tolman-mae": _tolman_vit,
}


_HEAD_WIDTH = 64
"""Width of an attention head in all four."""
_ROTARY_BASE = 100.0
"""Of CroCo v2, which calls its positions RoPE100."""
_TIMM_PARTS = {"norm1": "norm1", "norm2": "norm2", "attn.qkv": "qkv", "attn.proj": "out"} | {
    "mlp.fc1": "wide",
    "mlp.fc2": "narrow",
}
_MM_PARTS = {"ln1": "norm1", "ln2": "norm2", "attn.qkv": "qkv", "attn.proj": "out"} | {
    "ffn.layers.0.0": "wide",
    "ffn.layers.1": "narrow",
}


@dataclass(frozen=True)
class MakerFormat:
    """Names of weights in a maker's file, and how the network uses them."""

    prefix: str
    blocks: str
    """Name of the list of blocks."""
    parts: Mapping[str, str]
    """Names within a block, and ours."""
    embed: str
    norm: str
    positions: str = "pos_embed"
    """Position embeddings, with that of [CLS] first where there is one; empty for rotary positions."""
    cls: str = "cls_token"
    """Empty where there is no [CLS]."""
    normed: bool = False
    """Whether the last layer is read after the last norm, as the SpaRRTa authors do for this network."""


MAKER_FORMATS: dict[str, MakerFormat] = {
    "maskfeat-b16": MakerFormat("backbone.", "layers", _MM_PARTS, "patch_embed.projection", "ln1"),
    "spa-b16": MakerFormat("model.img_backbone.", "blocks", _TIMM_PARTS, "patch_embed.proj", "norm", normed=True),
    "croco-b16": MakerFormat("", "enc_blocks", _TIMM_PARTS, "patch_embed.proj", "enc_norm", "enc_pos_embed", ""),
    "crocov2-b16": MakerFormat("", "enc_blocks", _TIMM_PARTS, "patch_embed.proj", "enc_norm", "", "", normed=True),
}
"""By name of the encoder: mmselfsup, SPA's Lightning module, and CroCo's network for pre-training."""


class _RotaryBlock(TransformerBlock):
    """A block whose queries and keys are rotated by the row of their patch in one half, and by its column in the
    other."""

    def __init__(self, width: int, heads: int, grid: int) -> None:
        super().__init__(width, heads)
        quarter = width // heads // 4
        rates = _ROTARY_BASE ** -(torch.arange(quarter, dtype=torch.float32) / quarter)
        angles = torch.arange(grid, dtype=torch.float32)[:, None] * rates
        rows, columns = angles[:, None].expand(-1, grid, -1), angles[None].expand(grid, -1, -1)
        turned = torch.stack((rows, columns), dim=2).reshape(grid * grid, 2, 1, quarter)
        self.register_buffer("cos", turned.cos(), persistent=False)
        self.register_buffer("sin", turned.sin(), persistent=False)

    def _parts(self, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        query, key, value = super()._parts(tokens)
        return self._rotated(query), self._rotated(key), value

    def _rotated(self, values: Tensor) -> Tensor:
        cos, sin = cast("Tensor", self.cos), cast("Tensor", self.sin)
        first, second = split(values.view(*values.shape[:-1], 2, 2, cos.shape[-1]), 1, dim=-2)
        return torch.cat((first * cos - second * sin, second * cos + first * sin), dim=-2).flatten(-3)


class PlainVit(nn.Module):
    """A vision transformer with or without [CLS], with added or rotary positions."""

    def __init__(self, width: int, layers: int, patch: int, maker: MakerFormat) -> None:
        super().__init__()
        grid, heads = SIDE // patch, width // _HEAD_WIDTH
        self.embed = nn.Conv2d(3, width, patch, patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, width)) if maker.cls else None
        added = nn.Parameter(torch.zeros(1, grid * grid + bool(maker.cls), width))
        self.positions = added if maker.positions else None
        blocks = [
            TransformerBlock(width, heads) if maker.positions else _RotaryBlock(width, heads, grid)
            for _ in range(layers)
        ]
        self.blocks = nn.ModuleList(blocks)
        self.norm = nn.LayerNorm(width, eps=1e-6)

    def embedded(self, pictures: Tensor) -> Tensor:
        """The input of the first block."""
        tokens = self.embed(pictures).flatten(2).transpose(1, 2)
        if self.cls is not None:
            tokens = torch.cat((self.cls.expand(len(tokens), -1, -1), tokens), dim=1)
        return tokens if self.positions is None else tokens + self.positions

    def attention(self, pictures: Tensor) -> list[Tensor]:
        tokens, found = self.embedded(pictures), list[Tensor]()
        for block in self.blocks:
            found.append(cast("TransformerBlock", block).weights(tokens))
            tokens = block(tokens)
        return found


def load_maker_checkpoint(name: str, path: Path, device: torch.device) -> BlockEncoder:
    """The encoder of a name from its maker's file: `.pth` or `.ckpt`, or safetensors with the same names of weights."""
    maker = MAKER_FORMATS[name]
    weights = _our_names(_read(path), maker, path)
    width, _, patch, _ = weights["embed.weight"].shape
    layers = 1 + max(int(key.split(".")[1]) for key in weights if key.startswith("blocks."))
    vit = PlainVit(width, layers, patch, maker)
    if vit.positions is not None and weights["positions"].shape != vit.positions.shape:
        raise WeightsError(
            f"{path} has {weights['positions'].shape[1]} positions, not the {vit.positions.shape[1]} of {SIDE} pixels"
        )
    try:
        vit.load_state_dict(weights)
    except RuntimeError as error:
        raise WeightsError(f"{path} is not {name}: {' '.join(str(error).split())[:200]}") from None
    vit = vit.eval().requires_grad_(requires_grad=False).to(device)
    blocks: list[nn.Module] = list(vit.blocks)
    if maker.normed:
        blocks[-1] = nn.Sequential(blocks[-1], vit.norm)

    def run(pictures: Tensor) -> Tensor:
        tokens = vit.embedded(pictures)
        for block in blocks:
            tokens = block(tokens)
        return tokens

    layout = EncoderLayout(patch, width, layers, bool(maker.cls))
    return BlockEncoder(name, weights_digest(path), layout, device, run, blocks, vit.attention)


def _read(path: Path) -> dict[str, Tensor]:
    if not path.is_file():
        raise WeightsError(f"{path} is not a file")
    if path.suffix != ".safetensors":
        return {key: from_array(values, torch.device("cpu")) for key, values in read_checkpoint(path).items()}
    try:
        return {key: values.float() for key, values in load(path.read_bytes()).items()}
    except (SafetensorError, OSError) as error:
        raise WeightsError(f"{path} is not a readable safetensors file ({error})") from None


def _our_names(stored: Mapping[str, Tensor], maker: MakerFormat, path: Path) -> dict[str, Tensor]:
    """The weights of the encoder under our names; raises where some are missing, or a block has more than ours."""
    single = {maker.embed: "embed", maker.norm: "norm"}
    whole = {name: ours for name, ours in ((maker.cls, "cls"), (maker.positions, "positions")) if name}
    block = re.compile(rf"{re.escape(maker.blocks)}\.(\d+)\.(.+)\.(weight|bias)")
    found: dict[str, Tensor] = {}
    for key, values in stored.items():
        name = key.removeprefix(maker.prefix)
        if not key.startswith(maker.prefix):
            continue
        part, _, kind = name.rpartition(".")
        if inside := block.fullmatch(name):
            if inside[2] not in maker.parts:
                raise WeightsError(f"{path} has {key}, which this network has no place for")
            found[f"blocks.{inside[1]}.{maker.parts[inside[2]]}.{inside[3]}"] = values
        elif part in single:
            found[f"{single[part]}.{kind}"] = values
        elif name in whole:
            found[whole[name]] = values.reshape(1, -1, values.shape[-1])
        elif name == "enc_pos_embed" or name.startswith(f"{maker.blocks}."):
            raise WeightsError(f"{path} has {key}, which this network has no place for")
    wanted = ("embed.weight", "blocks.0.qkv.weight", *whole.values())
    if missing := [name for name in wanted if name not in found]:
        raise WeightsError(f"{path} has no weights of this network: {missing[0]} is missing among its {len(stored)}")
    return found
