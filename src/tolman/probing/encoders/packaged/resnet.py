"""ResNet-50 as its authors trained it: strides in the first convolution of a block, BGR colours.

Batch norms are folded into convolutions when weights are read, so each convolution has a bias.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tolman.probing.encoder import MEAN, STD
from tolman.probing.encoders.packaged.feature_maps import Arrays, FeatureMapShape, fold_batch_norm

SHAPE = FeatureMapShape((256, 512, 1024, 2048), (14, 14, 14, 7))
"""After each of the four stages; the finer maps of the first two are pooled."""
_BLOCKS = {"2": "abc", "3": "abcd", "4": "abcdef", "5": "abc"}
_OWN_MEAN = (123.68, 116.779, 103.939)
_EPSILON = 1e-3


class Bottleneck(nn.Module):
    """Three convolutions with a residual connection, which has a projection where sizes change."""

    def __init__(self, given: int, width: int, stride: int) -> None:
        super().__init__()
        self.branch2a, self.branch2b = nn.Conv2d(given, width, 1, stride), nn.Conv2d(width, width, 3, padding=1)
        self.branch2c = nn.Conv2d(width, 4 * width, 1)
        self.branch1 = nn.Conv2d(given, 4 * width, 1, stride) if given != 4 * width else None

    def forward(self, maps: Tensor) -> Tensor:
        inner = functional.relu(self.branch2b(functional.relu(self.branch2a(maps))))
        past = maps if self.branch1 is None else self.branch1(maps)
        return functional.relu(past + self.branch2c(inner))


class ResNet50(nn.Module):
    """Maps after each stage, and scores of ImageNet's 1,000 classes."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, 2, padding=3)
        self.stages, given = nn.ModuleList(), 64
        for stage, names in _BLOCKS.items():
            width = 64 * 2 ** (int(stage) - 2)
            blocks = nn.Sequential()
            for place in range(len(names)):
                blocks.append(Bottleneck(given, width, 2 if place == 0 and stage != "2" else 1))
                given = 4 * width
            self.stages.append(blocks)
        self.fc1000 = nn.Linear(2048, 1000)
        for name, values in (("mean", MEAN), ("spread", STD), ("own_mean", _OWN_MEAN)):
            self.register_buffer(name, torch.tensor(values).view(3, 1, 1), persistent=False)

    def forward(self, pictures: Tensor) -> list[Tensor]:
        mean, spread, own = (cast("Tensor", getattr(self, name)) for name in ("mean", "spread", "own_mean"))
        values = ((pictures * spread + mean) * 255 - own).flip(1)
        maps, found = functional.max_pool2d(functional.relu(self.conv1(values)), 3, 2, padding=1), list[Tensor]()
        for stage in self.stages:
            maps = stage(maps)
            found.append(maps)
        return found

    def classes(self, pictures: Tensor) -> Tensor:
        """Scores: pictures, classes."""
        return self.fc1000(self(pictures)[-1].mean(dim=(2, 3)))


def read_weights(files: Mapping[str, bytes]) -> Arrays:
    """Weights under our names from a TensorFlow.js model: a manifest, and the data in shards."""
    folder = "package/ResNet50/"
    (manifest,) = cast("list[dict[str, Any]]", json.loads(files[f"{folder}model.json"])["weightsManifest"])
    data, at = b"".join(files[folder + path] for path in manifest["paths"]), 0
    stored: dict[str, NDArray[np.float32]] = {}
    for entry in manifest["weights"]:
        shape = cast("list[int]", entry["shape"])
        stored[entry["name"]] = np.frombuffer(data, "<f4", math.prod(shape), at).reshape(shape)
        at += 4 * math.prod(shape)
    found = {"fc1000.weight": stored["fc1000/kernel"].T, "fc1000.bias": stored["fc1000/bias"]}
    found |= _convolution(stored, "conv1", "conv1", "bn_conv1")
    for number, (stage, names) in enumerate(_BLOCKS.items()):
        for place, letter in enumerate(names):
            for branch in ("branch2a", "branch2b", "branch2c", *(("branch1",) if place == 0 else ())):
                ours, theirs = f"stages.{number}.{place}.{branch}", f"{stage}{letter}_{branch}"
                found |= _convolution(stored, ours, f"res{theirs}", f"bn{theirs}")
    return found


def _convolution(stored: Arrays, ours: str, name: str, norm: str) -> Arrays:
    norms = [stored[f"{norm}/{part}"] for part in ("gamma", "beta", "moving_mean", "moving_variance")]
    return fold_batch_norm(
        ours, stored[f"{name}/kernel"].transpose(3, 2, 0, 1), stored[f"{name}/bias"], norms, _EPSILON
    )
