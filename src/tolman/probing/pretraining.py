"""Self-supervised pretraining of Tolman's own encoder: masked autoencoding with self-distillation.

A student sees a quarter of the patches and must predict the pixels of the others and what a teacher makes of them;
the teacher is a slow average of the student.
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
from tolman.probing.encoder import SIDE, normalised
from tolman.probing.encoders.own_encoders import (
    SmallVit,
    TransformerBlock,
    VitShape,
    new_vit,
    sinusoidal_positions,
    with_random_weights,
)
from tolman.probing.features import Track, decoded, grouped
from tolman.probing.typed_torch import descend, split

_PLAIN_VARIANCE = 1e-3
"""Variance of pixels below which a patch counts as plain: what is left there is grain."""


@dataclass(frozen=True)
class PretrainingRecipe:
    """How it is trained. The same recipe on the same pictures gives the same weights on a CPU; on a GPU, sums in
    another order make them differ in the last digits."""

    shape: VitShape = field(default_factory=VitShape)
    epochs: int = 200
    batch: int = 256
    rate: float = 6e-4
    warm_up: float = 0.05
    """Share of all steps in which the rate of learning rises."""
    decay: float = 0.05
    masked: float = 0.75
    decoder_width: int = 192
    decoder_layers: int = 3
    decoder_heads: int = 3
    averaging: float = 0.02
    """Share of all steps over which the teacher is a mean: long enough to be calm, short enough to forget the start."""
    top: int = 4
    """Layers of the teacher whose mean the student must foretell."""
    smallest_crop: float = 0.5
    """Share of a picture's area."""
    seed: int = 0

    def __str__(self) -> str:
        return repr(asdict(self))


PretrainingProgress = Callable[[int, int, float], None]
"""Told the epoch that is over, how many there are, and its mean loss."""


class _Decoder(nn.Module):
    """The decoder: from what the student made of the visible patches to pixels and features of all."""

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
        """`seen` is [CLS] and the visible patches; `back` says where in (visible, masked) each patch is."""
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
    """Train on pictures (bytes: pictures, rows, columns, colours) where they lie; the teacher at the end."""
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
                group["lr"] = recipe.rate * _share(at / steps, recipe.warm_up)
            loss = _loss(student, decoder, teacher, batch, recipe, stream)
            descend(optimiser, loss, longest=1.0)
            at += 1
            _update_teacher(teacher, student, 1 / max(1, recipe.averaging * steps))
            total += loss.detach() * len(batch) / len(pixels)
        if progress is not None:
            progress(epoch + 1, recipe.epochs, float(total))
    return teacher


def _share(done: float, warm_up: float) -> float:
    if done < warm_up:
        return done / warm_up
    return 0.5 * (1 + math.cos(math.pi * (done - warm_up) / (1 - warm_up)))


def _batches(pixels: Tensor, recipe: PretrainingRecipe, stream: torch.Generator) -> Iterator[Tensor]:
    """Pictures in random order, cropped and mirrored at random, as encoders take them."""
    order = torch.randperm(len(pixels), generator=stream, device=pixels.device)
    for numbers in split(order, recipe.batch):
        yield _cropped(normalised(pixels[numbers]), recipe.smallest_crop, stream)


def _cropped(pictures: Tensor, smallest: float, stream: torch.Generator) -> Tensor:
    count, device = len(pictures), pictures.device
    drawn = torch.rand(4, count, generator=stream, device=device)
    scale = (smallest + (1 - smallest) * drawn[0]).sqrt()
    shift = (2 * drawn[1:3] - 1) * (1 - scale)
    turned = torch.where(drawn[3] < 0.5, -scale, scale)
    none = torch.zeros_like(scale)
    way = torch.stack((torch.stack((turned, none, shift[0]), 1), torch.stack((none, scale, shift[1]), 1)), 1)
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
            wanted = _features(teacher, pictures, recipe.top)
        tokens = student.patches(pictures)
        tokens = tokens.gather(1, shuffle[:, :visible, None].expand(-1, -1, tokens.shape[2]))
        tokens = student.with_cls(tokens)
        for block in student.blocks:
            tokens = block(tokens)
        pixels, features = decoder(student.norm(tokens), back)
    looks = _patch_targets(pictures, recipe.shape.patch)
    errors = (pixels.float() - looks).square().mean(dim=2) + functional.smooth_l1_loss(
        features.float(), wanted.float(), reduction="none"
    ).mean(dim=2)
    return (errors * hidden).sum() / hidden.sum()


def _patch_targets(pictures: Tensor, patch: int) -> Tensor:
    """Pixels of each patch (pictures, patches, numbers), each colour around its mean and on the same scale: with the
    colours of a patch taken together, most of what there is to say would be its hue."""
    side = SIDE // patch
    squares = pictures.view(-1, 3, side, patch, side, patch).permute(0, 2, 4, 1, 3, 5)
    colours = squares.reshape(-1, side**2, 3, patch**2)
    return functional.layer_norm(colours, [patch**2], eps=_PLAIN_VARIANCE).flatten(2)


def _features(teacher: SmallVit, pictures: Tensor, top: int) -> Tensor:
    """What the last layers of the teacher make of each patch."""
    tokens = teacher.with_cls(teacher.patches(pictures))
    total = torch.zeros((), device=pictures.device)
    for number, block in enumerate(teacher.blocks):
        tokens = block(tokens)
        if number >= len(teacher.blocks) - top:
            total = total + _centred(tokens[:, 1:].float())
    return _centred(total)


def _centred(features: Tensor) -> Tensor:
    """Each feature on the same scale over the patches of a picture: what all of them share says nothing of places."""
    return functional.instance_norm(features.transpose(1, 2)).transpose(1, 2)


@torch.no_grad()
def _update_teacher(teacher: SmallVit, student: SmallVit, share: float) -> None:
    cast("Any", torch)._foreach_lerp_(list(teacher.parameters()), list(student.parameters()), share)


_KINDS = {".jpg", ".jpeg", ".png"}


def read_pictures(
    folders: Sequence[Path], device: torch.device, track: Track | None = None
) -> tuple[Tensor, list[str]]:
    """Pictures named `img_*` at any depth, in the order of their names, with the digests of their files.

    Pictures, rows, columns, colours, as bytes.
    """
    paths = sorted(path for folder in folders for path in folder.rglob("img_*") if path.suffix.lower() in _KINDS)
    if not paths:
        raise SceneFileError(f"there are no pictures img_* below {', '.join(map(str, folders))}")
    pixels = torch.empty((len(paths), SIDE, SIDE, 3), dtype=torch.uint8, device=device)
    digests: list[str] = []
    for part, found in decoded(grouped(paths), device):
        pixels[len(digests) : len(digests) + len(found)] = part
        digests += found
        if track is not None:
            track(len(digests), len(paths))
    return pixels, digests
