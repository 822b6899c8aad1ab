"""Tokens on disk: extracted once for each encoder and layer, in pieces that are there whole or not at all.

A piece is named after everything that its numbers depend on, so it is found again by whoever needs the same, and by no
one else; pictures that were added later cost only their own pieces.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tolman.probing.encoder import Encoder
from tolman.probing.preprocessing import PREPROCESSING
from tolman.seeds import digest
from tolman.whole_file import write_whole

Halves = NDArray[np.float16]
VERSION = 2
"""Raised when the same key would give other numbers."""


@dataclass(frozen=True)
class StoreKey:
    """What tokens depend on besides the pictures and the layer."""

    encoder: str
    weights: str
    preprocessing: str
    tokens: str
    version: int = VERSION

    @staticmethod
    def of(encoder: Encoder) -> "StoreKey":
        return StoreKey(encoder.name, encoder.weights, PREPROCESSING, "block output, [CLS] and patches, float16")

    @property
    def folder(self) -> str:
        """A name that a person can read, made unique."""
        readable = "".join(c if c.isalnum() or c in "-_." else "-" for c in self.encoder)
        return f"{readable}-{digest(asdict(self))[:16]}"


@dataclass(frozen=True)
class FeatureStore:
    """A folder with the tokens of one encoder."""

    root: Path
    key: StoreKey

    @property
    def folder(self) -> Path:
        return self.root / self.key.folder

    def piece(self, layer: int, pictures: Sequence[str]) -> Path:
        """Where the tokens of pictures, named by the digests of their files, are or should be."""
        return self.folder / f"layer-{layer:02d}" / f"{digest(list(pictures))[:32]}.npy"

    def has(self, layer: int, pictures: Sequence[str]) -> bool:
        """Whether the tokens are there, and whole: a power failure may leave a file cut short."""
        try:
            return len(self.read(layer, pictures)) == len(pictures)
        except (OSError, ValueError, EOFError):
            return False

    def write(self, layer: int, pictures: Sequence[str], tokens: Halves) -> None:
        """Keep tokens: pictures, tokens, width. The folder says on its first page whose they are."""
        about = self.folder / "about.json"
        if not about.is_file():
            write_whole(about, json.dumps(asdict(self.key), indent=2).encode())
        head = BytesIO()
        np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(tokens))
        write_whole(self.piece(layer, pictures), head.getvalue(), tokens.data.cast("B"), lasting=False)

    def read(self, layer: int, pictures: Sequence[str]) -> Halves:
        """The tokens, left on the disk until they are looked at."""
        return np.load(self.piece(layer, pictures), mmap_mode="r", allow_pickle=False)

    def forget(self, layers: Sequence[int], pieces: Sequence[Sequence[str]]) -> None:
        """Give the space of some pieces back."""
        for layer in layers:
            for pictures in pieces:
                self.piece(layer, pictures).unlink(missing_ok=True)
