"""Pictures decoded ahead of whoever needs them. Where a GPU waits for them processes do it: threads of one process get
in each other's way long before a GPU has enough."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import cast

import joblib
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from tolman.errors import SceneFileError
from tolman.probing.preprocessing import SIDE, read_picture
from tolman.probing.untyped import from_array

TOGETHER = 16
"""Pictures that are decoded at a time: few enough for the 64 MB that processes of a container may share."""
_WORKERS = 8

_Decoded = tuple[Tensor, list[str], str]
"""Pixels, digests, and what went wrong: an error that crosses from a worker by itself loses its sentence."""


def grouped(paths: Sequence[Path]) -> list[Sequence[Path]]:
    """Paths in order, by as many as are decoded at a time."""
    return [paths[at : at + TOGETHER] for at in range(0, len(paths), TOGETHER)]


def decoded(
    groups: Sequence[Sequence[Path]], device: torch.device, workers: int | None = None
) -> Iterator[tuple[Tensor, list[str]]]:
    """Pictures of each group in order, with the SHA-256 of their files.

    Bytes (pictures, rows, columns, colours) in the computer's memory. Without `workers`, as many processes as suit the
    device: none but for a GPU.
    """
    if workers is None:
        workers = min(_WORKERS, joblib.cpu_count(), len(groups)) if device.type == "cuda" else 0
    loader = DataLoader(_Groups(groups), batch_size=None, num_workers=workers)
    for pixels, digests, error in cast("Iterator[_Decoded]", iter(loader)):
        if error:
            raise SceneFileError(error)
        yield pixels, digests


class _Groups(Dataset[_Decoded]):
    def __init__(self, groups: Sequence[Sequence[Path]]) -> None:
        self._groups = groups

    def __len__(self) -> int:
        return len(self._groups)

    def __getitem__(self, number: int) -> _Decoded:
        paths = self._groups[number]
        rows, digests = np.empty((len(paths), SIDE, SIDE, 3), np.uint8), list[str]()
        try:
            for place, path in enumerate(paths):
                rows[place], digest = read_picture(path)
                digests.append(digest)
        except SceneFileError as error:
            return torch.empty(0), [], str(error)
        return from_array(rows), digests, ""
