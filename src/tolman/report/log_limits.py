"""Logs (*.eval) are zip archives of JSON: each member is unpacked as a stream and counted, before Inspect parses it."""

import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO
from zipfile import BadZipFile, ZipFile, ZipInfo

import zstandard

from tolman.errors import TolmanError
from tolman.limits import (
    JSON_FILE,
    LOG_MEMBER,
    LOG_MEMBERS,
    MIB,
    TooLargeError,
    check_json,
    check_json_pieces,
    read_file,
)

_WINDOW = 128 * MIB
"""Bytes that unpacking may take at once."""


class LogRefusedError(TolmanError):
    """A log is not what it says, or larger than a log has to be."""


def check_log(path: Path) -> None:
    """Refuse a log that would take more memory than a log has to, or that is no zip archive (or JSON) at all."""
    if path.suffix == ".json":
        check_json(read_file(path, JSON_FILE), str(path))
        return
    try:
        with path.open("rb") as file, ZipFile(file) as archive:
            members = archive.infolist()
            if len(members) > LOG_MEMBERS or sum(member.compress_size for member in members) > path.stat().st_size:
                raise LogRefusedError("it has more members than a log, or members that overlap")
            for member in members:
                _check(file, member)
    except BadZipFile as error:
        raise LogRefusedError(f"it is no log: {error}") from None


def _check(file: BinaryIO, member: ZipInfo) -> None:
    allowed = LOG_MEMBER.allowed(member.compress_size)
    if member.file_size > allowed:
        raise TooLargeError(
            f"its part {member.filename[:100]!r} unpacks to {member.file_size / MIB:.0f} MiB, "
            f"and {allowed / MIB:.0f} MiB is the most for its size"
        )
    check_json_pieces(_counted(_pieces(file, member), member), f"its part {member.filename[:100]!r}")


def _counted(pieces: Iterator[bytes], member: ZipInfo) -> Iterator[bytes]:
    """The same pieces, as long as they are no more than the archive says; whoever lies about that is not unpacked."""
    left = member.file_size
    for piece in pieces:
        left -= len(piece)
        if left < 0:
            raise LogRefusedError(f"its part {member.filename[:100]!r} is longer than it says")
        yield piece


def _pieces(file: BinaryIO, member: ZipInfo) -> Iterator[bytes]:
    file.seek(member.header_offset)
    head = file.read(30)
    file.seek(int.from_bytes(head[26:28], "little") + int.from_bytes(head[28:30], "little"), io.SEEK_CUR)
    packed = file.read(member.compress_size)
    try:
        match member.compress_type:
            case 0:  # ZIP_STORED
                yield packed
            case 8:  # ZIP_DEFLATED
                yield from _inflated(packed)
            case 93:  # Zstandard
                unpacker = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
                with unpacker.stream_reader(packed, read_across_frames=True) as stream:
                    while piece := stream.read(MIB):
                        yield piece
            case _:
                raise LogRefusedError(f"its part {member.filename[:100]!r} is packed in a way that no log is")
    except (zlib.error, zstandard.ZstdError):
        return  # a part that is damaged is told of when it is read, and the others are there


def _inflated(packed: bytes) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    while piece := unpacker.decompress(packed, MIB):
        yield piece
        packed = unpacker.unconsumed_tail
    yield unpacker.flush()
