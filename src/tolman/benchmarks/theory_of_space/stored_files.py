"""Files of a folder or of a tar archive, read when they are asked for. Nothing is ever unpacked to disk."""

import lzma
import os
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tolman.errors import TolmanError

LARGEST_FILE = 2**29
"""Bytes. The released logs have some megabytes each; a larger file is damaged or means harm."""


class ReleasedRunError(TolmanError):
    """A folder or archive does not hold released runs, or one of their files is missing or damaged."""


@dataclass(frozen=True)
class StoredFile:
    """One file: where it came from, for messages, and its path on disk or (from an archive) its deflated bytes."""

    origin: str
    source: Path | bytes

    def read(self) -> bytes:
        if isinstance(self.source, bytes):
            return zlib.decompress(self.source)
        try:
            return self.source.read_bytes()
        except OSError as error:
            raise ReleasedRunError(f"{self.origin} can't be read: {error.strerror}") from None


Wanted = Callable[[PurePosixPath], bool]
Found = tuple[PurePosixPath, StoredFile]


def stored_files(path: Path, wanted: Wanted) -> Iterator[Found]:
    """The wanted files of a folder, or of a .tar, .tar.gz or .tar.xz archive, with their paths."""
    if path.is_dir():
        return _in_folder(path.resolve(), wanted)
    if path.is_file():
        return _in_archive(path, wanted)
    raise ReleasedRunError(f"{path} is neither a folder nor an archive")


def _in_folder(folder: Path, wanted: Wanted) -> Iterator[Found]:
    """Whole paths are given, so that any folder of the layout can be pointed at. Links that lead out are left out."""
    for parent, children, names in os.walk(folder):
        children.sort()
        for name in sorted(names):
            file = Path(parent, name)
            path = PurePosixPath(file.as_posix())
            if wanted(path) and file.resolve().is_relative_to(folder):
                yield path, StoredFile(str(file), file)


def _in_archive(archive: Path, wanted: Wanted) -> Iterator[Found]:
    """One pass over the archive. Wanted files are kept in memory, deflated: their text shrinks to a tenth."""
    try:
        with tarfile.open(archive, "r:*") as members:
            for member in members:
                path = _safe_path(archive, member)
                stream = members.extractfile(member) if member.isreg() and wanted(path) else None
                if stream is not None:
                    yield path, StoredFile(f"{archive}: {path}", zlib.compress(stream.read(), 1))
    except (tarfile.TarError, lzma.LZMAError, zlib.error, EOFError, OSError) as error:
        raise ReleasedRunError(f"{archive} is not a readable tar archive: {error}") from None


def _safe_path(archive: Path, member: tarfile.TarInfo) -> PurePosixPath:
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts:
        raise ReleasedRunError(f"{archive} holds {member.name!r}, a path that leads out of it")
    if member.size > LARGEST_FILE:
        raise ReleasedRunError(f"{archive} holds {member.name!r} of {member.size} bytes, too large for a log")
    return path
