"""How much of anything is read from a file that someone else wrote: all limits stand here, each with what is usual.

A small file can ask for a lot of memory: by packing (a megabyte of zeros takes a kilobyte), or by JSON of many small
values (`[[],[],…` takes twenty times its length). So packed files are unpacked as a stream that ends where a limit is
passed, and JSON that is not small is counted before it is parsed.
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
    """A file, or what is packed in it, is larger than anything of its kind has to be."""


@dataclass(frozen=True)
class Packing:
    """Limits on what is packed in a file."""

    most: int
    """Bytes, unpacked."""
    ratio: int
    """Bytes unpacked for each byte of the file."""
    free: int
    """Bytes up to which the ratio does not matter."""

    def allowed(self, packed: int) -> int:
        """Bytes that so many packed bytes may unpack to."""
        return min(self.most, max(self.free, self.ratio * packed))


ENTRY = Packing(most=96 * MIB, ratio=50, free=8 * MIB)
"""An entry of the leaderboard. 100 scenes have 5 to 80 MB, and pack to a quarter."""
ARCHIVE = Packing(most=64 * 1024 * MIB, ratio=200, free=64 * MIB)
"""A tar archive of released runs. Those of four scenes have 104 MB and pack to 1/33."""
ARCHIVED_FILE = 32 * MIB
"""Bytes of one file of released runs; the largest has 2 MB."""
ARCHIVED_FILES = 200_000
LOG_MEMBER = Packing(most=256 * MIB, ratio=60, free=8 * MIB)
"""One scene in a log (*.eval). A text scene has about 1 MB and packs to 1/3 or, with short replies, to 1/40."""
LOG_MEMBERS = 100_000
JSON_FILE = 64 * MIB
"""Bytes of a file of a scene, of questions, parameters or results; usual ones have some kilobytes."""
TABLE_FILE = 1024 * MIB
"""Bytes of a CSV table, which is read line by line; that of all questions of OSR-Bench has about 50 MB."""
EPISODES_FILE = 256 * MIB
"""Bytes of recorded episodes, a line each; one has some kilobytes."""
SMALL_JSON, VALUES = 4 * MIB, 2_000_000
"""Bytes of JSON that are parsed without counting, and values in any larger one; an entry of 100 scenes has 200,000."""
PANORAMA_WIDTH = 8192
PIXELS, THUMBNAIL_PIXELS = 8192 * 8192, 16_000_000
"""Of a picture, and of one that is made small for a page."""
PICTURE_FILE = 256 * MIB
_DICTIONARY = 160 * MIB
"""Bytes that unpacking xz may take; the strongest setting needs 65 MB."""
_CHUNK = MIB

Packed = Literal["plain", "gzip", "xz", "bz2"]
_MAGIC: tuple[tuple[bytes, Packed], ...] = (
    (b"\x1f\x8b", "gzip"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bz2"),
)


# ---- worlds, and what may be asked of them: see world/files.py, report/leaderboard ----

ROOMS, DOORS, THINGS = 64, 256, 2_000
"""Of a scene in a file. Ours have up to 32 rooms."""
FARTHEST = 1_000
"""Cells from the origin of a scene's frame; 32 rooms in a row take 250."""
CELLS = 60_000
"""Of floor in a scene; 32 of the largest rooms have 51,200."""
BOARD_ROOMS, BOARD_THINGS = 16, 12
"""Of an entry: rooms, and things in each. The paper has 3 (or 2, or 4) rooms with 4 things each."""
BOARD_OPTIONS = {"questions": 20, "repeats": 10, "budget": 100, "revise_budget": 100}
"""Of an entry. The paper has 3, 5, 20 and 15."""
BOARD_SCENES = 2_000
BOARD_CASE = {"rooms": 16, "things and doors": 220, "cells along a side": 160, "questions": 400}
"""Of a scene that an entry brings along."""


def board_seconds(size: int) -> float:
    """CPU seconds for the check of an entry of so many bytes: who wants more work done has to bring more replies.

    Entries of scripted models, which say little, take 1 to 6 seconds a megabyte.
    """
    return min(1800.0, 1.5 + 200.0 * size / 1e6)


class _TimeLimitReached(BaseException):
    """No error of the work that is done, which must not catch it."""


@contextmanager
def cpu_limit(seconds: float) -> Generator[None]:
    """End what is done here with an error once it took so many seconds of CPU; only in a process's main thread."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def end(number: int, frame: object) -> NoReturn:
        del number, frame
        raise _TimeLimitReached

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    except _TimeLimitReached:
        raise TooLargeError(f"it takes more than {seconds:.1f} seconds, which is the most for its size") from None
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# ---- bytes ----


def read_file(path: Path, most: int = JSON_FILE) -> bytes:
    """All of a file, unless it is larger than it may be."""
    with path.open("rb") as file:
        found = file.read(most + 1)
    if len(found) > most:
        raise TooLargeError(f"{path} has more than {_size(most)}, which is the most that is read of such a file")
    return found


def check_file(path: Path, most: int) -> None:
    """Refuse a file that is larger than it may be, where another program reads it."""
    if path.stat().st_size > most:
        raise TooLargeError(f"{path} has more than {_size(most)}, which is the most that is read of such a file")


@contextmanager
def unpacking(path: Path, limit: Packing) -> Generator[BinaryIO]:
    """A file as a stream of bytes, unpacked if it is packed (gzip, xz or bz2), that ends with an error at a limit."""
    packed = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(6)
        file.seek(0)
        kind = _kind(head)
        yield io.BufferedReader(_LimitedStream(_unpacked(file, kind), str(path), limit.allowed(packed)), _CHUNK)


def _kind(head: bytes) -> Packed:
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    return "plain"


def _unpacked(file: BinaryIO, kind: Packed) -> Iterator[bytes]:
    """Pieces of at most a megabyte, however much a few bytes unpack to."""
    if kind == "xz":
        yield from _unpacked_xz(file)
        return
    stream: BinaryIO = file
    if kind == "gzip":
        stream = gzip.GzipFile(fileobj=file)  # pyright: ignore[reportAssignmentType]
    elif kind == "bz2":
        stream = bz2.BZ2File(file)  # pyright: ignore[reportAssignmentType]
    while piece := stream.read(_CHUNK):
        yield piece


def _unpacked_xz(file: BinaryIO) -> Iterator[bytes]:
    rest = b""
    while rest or (rest := file.read(_CHUNK)):
        rest = rest.lstrip(b"\x00")
        if not rest:
            continue
        stream = lzma.LZMADecompressor(memlimit=_DICTIONARY)
        yield stream.decompress(rest, _CHUNK)
        while not stream.eof:
            data = file.read(_CHUNK) if stream.needs_input else b""
            if stream.needs_input and not data:
                raise EOFError("it ends too early")
            yield stream.decompress(data, _CHUNK)
        rest = stream.unused_data


class _LimitedStream(io.RawIOBase):
    """Pieces as a stream, up to a number of bytes."""

    def __init__(self, pieces: Iterator[bytes], name: str, most: int) -> None:
        self._pieces, self._name, self._most = pieces, name, most
        self._left, self._given = b"", 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "bytearray | memoryview") -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        while not self._left:
            piece = next(self._pieces, None)
            if piece is None:
                return 0
            self._given += len(piece)
            if self._given > self._most:
                raise TooLargeError(
                    f"{self._name} unpacks to more than {_size(self._most)}, which is the most for a file of its size"
                )
            self._left = piece
        taken = self._left[: len(buffer)]
        buffer[: len(taken)] = taken
        self._left = self._left[len(taken) :]
        return len(taken)


# ---- JSON ----


def check_json(data: bytes | str, name: str) -> None:
    """Refuse JSON of more values than any file needs, without parsing it."""
    if len(data) <= SMALL_JSON:
        return
    pieces = (data[at : at + _CHUNK] for at in range(0, len(data), _CHUNK))
    check_json_pieces((p.encode("utf-8", "replace") if isinstance(p, str) else p for p in pieces), name)


def check_json_pieces(pieces: Iterable[bytes], name: str) -> None:
    """The same for JSON that comes in pieces."""
    values, inside, escaped = 0, False, b""
    for piece in pieces:
        plain = (escaped + piece).replace(b"\\\\", b"")
        escaped = b"\\" if plain.endswith(b"\\") else b""
        signs = np.frombuffer(plain.removesuffix(b"\\").replace(b'\\"', b""), np.uint8)
        quotes = signs == ord('"')
        in_strings = (np.cumsum(quotes, dtype=np.int64) + inside) % 2 == 1
        starts = (signs == ord(",")) | (signs == ord("[")) | (signs == ord("{"))
        values += int(np.count_nonzero(starts & ~in_strings))
        inside = bool((int(np.count_nonzero(quotes)) + inside) % 2)
        if values > VALUES:
            raise TooLargeError(f"{name} holds more than {VALUES:,} values, which is the most that is read")


# ---- pictures ----


def check_pixels(size: tuple[int, int], name: str) -> None:
    """Refuse a picture of too many pixels, once its head is read and before they are unpacked."""
    if size[0] * size[1] > PIXELS:
        raise TooLargeError(f"{name} has {size[0]} x {size[1]} pixels; {PIXELS:,} is the most that is read")


def _size(count: int) -> str:
    return f"{count / MIB:.0f} MiB" if count >= MIB else f"{count:,} bytes"


UNPACKING_ERRORS = (lzma.LZMAError, zlib.error, EOFError, gzip.BadGzipFile)
"""What damaged packed files raise."""
