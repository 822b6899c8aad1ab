"""Files and folders: atomic writes, the cache folder, JSON from untrusted sources, and output folders (lock, settings
note, progress).
"""

import json
import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from threading import Event, Thread

from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.limits import JSON_FILE, TooLargeError, check_json, read_file

_UNFINISHED = ".unfinished-"


def atomic_write(path: Path, *data: bytes | memoryview, lasting: bool = True) -> None:
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
def atomic_path(path: Path) -> Generator[Path]:
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


def cache_folder() -> Path:
    """The folder named by `TOLMAN_CACHE`, else `tolman` where the system keeps caches."""
    own = os.environ.get("TOLMAN_CACHE")
    if own:
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "tolman"


def read_json(path: Path) -> object:
    """The value in a JSON file; a `SceneFileError` that names the file for anything that is not one."""
    try:
        data = read_file(path, JSON_FILE)
        check_json(data, str(path))
        return json.loads(data.decode("utf-8"))
    except TooLargeError as error:
        raise SceneFileError(str(error)) from None
    except OSError as error:
        raise SceneFileError(f"{path} can't be read: {error.strerror}") from None
    except ValueError as error:
        raise SceneFileError(f"{path} is not valid JSON: {error}") from None
    except RecursionError:
        raise SceneFileError(f"{path} is nested too deeply to be a scene") from None


try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None


@contextmanager
def lock_folder(folder: Path) -> Generator[None]:
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


MADE_WITH = "made-with.json"


def check_made_with(out: Path, settings: Mapping[str, object], *, force: bool = False) -> None:
    """Leave the note, or hold it against the settings. Without a note, whatever is in the folder is somebody else's.

    With `force`, files of others are there beside those that are made, which take the place of any of the same name.
    """
    note, said = out / MADE_WITH, json.dumps(settings, indent=1).encode()
    try:
        if note.exists():
            if note.read_bytes() != said:
                raise SettingsError(f"{out} holds files that were made with other settings; choose another folder")
            return
        if not force and any(not path.name.startswith(".") for path in out.iterdir()):
            raise SettingsError(
                f"{out} holds files that were not made by this command; choose another folder, or write among them "
                "with --force"
            )
        atomic_write(note, said)
    except OSError as error:
        raise SettingsError(f"{note} can't be written: {error.strerror}") from None


ProgressCallback = Callable[[int], object]
"""Is told how many files are there by now."""
_PROGRESS_SECONDS = 0.5
"""Seconds between looks."""


@contextmanager
def report_progress(files: Sequence[Path], told: ProgressCallback) -> Generator[None]:
    """Within this context, tell now and then how many of the files are there; once more at the end."""
    missing, over = list(files), Event()

    def look() -> None:
        missing[:] = [file for file in missing if not file.exists()]
        told(len(files) - len(missing))

    def watch() -> None:
        while not over.wait(_PROGRESS_SECONDS):
            look()

    look()
    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        look()
