"""Files that are there complete or not at all, whenever the program is stopped."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

_UNFINISHED = ".unfinished-"


def write_whole(path: Path, *data: bytes | memoryview, lasting: bool = True) -> None:
    """Write a file of one or more parts, and its folder if need be. Until all is written, what was there before stays.

    A `lasting` one outlives a power failure too, which takes some milliseconds; without, only the end of a program.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.parent / f"{_UNFINISHED}{token_hex(8)}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(data)
            if lasting:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


@contextmanager
def whole(path: Path) -> Generator[Path]:
    """A path to write a file to that is too large to be held; it takes its place when all of it is on the disk."""
    unfinished = path.with_name(f"{_UNFINISHED}{path.name}")
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def clear_unfinished(folder: Path) -> None:
    """Take away what a program that was killed had begun to write anywhere below a folder, where none writes now."""
    for file in folder.rglob(f"{_UNFINISHED}*"):
        file.unlink(missing_ok=True)
