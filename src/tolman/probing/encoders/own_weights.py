"""Weights of our own vision transformer, in one safetensors file that also says how the network is built."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from tolman.models.local.wheel_data import WeightsError
from tolman.probing.encoder import BRIEF
from tolman.probing.encoders.blocks import BlockEncoder
from tolman.probing.encoders.hub_weights import weights_digest
from tolman.probing.encoders.small_vit import SmallVit, VitShape, vit_encoder
from tolman.whole_file import write_whole


def save_own(vit: SmallVit, path: Path, recipe: str, pictures: Iterable[str]) -> None:
    """Write the weights, with the network's sizes, how they were trained, and the digests of the pictures."""
    about = {"shape": str(vit.shape), "recipe": recipe, "pictures": " ".join(sorted({one[:BRIEF] for one in pictures}))}
    weights = {name: values.detach().cpu().float().contiguous() for name, values in vit.state_dict().items()}
    write_whole(path, save(weights, metadata=about))


def load_own(name: str, path: Path, device: torch.device) -> BlockEncoder:
    """The encoder in a file."""
    if not path.is_file():
        raise WeightsError(f"{name} is not here yet: run tolman probe pretrain, or give --weights FILE")
    try:
        with cast("Any", safe_open)(path, framework="pt") as stored:
            about = stored.metadata()
            shape, seen = VitShape.of(about["shape"]), frozenset(about.get("pictures", "").split())
            weights: dict[str, Tensor] = {key: stored.get_tensor(key) for key in stored.keys()}  # noqa: SIM118
        vit = SmallVit(shape)
        vit.load_state_dict(weights)
    except (SafetensorError, KeyError, TypeError, ValueError, RuntimeError, OSError):
        raise WeightsError(f"{path} does not hold a vision transformer of Tolman's: train it anew") from None
    return replace(vit_encoder(name, weights_digest(path), vit, device), trained_on=seen)
