"""One program at a time in a folder. The system itself frees the folder when a program ends, however it ends."""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from tolman.errors import SettingsError

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None


@contextmanager
def only_one(folder: Path) -> Generator[None]:
    """Keep others out of a folder, which is made if need be; SettingsError where another is at work in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"{folder} can't be made: {error.strerror}") from None
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SettingsError(
                f"another program is rendering into {folder}; wait for it, or choose another folder"
            ) from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)
