"""All pictures below some folders, in memory: as bytes they fit, and no disk is in the way of training."""

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import Tensor

from tolman.errors import SceneFileError
from tolman.probing.decoding import decoded, grouped
from tolman.probing.extraction import Track
from tolman.probing.preprocessing import SIDE

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
