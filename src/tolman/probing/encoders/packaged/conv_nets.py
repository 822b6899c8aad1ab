"""ResNet-50 as its authors trained it (strides in the first convolution of a block, BGR colours), and MobileNetV2 and
EfficientNet-Lite0, both made of inverted residual blocks.

Batch norms are folded into convolutions when weights are read, so each convolution has a bias.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from tolman.probing.encoder import MEAN, STD
from tolman.probing.encoders.packaged.feature_maps import (
    Arrays,
    FeatureMapShape,
    fold_batch_norm,
    fold_torch_batch_norm,
    outputs_of,
)

RESNET50_SHAPE = FeatureMapShape((256, 512, 1024, 2048), (14, 14, 14, 7))
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
        return outputs_of(self.stages, functional.max_pool2d(functional.relu(self.conv1(values)), 3, 2, padding=1))

    def classes(self, pictures: Tensor) -> Tensor:
        """Scores: pictures, classes."""
        return self.fc1000(self(pictures)[-1].mean(dim=(2, 3)))


def read_resnet(files: Mapping[str, bytes]) -> Arrays:
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


@dataclass(frozen=True)
class MobileNetLayout:
    """A network: rows of (expansion, width, blocks, first stride, kernel size)."""

    rows: tuple[tuple[int, int, int, int, int], ...]
    shape: FeatureMapShape
    ends: tuple[int, ...]
    """Blocks, from 1, whose maps are outputs: the last ones of their size."""
    uneven: bool = False
    """Whether convolutions with stride 2 pad asymmetrically, as in TensorFlow."""
    values: tuple[tuple[float, ...], tuple[float, ...]] = (MEAN, STD)
    """Mean and standard deviation of the colour normalisation in training."""


MOBILENET_V2 = MobileNetLayout(
    (
        *((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 32, 3, 2, 3), (6, 64, 4, 2, 3), (6, 96, 3, 1, 3)),
        *((6, 160, 3, 2, 3), (6, 320, 1, 1, 3)),
    ),
    FeatureMapShape((24, 32, 96, 320), (14, 14, 14, 7)),
    (3, 6, 13, 17),
)
EFFICIENTNET_LITE0 = MobileNetLayout(
    (
        *((1, 16, 1, 1, 3), (6, 24, 2, 2, 3), (6, 40, 2, 2, 5), (6, 80, 3, 2, 3), (6, 112, 3, 1, 5)),
        *((6, 192, 4, 2, 5), (6, 320, 1, 1, 3)),
    ),
    FeatureMapShape((24, 40, 112, 320), (14, 14, 14, 7)),
    (3, 5, 11, 16),
    uneven=True,
    values=((127 / 255,) * 3, (128 / 255,) * 3),
)


class _Convolution(nn.Conv2d):
    """A convolution with same padding."""

    def __init__(self, given: int, width: int, kernel: int, stride: int, uneven: bool, groups: int = 1) -> None:
        super().__init__(given, width, kernel, stride, groups=groups)  # pyright: ignore[reportUnknownMemberType]
        self._before = (kernel - stride) // 2 if uneven else kernel // 2
        self._after = kernel - stride - self._before if uneven else kernel // 2

    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 - torch's name
        return super().forward(functional.pad(input, (self._before, self._after) * 2))


class InvertedResidual(nn.Module):
    """Expansion, depthwise convolution, projection; with a residual connection where sizes stay."""

    def __init__(self, given: int, row: tuple[int, int, int, int, int], uneven: bool) -> None:
        super().__init__()
        wider, width, _, stride, kernel = row
        inner = given * wider
        self.expand = nn.Conv2d(given, inner, 1) if wider > 1 else None
        self.each = _Convolution(inner, inner, kernel, stride, uneven, inner)
        self.project = nn.Conv2d(inner, width, 1)
        self.past = stride == 1 and given == width

    def forward(self, maps: Tensor) -> Tensor:
        inner = maps if self.expand is None else functional.relu6(self.expand(maps))
        found = self.project(functional.relu6(self.each(inner)))
        return maps + found if self.past else found


class MobileNet(nn.Module):
    """Maps of the last blocks of each size, and scores of ImageNet's 1,000 classes."""

    def __init__(self, recipe: MobileNetLayout) -> None:
        super().__init__()
        self.recipe = recipe
        self.stem = _Convolution(3, 32, 3, 2, recipe.uneven)
        self.blocks, given = nn.ModuleList(), 32
        for wider, width, blocks, stride, kernel in recipe.rows:
            for place in range(blocks):
                row = wider, width, blocks, stride if place == 0 else 1, kernel
                self.blocks.append(InvertedResidual(given, row, recipe.uneven))
                given = width
        self.head, self.classifier = nn.Conv2d(320, 1280, 1), nn.Linear(1280, 1000)
        mean, spread = (torch.tensor(values).view(3, 1, 1) for values in recipe.values)
        usual_mean, usual_spread = (torch.tensor(values).view(3, 1, 1) for values in (MEAN, STD))
        self.register_buffer("scale", usual_spread / spread, persistent=False)
        self.register_buffer("shift", (usual_mean - mean) / spread, persistent=False)

    def forward(self, pictures: Tensor) -> list[Tensor]:
        scale, shift = (cast("Tensor", getattr(self, name)) for name in ("scale", "shift"))
        maps, found = functional.relu6(self.stem(pictures * scale + shift)), list[Tensor]()
        for number, block in enumerate(self.blocks, start=1):
            maps = block(maps)
            if number in self.recipe.ends:
                found.append(maps)
        return found

    def classes(self, pictures: Tensor) -> Tensor:
        """Scores: pictures, classes."""
        return self.classifier(functional.relu6(self.head(self(pictures)[-1])).mean(dim=(2, 3)))


def read_mobilenet(stored: Arrays) -> Arrays:
    """Weights under our names, from torchvision's."""
    found = _classifier(stored, "classifier.1") | fold_torch_batch_norm(
        stored, "stem", "features.0.0", "features.0.1", 1e-5
    )
    for number in range(17):
        theirs, parts = f"features.{number + 1}.conv", ("expand", "each") if number else ("each",)
        for place, part in enumerate(parts):
            ours, inner = f"blocks.{number}.{part}", f"{theirs}.{place}"
            found |= fold_torch_batch_norm(stored, ours, f"{inner}.0", f"{inner}.1", 1e-5)
        last = len(parts)
        found |= fold_torch_batch_norm(
            stored, f"blocks.{number}.project", f"{theirs}.{last}", f"{theirs}.{last + 1}", 1e-5
        )
    return found | fold_torch_batch_norm(stored, "head", "features.18.0", "features.18.1", 1e-5)


def read_efficientnet(stored: Arrays) -> Arrays:
    """Weights under our names, from those of the PyTorch port of EfficientNet."""
    found = _classifier(stored, "_fc") | fold_torch_batch_norm(stored, "stem", "_conv_stem", "_bn0", 1e-3)
    names: Mapping[str, tuple[str, str]] = {
        "expand": ("_expand_conv", "_bn0"),
        "each": ("_depthwise_conv", "_bn1"),
        "project": ("_project_conv", "_bn2"),
    }
    for number in range(16):
        for ours, (convolution, norm) in names.items():
            if number or ours != "expand":
                block = f"_blocks.{number}"
                found |= fold_torch_batch_norm(
                    stored, f"blocks.{number}.{ours}", f"{block}.{convolution}", f"{block}.{norm}", 1e-3
                )
    return found | fold_torch_batch_norm(stored, "head", "_conv_head", "_bn1", 1e-3)


def _classifier(stored: Arrays, name: str) -> Arrays:
    return {f"classifier.{part}": stored[f"{name}.{part}"] for part in ("weight", "bias")}
