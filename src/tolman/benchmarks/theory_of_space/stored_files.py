"""Files of a folder or of a tar archive, read when they are asked for. Nothing is ever unpacked to disk."""

import os
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tolman.errors import TolmanError
from tolman.limits import (
    ARCHIVE,
    ARCHIVED_FILE,
    ARCHIVED_FILES,
    MIB,
    UNPACKING_ERRORS,
    TooLargeError,
    check_json,
    read_file,
    unpacking,
)


class ReleasedRunError(TolmanError):
    """A folder or archive does not hold released runs, or one of their files is missing or damaged."""


@dataclass(frozen=True)
class StoredFile:
    """One file: where it came from, for messages, and its path on disk or (from an archive) its deflated bytes."""

    origin: str
    source: Path | bytes

    def read(self) -> bytes:
        try:
            found = (
                zlib.decompress(self.source)
                if isinstance(self.source, bytes)
                else read_file(self.source, ARCHIVED_FILE)
            )
            check_json(found, self.origin)
        except TooLargeError as error:
            raise ReleasedRunError(str(error)) from None
        except OSError as error:
            raise ReleasedRunError(f"{self.origin} can't be read: {error.strerror}") from None
        return found


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
        with unpacking(archive, ARCHIVE) as plain, tarfile.open(fileobj=plain, mode="r|", tarinfo=_Member) as members:
            for number, member in enumerate(members):
                path = _safe_path(archive, member)
                if number >= ARCHIVED_FILES:
                    raise ReleasedRunError(f"{archive} holds more than {ARCHIVED_FILES:,} files")
                stream = members.extractfile(member) if member.isreg() and wanted(path) else None
                if stream is not None:
                    yield path, StoredFile(f"{archive}: {path}", zlib.compress(stream.read(), 1))
    except TooLargeError as error:
        raise ReleasedRunError(str(error)) from None
    except (tarfile.TarError, *UNPACKING_ERRORS, OSError) as error:
        raise ReleasedRunError(f"{archive} is not a readable tar archive: {error}") from None


class _Member(tarfile.TarInfo):
    """A file in an archive. Its name and marks, which are read at once, are no longer than a megabyte."""

    def _proc_member(self, tarfile_: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in _MARKS and self.size > MIB:
            raise tarfile.ReadError(f"a name of {self.size} bytes is no name")
        return super()._proc_member(tarfile_)  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue, reportUnknownVariableType]


_MARKS = (
    *(tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK),
    *(tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE),
)


def _safe_path(archive: Path, member: tarfile.TarInfo) -> PurePosixPath:
    path = PurePosixPath(member.name)
    if path.is_absolute() or ".." in path.parts:
        raise ReleasedRunError(f"{archive} holds {member.name!r}, a path that leads out of it")
    if member.size > ARCHIVED_FILE:
        raise ReleasedRunError(f"{archive} holds {member.name!r} of {member.size} bytes, too large for a log")
    return path
