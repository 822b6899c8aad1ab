"""Limits on what is read from untrusted files, each with the usual size beside it.

A small file can demand a lot of memory: by compression (a megabyte of zeros takes a kilobyte), or by JSON of many small
values (`[[],[],…` takes twenty times its length). So compressed files are unpacked as a stream that ends at a limit,
and the values of larger JSON are counted before it is parsed.
"""

import bz2
import gzip
import io
import lzma
import signal
import threading
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Literal, NoReturn

import numpy as np

from tolman.core.errors import TolmanError

MIB = 2**20


class TooLargeError(TolmanError):
    """A file, or its uncompressed content, exceeds the limit for its kind."""


@dataclass(frozen=True)
class UnpackLimit:
    """Limit on the uncompressed size of a file."""

    max_bytes: int
    max_ratio: int
    """Uncompressed bytes for each byte of the file."""
    ratio_free_bytes: int
    """Uncompressed bytes up to which the ratio is not checked."""

    def allowed(self, compressed: int) -> int:
        """Most bytes that a file of `compressed` bytes may unpack to."""
        return min(self.max_bytes, max(self.ratio_free_bytes, self.max_ratio * compressed))


ENTRY = UnpackLimit(max_bytes=96 * MIB, max_ratio=50, ratio_free_bytes=8 * MIB)
"""An entry of the leaderboard. 100 scenes have 5 to 80 MB, and compress to a quarter."""
ARCHIVE = UnpackLimit(max_bytes=64 * 1024 * MIB, max_ratio=200, ratio_free_bytes=64 * MIB)
"""A tar archive of released runs. Those of four scenes have 104 MB and compress to 1/33."""
ARCHIVED_FILE = 32 * MIB
"""Bytes of one file of released runs; the largest has 2 MB."""
ARCHIVED_FILES = 200_000
LOG_MEMBER = UnpackLimit(max_bytes=256 * MIB, max_ratio=60, ratio_free_bytes=8 * MIB)
"""One scene in a log (*.eval). A text scene has about 1 MB and compresses to 1/3 or, with short replies, to 1/40."""
LOG_MEMBERS = 100_000
JSON_FILE = 64 * MIB
"""Bytes of a file of a scene, questions, parameters or results; usually some kilobytes."""
TABLE_FILE = 1024 * MIB
"""Bytes of a CSV table, which is read line by line; all questions of OSR-Bench have about 50 MB."""
EPISODES_FILE = 256 * MIB
"""Bytes of recorded episodes, one per line of some kilobytes."""
SMALL_JSON, VALUES = 4 * MIB, 2_000_000
"""Bytes of JSON parsed without counting, and values in larger JSON; an entry of 100 scenes has 200,000 values."""
PANORAMA_WIDTH = 8192
PIXELS, THUMBNAIL_PIXELS = 8192 * 8192, 16_000_000
"""Of a picture, and of one that is scaled down to a thumbnail."""
PICTURE_FILE = 256 * MIB
_XZ_MEMORY = 160 * MIB
"""Bytes of memory for decompressing xz; its strongest setting needs 65 MB."""
_CHUNK = MIB

Compression = Literal["plain", "gzip", "xz", "bz2"]
_MAGIC: dict[Compression, bytes] = {"gzip": b"\x1f\x8b", "xz": b"\xfd7zXZ\x00", "bz2": b"BZh"}


# ---- scenes and leaderboard entries ----

SCENE_ROOMS, SCENE_DOORS, SCENE_THINGS = 64, 256, 2_000
"""Of a scene in a file. Generated scenes have up to 32 rooms."""
SCENE_COORDINATE = 1_000
"""Cells from the origin of a scene's frame along each axis; 32 rooms in a row take 250."""
SCENE_CELLS = 60_000
"""Of floor in a scene; 32 of the largest rooms have 51,200."""
BOARD_ROOMS, BOARD_THINGS = 16, 12
"""Of an entry: rooms, and things in each. The paper has 3 (or 2, or 4) rooms with 4 things each."""
BOARD_OPTIONS = {"questions": 20, "repeats": 10, "budget": 260, "revise_budget": 160}
"""Of an entry. The paper has 3, 5, 20 and 15."""
BOARD_SCENES = 2_000
BOARD_CASE = {"rooms": 16, "things and doors": 220, "cells along a side": 160, "questions": 400}
"""Of a scene that an entry includes."""


def board_seconds(size: int) -> float:
    """CPU seconds allowed for checking an entry of `size` bytes.

    Entries of scripted models, whose replies are short, take 1 to 6 seconds per megabyte.
    """
    return min(1800.0, 1.5 + 200.0 * size / 1e6)


class _TimeLimitReached(BaseException):
    """A BaseException, so that the interrupted code does not catch it."""


@contextmanager
def cpu_limit(seconds: float) -> Generator[None]:
    """Interrupt the block with a `TooLargeError` after so many CPU seconds; works in the main thread only."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def end(number: int, frame: object) -> NoReturn:
        del number, frame
        raise _TimeLimitReached

    previous = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    except _TimeLimitReached:
        raise TooLargeError(f"it takes more than {seconds:.1f} seconds, which is the most for its size") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)


# ---- bytes ----


def read_file(path: Path, limit: int = JSON_FILE) -> bytes:
    """The content of a file of at most `limit` bytes."""
    with path.open("rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise TooLargeError(f"{path} has more than {_size(limit)}, the limit for a file of its kind")
    return content


def check_file(path: Path, limit: int) -> None:
    """Refuse a file of more than `limit` bytes that another library will read."""
    if path.stat().st_size > limit:
        raise TooLargeError(f"{path} has more than {_size(limit)}, the limit for a file of its kind")


@contextmanager
def unpacking(path: Path, limit: UnpackLimit) -> Generator[BinaryIO]:
    """A file as a stream of bytes, decompressed (gzip, xz or bz2) if need be; reading past the limit raises."""
    allowed = limit.allowed(path.stat().st_size)
    with path.open("rb") as file:
        head = file.read(6)
        file.seek(0)
        pieces = _unpacked(file, _compression(head))
        yield io.BufferedReader(_LimitedStream(pieces, str(path), allowed), _CHUNK)


def _compression(head: bytes) -> Compression:
    for compression, magic in _MAGIC.items():
        if head.startswith(magic):
            return compression
    return "plain"


def _unpacked(file: BinaryIO, compression: Compression) -> Iterator[bytes]:
    """Pieces of at most a megabyte, at any compression ratio."""
    if compression == "xz":
        yield from _unpacked_xz(file)
        return
    stream: BinaryIO = file
    if compression == "gzip":
        stream = gzip.GzipFile(fileobj=file)  # pyright: ignore[reportAssignmentType]
    elif compression == "bz2":
        stream = bz2.BZ2File(file)  # pyright: ignore[reportAssignmentType]
    while piece := stream.read(_CHUNK):
        yield piece


def _unpacked_xz(file: BinaryIO) -> Iterator[bytes]:
    rest = b""
    while rest or (rest := file.read(_CHUNK)):
        rest = rest.lstrip(b"\x00")
        if not rest:
            continue
        stream = lzma.LZMADecompressor(memlimit=_XZ_MEMORY)
        yield stream.decompress(rest, _CHUNK)
        while not stream.eof:
            data = file.read(_CHUNK) if stream.needs_input else b""
            if stream.needs_input and not data:
                raise EOFError("the file is truncated")
            yield stream.decompress(data, _CHUNK)
        rest = stream.unused_data


class _LimitedStream(io.RawIOBase):
    """Pieces of bytes as a stream; raises once they exceed `limit` bytes."""

    def __init__(self, pieces: Iterator[bytes], name: str, limit: int) -> None:
        self._pieces, self._name, self._limit = pieces, name, limit
        self._rest, self._received = b"", 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._received += len(piece)
            if self._received > self._limit:
                raise TooLargeError(
                    f"{self._name} unpacks to more than {_size(self._limit)}, the limit for a file of its size"
                )
            self._rest = piece
        taken = self._rest[: len(buffer)]
        buffer[: len(taken)] = taken
        self._rest = self._rest[len(taken) :]
        return len(taken)


# ---- JSON ----


def check_json(data: bytes | str, name: str) -> None:
    """Refuse JSON of more than `VALUES` values, without parsing it."""
    if len(data) <= SMALL_JSON:
        return
    pieces = (data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))
    check_json_pieces((p.encode("utf-8", "replace") if isinstance(p, str) else p for p in pieces), name)


def check_json_pieces(pieces: Iterable[bytes], name: str) -> None:
    """`check_json` for JSON in pieces."""
    values, in_string, escape = 0, False, b""
    for piece in pieces:
        unescaped = (escape + piece).replace(b"\\\\", b"")
        escape = b"\\" if unescaped.endswith(b"\\") else b""
        characters = np.frombuffer(unescaped.removesuffix(b"\\").replace(b'\\"', b""), np.uint8)
        quotes = characters == ord('"')
        quoted = (np.cumsum(quotes, dtype=np.int64) + in_string) % 2 == 1
        starts = (characters == ord(",")) | (characters == ord("[")) | (characters == ord("{"))
        values += int(np.count_nonzero(starts & ~quoted))
        in_string = bool((int(np.count_nonzero(quotes)) + in_string) % 2)
        if values > VALUES:
            raise TooLargeError(f"{name} holds more than {VALUES:,} values, the limit for JSON files")


# ---- pictures ----


def check_pixels(size: tuple[int, int], name: str) -> None:
    """Refuse a picture of too many pixels, given the size in its header, before it is decoded."""
    if size[0] * size[1] > PIXELS:
        raise TooLargeError(f"{name} has {size[0]} x {size[1]} pixels; the limit is {PIXELS:,}")


def _size(count: int) -> str:
    return f"{count / MIB:.0f} MiB" if count >= MIB else f"{count:,} bytes"


UNPACKING_ERRORS = (lzma.LZMAError, zlib.error, EOFError, gzip.BadGzipFile)
"""Raised on damaged compressed files."""
