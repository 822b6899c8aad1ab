"""Loading of encoders by name."""

from collections.abc import Callable
from pathlib import Path

import torch

from tolman.core.errors import UnknownNameError
from tolman.core.files import cache_folder
from tolman.core.package_archive import WeightsError
from tolman.probing.encoder import Encoder
from tolman.probing.encoders.maker_checkpoints import load_maker_checkpoint
from tolman.probing.encoders.own_encoders import (
    PixelEncoder,
    VitShape,
    load_onnx,
    load_tolman_vit,
    load_torchscript,
    new_vit,
    vit_encoder,
)
from tolman.probing.encoders.packaged.catalogue import PACKAGED_ENCODERS, load_packaged
from tolman.probing.encoders.packaged.saliency_vit import load_saliency_vit
from tolman.probing.encoders.presets import PRESETS, Preset, hub_file, refuse_misnamed, weights_folder
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
