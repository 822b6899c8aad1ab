"""Self-supervised pretraining of Tolman's own encoder: masked autoencoding with self-distillation.

A student sees a quarter of the patches and predicts the pixels of the others and a teacher's features of them; the
teacher is an exponential moving average of the student.
"""

import copy
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from tolman.core.errors import SceneFileError
from tolman.probing.encoder import SIDE, descend, normalised, split
from tolman.probing.encoders.own_encoders import (
    SmallVit,
    TransformerBlock,
    VitShape,
    new_vit,
    sinusoidal_positions,
    with_random_weights,
)
from tolman.probing.features import decoded, grouped
from tolman.probing.protocol import Progress

_VARIANCE_EPSILON = 1e-3
"""Added to the variance of a patch's pixels, so that noise in uniform patches is not amplified."""


@dataclass(frozen=True)
class PretrainingRecipe:
    """Hyperparameters. The same recipe on the same pictures gives the same weights on a CPU; on a GPU the last digits
    differ, as the order of sums varies."""

    shape: VitShape = field(default_factory=VitShape)
    epochs: int = 200
    batch: int = 256
    rate: float = 6e-4
    warm_up: float = 0.05
    """Share of all steps for learning rate warm-up."""
    decay: float = 0.05
    masked: float = 0.75
    decoder_width: int = 192
    decoder_layers: int = 3
    decoder_heads: int = 3
    averaging: float = 0.02
    """Time constant of the teacher's moving average, as a share of all steps."""
    top: int = 4
    """Last layers of the teacher whose mean features the student predicts."""
    smallest_crop: float = 0.5
    """Smallest area of a random crop, as a share of the picture."""
    seed: int = 0

    def __str__(self) -> str:
        return repr(asdict(self))


PretrainingProgress = Callable[[int, int, float], None]
"""Called after each epoch with its number, the number of epochs, and its mean loss."""


class _Decoder(nn.Module):
    """From the student's tokens of the visible patches to pixels and features of all patches."""

    def __init__(self, recipe: PretrainingRecipe) -> None:
        super().__init__()
        width, patch = recipe.decoder_width, recipe.shape.patch
        self.enter = nn.Linear(recipe.shape.width, width)
        self.mask = nn.Parameter(torch.zeros(1, 1, width))
        self.blocks = nn.ModuleList(TransformerBlock(width, recipe.decoder_heads) for _ in range(recipe.decoder_layers))
        self.norm = nn.LayerNorm(width)
        self.pixels, self.features = nn.Linear(width, 3 * patch**2), nn.Linear(width, recipe.shape.width)
        self.register_buffer("places", sinusoidal_positions(SIDE // patch, width), persistent=False)

    def forward(self, seen: Tensor, back: Tensor) -> tuple[Tensor, Tensor]:
        """`seen` is [CLS] and the visible patches; `back` is the index of each patch in (visible, masked)."""
        entered = self.enter(seen)
        hidden = back.shape[1] - entered.shape[1] + 1
        mixed = torch.cat((entered[:, 1:], self.mask.to(entered.dtype).expand(len(seen), hidden, -1)), dim=1)
        ordered = mixed.gather(1, back[..., None].expand(-1, -1, mixed.shape[2])) + cast("Tensor", self.places)
        tokens = torch.cat((entered[:, :1], ordered), dim=1)
        for block in self.blocks:
            tokens = block(tokens)
        tokens = self.norm(tokens[:, 1:])
        return self.pixels(tokens), self.features(tokens)


def pretrain(pixels: Tensor, recipe: PretrainingRecipe, progress: PretrainingProgress | None = None) -> SmallVit:
    """Train on the device of the pictures (bytes: pictures, rows, columns, colours); returns the teacher."""
    device = pixels.device
    stream = torch.Generator(device).manual_seed(recipe.seed)
    student = new_vit(recipe.shape, recipe.seed).to(device)
    decoder = with_random_weights(_Decoder(recipe), recipe.seed + 1).to(device)
    teacher = copy.deepcopy(student).requires_grad_(requires_grad=False)
    learnt = [*student.parameters(), *decoder.parameters()]
    optimiser = torch.optim.AdamW(learnt, lr=recipe.rate, weight_decay=recipe.decay, betas=(0.9, 0.95))
    steps = recipe.epochs * -(-len(pixels) // recipe.batch)
    at = 0
    for epoch in range(recipe.epochs):
        total = torch.zeros((), device=device)
        for batch in _batches(pixels, recipe, stream):
            for group in optimiser.param_groups:
                group["lr"] = recipe.rate * _rate_factor(at / steps, recipe.warm_up)
            loss = _loss(student, decoder, teacher, batch, recipe, stream)
            descend(optimiser, loss, longest=1.0)
            at += 1
            _update_teacher(teacher, student, 1 / max(1, recipe.averaging * steps))
            total += loss.detach() * len(batch) / len(pixels)
        if progress is not None:
            progress(epoch + 1, recipe.epochs, float(total))
    return teacher


def _rate_factor(done: float, warm_up: float) -> float:
    if done < warm_up:
        return done / warm_up
    return 0.5 * (1 + math.cos(math.pi * (done - warm_up) / (1 - warm_up)))


def _batches(pixels: Tensor, recipe: PretrainingRecipe, stream: torch.Generator) -> Iterator[Tensor]:
    """Normalised pictures in random order, randomly cropped and mirrored."""
    order = torch.randperm(len(pixels), generator=stream, device=pixels.device)
    for numbers in split(order, recipe.batch):
        yield _cropped(normalised(pixels[numbers]), recipe.smallest_crop, stream)


def _cropped(pictures: Tensor, smallest: float, stream: torch.Generator) -> Tensor:
    count, device = len(pictures), pictures.device
    drawn = torch.rand(4, count, generator=stream, device=device)
    scale = (smallest + (1 - smallest) * drawn[0]).sqrt()
    shift = (2 * drawn[1:3] - 1) * (1 - scale)
    mirrored = torch.where(drawn[3] < 0.5, -scale, scale)
    none = torch.zeros_like(scale)
    way = torch.stack((torch.stack((mirrored, none, shift[0]), 1), torch.stack((none, scale, shift[1]), 1)), 1)
    grid = functional.affine_grid(way, list(pictures.shape), align_corners=False)
    return functional.grid_sample(pictures, grid, padding_mode="reflection", align_corners=False)


def _loss(
    student: SmallVit,
    decoder: _Decoder,
    teacher: SmallVit,
    pictures: Tensor,
    recipe: PretrainingRecipe,
    stream: torch.Generator,
) -> Tensor:
    patches = (SIDE // recipe.shape.patch) ** 2
    visible = round(patches * (1 - recipe.masked))
    shuffle = torch.rand(len(pictures), patches, generator=stream, device=pictures.device).argsort(dim=1)
    back = shuffle.argsort(dim=1)
    hidden = (back >= visible).float()
    with torch.autocast(pictures.device.type, torch.bfloat16, enabled=pictures.is_cuda):
        with torch.no_grad():
            targets = _features(teacher, pictures, recipe.top)
        tokens = student.patches(pictures)
        tokens = tokens.gather(1, shuffle[:, :visible, None].expand(-1, -1, tokens.shape[2]))
        tokens = student.with_cls(tokens)
        for block in student.blocks:
            tokens = block(tokens)
        pixels, features = decoder(student.norm(tokens), back)
    pixel_targets = _patch_targets(pictures, recipe.shape.patch)
    errors = (pixels.float() - pixel_targets).square().mean(dim=2) + functional.smooth_l1_loss(
        features.float(), targets.float(), reduction="none"
    ).mean(dim=2)
    return (errors * hidden).sum() / hidden.sum()


def _patch_targets(pictures: Tensor, patch: int) -> Tensor:
    """Pixels of each patch (pictures, patches, numbers), standardised per colour channel: standardised jointly, they
    would encode mostly the hue of the patch."""
    side = SIDE // patch
    squares = pictures.view(-1, 3, side, patch, side, patch).permute(0, 2, 4, 1, 3, 5)
    colours = squares.reshape(-1, side**2, 3, patch**2)
    return functional.layer_norm(colours, [patch**2], eps=_VARIANCE_EPSILON).flatten(2)


def _features(teacher: SmallVit, pictures: Tensor, top: int) -> Tensor:
    """Mean features of each patch in the last layers of the teacher."""
    tokens = teacher.with_cls(teacher.patches(pictures))
    total = torch.zeros((), device=pictures.device)
    for number, block in enumerate(teacher.blocks):
        tokens = block(tokens)
        if number >= len(teacher.blocks) - top:
            total = total + _standardised(tokens[:, 1:].float())
    return _standardised(total)


def _standardised(features: Tensor) -> Tensor:
    """Features standardised over the patches of a picture, which removes what all patches share."""
    return functional.instance_norm(features.transpose(1, 2)).transpose(1, 2)


@torch.no_grad()
def _update_teacher(teacher: SmallVit, student: SmallVit, share: float) -> None:
    cast("Any", torch)._foreach_lerp_(list(teacher.parameters()), list(student.parameters()), share)


_KINDS = {".jpg", ".jpeg", ".png"}


def read_pictures(
    folders: Sequence[Path], device: torch.device, progress: Progress | None = None
) -> tuple[Tensor, list[str]]:
    """Pictures named `img_*` at any depth, in the order of their paths, with the digests of their files.

    Bytes: pictures, rows, columns, colours.
    """
    paths = sorted(path for folder in folders for path in folder.rglob("img_*") if path.suffix.lower() in _KINDS)
    if not paths:
        raise SceneFileError(f"there are no pictures img_* below {', '.join(map(str, folders))}")
    pixels = torch.empty((len(paths), SIDE, SIDE, 3), dtype=torch.uint8, device=device)
    digests: list[str] = []
    for part, found in decoded(grouped(paths), device):
        pixels[len(digests) : len(digests) + len(found)] = part
        digests += found
        if progress is not None:
            progress(len(digests), len(paths))
    return pixels, digests
