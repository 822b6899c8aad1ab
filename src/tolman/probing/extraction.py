"""Tokens of many pictures: files are read and decoded ahead by threads, and written behind, while the encoder works."""

import hashlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from tolman.errors import SceneFileError
from tolman.probing.encoder import Encoder, without_registers
from tolman.probing.preprocessing import Pixels, normalised, read_picture
from tolman.probing.store import FeatureStore, Halves
from tolman.probing.untyped import from_array, split

PIECE = 256
"""Pictures in a piece of the store."""
_THREADS = 16
_AHEAD = 2
"""Pieces that may be decoded before they are needed, or wait to be written."""
_LARGEST = float(np.finfo(np.float16).max)
Track = Callable[[int, int], None]
"""Told how many pictures are done, and how many there are."""


@dataclass(frozen=True)
class Piece:
    """Pictures that are kept together, with the digests of their files."""

    paths: tuple[Path, ...]
    digests: tuple[str, ...]


def pieces_of(paths: Sequence[Path]) -> list[Piece]:
    """Pictures by pieces, in order."""
    with ThreadPoolExecutor(_THREADS) as threads:
        digests = list(threads.map(_file_digest, paths))
    starts = range(0, len(paths), PIECE)
    return [Piece(tuple(paths[at : at + PIECE]), tuple(digests[at : at + PIECE])) for at in starts]


def _file_digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise SceneFileError(f"{path} can't be read: {error.strerror}") from None


def extract(
    encoder: Encoder,
    store: FeatureStore,
    pieces: Sequence[Piece],
    layers: Sequence[int],
    track: Track | None = None,
    batch: int | None = None,
) -> None:
    """Put into the store what is not there yet. `batch` is how many pictures go through the encoder together."""
    todo = [piece for piece in pieces if any(not store.has(layer, piece.digests) for layer in layers)]
    size = batch or (PIECE if encoder.device.type == "cuda" else 32)
    total, done = sum(len(piece.paths) for piece in todo), 0
    writing: deque[Future[None]] = deque()
    with ThreadPoolExecutor(_THREADS) as readers, ThreadPoolExecutor(_AHEAD) as writers:
        for piece, pixels in _decoded(todo, readers):
            missing = [layer for layer in layers if not store.has(layer, piece.digests)]
            for layer, tokens in zip(missing, _encoded(encoder, pixels, missing, size), strict=True):
                writing.append(writers.submit(store.write, layer, piece.digests, tokens))
            while len(writing) > _AHEAD * len(layers):
                writing.popleft().result()
            done += len(piece.paths)
            if track is not None:
                track(done, total)
        for write in writing:
            write.result()


def _decoded(pieces: Sequence[Piece], readers: ThreadPoolExecutor) -> Iterator[tuple[Piece, Pixels]]:
    """Pieces with their pixels; the next ones are being decoded while one is looked at."""
    coming = iter(pieces)
    waiting: deque[tuple[Piece, list[Future[Pixels]]]] = deque()

    def begin(count: int) -> None:
        for piece in islice(coming, count):
            files = zip(piece.paths, piece.digests, strict=True)
            waiting.append((piece, [readers.submit(_pixels, *file) for file in files]))

    begin(_AHEAD)
    while waiting:
        piece, reads = waiting.popleft()
        pixels = np.stack([read.result() for read in reads])
        begin(1)
        yield piece, pixels


def _pixels(path: Path, digest: str) -> Pixels:
    pixels, found = read_picture(path)
    if found != digest:
        raise SceneFileError(f"{path} changed while it was read: start again")
    return pixels


def _encoded(encoder: Encoder, pixels: Pixels, layers: Sequence[int], size: int) -> list[Halves]:
    """Tokens of each layer: pictures, tokens, width."""
    found: list[list[Tensor]] = [[] for _ in layers]
    for part in split(from_array(pixels), size):
        given = normalised(part.to(encoder.device))
        for kept, tokens in zip(found, encoder.tokens(given, layers), strict=True):
            seen = without_registers(tokens, encoder.anatomy)
            kept.append(seen.clamp(-_LARGEST, _LARGEST).half().cpu())
    return [torch.cat(kept).numpy() for kept in found]


def load_tokens(store: FeatureStore, layer: int, pieces: Sequence[Piece], device: torch.device) -> Tensor:
    """All tokens of a layer on a device, in 16 bits: pictures, tokens, width."""
    first = store.read(layer, pieces[0].digests)
    count = sum(len(piece.paths) for piece in pieces)
    tokens = torch.empty((count, *first.shape[1:]), dtype=torch.float16, device=device)
    at = 0
    for piece in pieces:
        part = np.array(store.read(layer, piece.digests))
        tokens[at : at + len(part)] = from_array(part, device)
        at += len(part)
    return tokens
