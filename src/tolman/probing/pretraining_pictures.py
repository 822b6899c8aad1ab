"""All pictures below some folders, in memory: as bytes they fit, and no disk is in the way of training."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import torch
from torch import Tensor

from tolman.errors import SceneFileError
from tolman.probing.extraction import Track
from tolman.probing.preprocessing import SIDE, read_picture
from tolman.probing.untyped import from_array

_KINDS = {".jpg", ".jpeg", ".png"}
_THREADS = 16


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
    with ThreadPoolExecutor(_THREADS) as threads:
        for number, (picture, digest) in enumerate(threads.map(read_picture, paths)):
            pixels[number] = from_array(picture, device)
            digests.append(digest)
            if track is not None and (number % 100 == 0 or number == len(paths) - 1):
                track(number + 1, len(paths))
    return pixels, digests
