"""Tokens of many pictures: these are decoded ahead, and tokens written behind, while the encoder works."""

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
from tolman.probing.decoding import decoded, grouped
from tolman.probing.encoder import Encoder, EncoderError, without_registers
from tolman.probing.preprocessing import normalised
from tolman.probing.store import FeatureStore
from tolman.probing.untyped import from_array, split

PIECE = 256
"""Pictures in a piece of the store."""
_THREADS = 4
_AHEAD = 2
"""Pieces that may wait to be written."""
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
        return list(threads.map(_piece, (tuple(paths[at : at + PIECE]) for at in range(0, len(paths), PIECE))))


def _piece(paths: tuple[Path, ...]) -> Piece:
    return Piece(paths, tuple(_file_digest(path) for path in paths))


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
    workers: int | None = None,
) -> None:
    """Put into the store what is not there yet.

    `batch` is how many pictures go through the encoder together, `workers` how many processes decode them.
    """
    todo = [piece for piece in pieces if any(not store.has(layer, piece.digests) for layer in layers)]
    size = batch or (PIECE if encoder.device.type == "cuda" else 32)
    total, done = sum(len(piece.paths) for piece in todo), 0
    writing: deque[Future[None]] = deque()
    with ThreadPoolExecutor(_AHEAD) as writers:
        for piece, pixels in _decoded(todo, encoder.device, workers):
            missing = [layer for layer in layers if not store.has(layer, piece.digests)]
            for layer, tokens in zip(missing, _encoded(encoder, pixels, missing, size), strict=True):
                sound = tokens.isnan().any().logical_not()
                writing.append(writers.submit(_keep, store, layer, piece, tokens, sound, _now(encoder.device)))
            while len(writing) > _AHEAD * len(layers):
                writing.popleft().result()
            done += len(piece.paths)
            if track is not None:
                track(done, total)
        for write in writing:
            write.result()


def _decoded(pieces: Sequence[Piece], device: torch.device, workers: int | None) -> Iterator[tuple[Piece, Tensor]]:
    """Pieces with their pixels, where the encoder is.

    A GPU fetches them by a queue of their own, while it still works on the last piece; and at once, as memory that
    processes share may be scarce.
    """
    aside = torch.cuda.Stream(device) if device.type == "cuda" else None
    groups = [grouped(piece.paths) for piece in pieces]
    parts = decoded([group for some in groups for group in some], device, workers)
    for piece, some in zip(pieces, groups, strict=True):
        fetched, read = list[Tensor](), list[str]()
        with torch.cuda.stream(aside):
            for part, digests in islice(parts, len(some)):
                fetched.append(part.to(device))
                read += digests
            pixels = torch.cat(fetched)
        for path, known, found in zip(piece.paths, piece.digests, read, strict=True):
            if found != known:
                raise SceneFileError(f"{path} changed while it was read: start again")
        if aside is not None:
            here = torch.cuda.current_stream(device)
            here.wait_stream(aside)
            pixels.record_stream(here)
        yield piece, pixels


def _encoded(encoder: Encoder, pixels: Tensor, layers: Sequence[int], size: int) -> list[Tensor]:
    """Tokens of each layer where the encoder is: pictures, tokens, width."""
    found: list[list[Tensor]] = [[] for _ in layers]
    for part in split(pixels, size):
        given = normalised(part)
        for kept, layer, tokens in zip(found, layers, encoder.tokens(given, layers), strict=True):
            seen = without_registers(tokens, encoder.anatomy)
            if seen.shape[::2] != (len(given), encoder.anatomy.at(layer).width):
                raise EncoderError(f"{encoder.name} gave {tuple(seen.shape)} for {len(given)} pictures")
            kept.append(seen.clamp(-_LARGEST, _LARGEST).half())
    return [torch.cat(kept) for kept in found]


def _now(device: torch.device) -> torch.cuda.Event | None:
    """A mark behind all that a GPU was given to do."""
    if device.type != "cuda":
        return None
    mark = torch.cuda.Event()
    mark.record(torch.cuda.current_stream(device))
    return mark


def _keep(
    store: FeatureStore, layer: int, piece: Piece, tokens: Tensor, sound: Tensor, ready: torch.cuda.Event | None
) -> None:
    """Write tokens when they are ready, if all of them are numbers; a GPU goes on meanwhile."""
    if ready is None:
        _write(store, layer, piece, tokens, sound)
        return
    aside = torch.cuda.Stream(tokens.device)
    aside.wait_event(ready)
    with torch.cuda.stream(aside):
        _write(store, layer, piece, tokens, sound)


def _write(store: FeatureStore, layer: int, piece: Piece, tokens: Tensor, sound: Tensor) -> None:
    if not bool(sound):
        raise EncoderError(f"{store.key.encoder} gave tokens that are no numbers, for {piece.paths[0]} or one after it")
    if tokens.is_cuda:
        # To memory that a GPU fills by itself: any other it fills a bit at a time, and takes no work meanwhile.
        tokens = torch.empty(tokens.shape, dtype=tokens.dtype, pin_memory=True).copy_(tokens)
    store.write(layer, piece.digests, tokens.numpy())


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
