"""Frozen features: decode pictures, extract the tokens of an encoder's layers, and store them on disk.

A piece of the store is named by a digest of everything that its content depends on, and is written atomically.
"""

import hashlib
import json
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import cast

import joblib
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import DataLoader, Dataset

from tolman.core.errors import SceneFileError
from tolman.core.files import atomic_write
from tolman.core.seeds import digest
from tolman.probing.encoder import (
    PREPROCESSING,
    SIDE,
    Encoder,
    EncoderError,
    from_array,
    normalised,
    read_picture,
    split,
    without_registers,
)
from tolman.probing.protocol import Progress

Halves = NDArray[np.float16]
VERSION = 2
"""Incremented when the same key would give other tokens."""


@dataclass(frozen=True)
class StoreKey:
    """What tokens depend on besides the pictures and the layer; the fields are stored."""

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
        """A readable unique name."""
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
        """The file for the tokens of pictures, given by the digests of their files."""
        return self.folder / f"layer-{layer:02d}" / f"{digest(list(pictures))[:32]}.npy"

    def has(self, layer: int, pictures: Sequence[str]) -> bool:
        """Whether the tokens are stored completely; a power failure may truncate a file."""
        try:
            return len(self.read(layer, pictures)) == len(pictures)
        except (OSError, ValueError, EOFError):
            return False

    def write(self, layer: int, pictures: Sequence[str], tokens: Halves) -> None:
        """Store tokens (pictures, tokens, width); `about.json` in the folder holds the key."""
        about = self.folder / "about.json"
        if not about.is_file():
            atomic_write(about, json.dumps(asdict(self.key), indent=2).encode())
        head = BytesIO()
        np.lib.format.write_array_header_1_0(head, np.lib.format.header_data_from_array_1_0(tokens))
        atomic_write(self.piece(layer, pictures), head.getvalue(), tokens.data.cast("B"), durable=False)

    def read(self, layer: int, pictures: Sequence[str]) -> Halves:
        """The tokens, memory-mapped."""
        return np.load(self.piece(layer, pictures), mmap_mode="r", allow_pickle=False)

    def delete(self, layers: Sequence[int], pieces: Sequence[Sequence[str]]) -> None:
        """Delete some pieces."""
        for layer in layers:
            for pictures in pieces:
                self.piece(layer, pictures).unlink(missing_ok=True)


GROUP = 16
"""Pictures decoded per task: few enough for the 64 MB of shared memory of a container."""
_WORKERS = 8

_Decoded = tuple[Tensor, list[str], str]
"""Pixels, digests, and an error message: an exception from a worker process would lose it."""


def grouped(paths: Sequence[Path]) -> list[Sequence[Path]]:
    """Paths in groups of `GROUP`, in order."""
    return [paths[at : at + GROUP] for at in range(0, len(paths), GROUP)]


def decoded(
    groups: Sequence[Sequence[Path]], device: torch.device, workers: int | None = None
) -> Iterator[tuple[Tensor, list[str]]]:
    """Pictures of each group in order, with the SHA-256 of their files.

    Bytes (pictures, rows, columns, colours) in host memory. By default there are up to 8 worker processes for
    a GPU, and none for a CPU.
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


PIECE = 256
"""Pictures per piece of the store."""
_THREADS = 4
_AHEAD = 2
"""Pieces that may wait to be written, and threads that write them."""
_LARGEST = float(np.finfo(np.float16).max)


@dataclass(frozen=True)
class FeatureShard:
    """Pictures that are stored together, with the digests of their files."""

    paths: tuple[Path, ...]
    digests: tuple[str, ...]


def pieces_of(paths: Sequence[Path]) -> list[FeatureShard]:
    """Pictures in pieces of `PIECE`, in order."""
    with ThreadPoolExecutor(_THREADS) as threads:
        return list(threads.map(_piece, (tuple(paths[at : at + PIECE]) for at in range(0, len(paths), PIECE))))


def _piece(paths: tuple[Path, ...]) -> FeatureShard:
    return FeatureShard(paths, tuple(_file_digest(path) for path in paths))


def _file_digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise SceneFileError(f"{path} can't be read: {error.strerror}") from None


def extract(
    encoder: Encoder,
    store: FeatureStore,
    pieces: Sequence[FeatureShard],
    layers: Sequence[int],
    progress: Progress | None = None,
    batch: int | None = None,
    workers: int | None = None,
) -> None:
    """Store the tokens of all pieces and layers that are missing.

    `batch` is the number of pictures per forward pass, `workers` the number of processes that decode them.
    """
    todo = [piece for piece in pieces if any(not store.has(layer, piece.digests) for layer in layers)]
    size = batch or (PIECE if encoder.device.type == "cuda" else 32)
    total, done = sum(len(piece.paths) for piece in todo), 0
    writing: deque[Future[None]] = deque()
    with ThreadPoolExecutor(_AHEAD) as writers:
        for piece, pixels in _decoded(todo, encoder.device, workers):
            missing = [layer for layer in layers if not store.has(layer, piece.digests)]
            for layer, tokens in zip(missing, _encoded(encoder, pixels, missing, size), strict=True):
                finite = tokens.isnan().any().logical_not()
                writing.append(
                    writers.submit(
                        _write_when_ready, store, layer, piece, tokens, finite, _record_event(encoder.device)
                    )
                )
            while len(writing) > _AHEAD * len(layers):
                writing.popleft().result()
            done += len(piece.paths)
            if progress is not None:
                progress(done, total)
        for write in writing:
            write.result()


def _decoded(
    pieces: Sequence[FeatureShard], device: torch.device, workers: int | None
) -> Iterator[tuple[FeatureShard, Tensor]]:
    """Pieces with their pixels on the encoder's device.

    A GPU copies them on a separate stream while it computes the piece before, and at once, as shared memory is scarce.
    """
    copy_stream = torch.cuda.Stream(device) if device.type == "cuda" else None
    groups = [grouped(piece.paths) for piece in pieces]
    parts = decoded([group for some in groups for group in some], device, workers)
    for piece, some in zip(pieces, groups, strict=True):
        fetched, read = list[Tensor](), list[str]()
        with torch.cuda.stream(copy_stream):
            for part, digests in islice(parts, len(some)):
                fetched.append(part.to(device))
                read += digests
            pixels = torch.cat(fetched)
        for path, expected, found in zip(piece.paths, piece.digests, read, strict=True):
            if found != expected:
                raise SceneFileError(f"{path} changed while it was read: start again")
        if copy_stream is not None:
            current = torch.cuda.current_stream(device)
            current.wait_stream(copy_stream)
            pixels.record_stream(current)
        yield piece, pixels


def _encoded(encoder: Encoder, pixels: Tensor, layers: Sequence[int], size: int) -> list[Tensor]:
    """Tokens of each layer on the encoder's device: pictures, tokens, width."""
    found: list[list[Tensor]] = [[] for _ in layers]
    for part in split(pixels, size):
        given = normalised(part)
        for kept, layer, tokens in zip(found, layers, encoder.tokens(given, layers), strict=True):
            seen = without_registers(tokens, encoder.layout)
            if seen.shape[::2] != (len(given), encoder.layout.at(layer).width):
                raise EncoderError(f"{encoder.name} gave {tuple(seen.shape)} for {len(given)} pictures")
            kept.append(seen.clamp(-_LARGEST, _LARGEST).half())
    return [torch.cat(kept) for kept in found]


def _record_event(device: torch.device) -> torch.cuda.Event | None:
    """An event after all work queued on a GPU so far; None on a CPU."""
    if device.type != "cuda":
        return None
    event = torch.cuda.Event()
    event.record(torch.cuda.current_stream(device))
    return event


def _write_when_ready(
    store: FeatureStore, layer: int, piece: FeatureShard, tokens: Tensor, finite: Tensor, ready: torch.cuda.Event | None
) -> None:
    """Write tokens once they are computed, while a GPU continues with the next piece."""
    if ready is None:
        _write(store, layer, piece, tokens, finite)
        return
    stream = torch.cuda.Stream(tokens.device)
    stream.wait_event(ready)
    with torch.cuda.stream(stream):
        _write(store, layer, piece, tokens, finite)


def _write(store: FeatureStore, layer: int, piece: FeatureShard, tokens: Tensor, finite: Tensor) -> None:
    if not bool(finite):
        raise EncoderError(
            f"{store.key.encoder} gave tokens that are not numbers, for {piece.paths[0]} or one after it"
        )
    if tokens.is_cuda:
        # A copy to pinned memory is asynchronous; any other blocks the GPU.
        tokens = torch.empty(tokens.shape, dtype=tokens.dtype, pin_memory=True).copy_(tokens)
    store.write(layer, piece.digests, tokens.numpy())


def load_tokens(store: FeatureStore, layer: int, pieces: Sequence[FeatureShard], device: torch.device) -> Tensor:
    """All tokens of a layer on a device as float16: pictures, tokens, width."""
    first = store.read(layer, pieces[0].digests)
    count = sum(len(piece.paths) for piece in pieces)
    tokens = torch.empty((count, *first.shape[1:]), dtype=torch.float16, device=device)
    at = 0
    for piece in pieces:
        part = np.array(store.read(layer, piece.digests))
        tokens[at : at + len(part)] = from_array(part, device)
        at += len(part)
    return tokens
