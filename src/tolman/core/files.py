"""Files and folders: atomic writes, the cache folder, JSON from untrusted sources, output folders (lock, record of
settings, progress), and what packages of Tolman hold.
"""

import hashlib
import io
import json
import os
import pkgutil
import tomllib
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from secrets import token_hex
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel, ValidationError

from tolman.core.errors import SceneFileError, SettingsError, TolmanError
from tolman.core.limits import JSON_FILE, TooLargeError, check_json, read_file

if TYPE_CHECKING:
    from PIL import Image

_UNFINISHED = ".unfinished-"


def atomic_write(path: Path, *data: bytes | memoryview, durable: bool = True) -> None:
    """Write the parts of a file, creating its folder if needed; a previous file stays until all parts are written.

    With `durable`, it is also flushed to the disk (some milliseconds), so that it survives a power failure.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.parent / f"{_UNFINISHED}{token_hex(8)}"
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise


def write_file(path: Path, data: bytes, error: type[TolmanError] = SettingsError) -> None:
    """Write a file atomically; an error that names it if that fails."""
    try:
        atomic_write(path, data)
    except OSError as reason:
        raise error(f"{path} can't be written: {reason.strerror}") from None


@contextmanager
def atomic_path(path: Path) -> Generator[Path]:
    """A temporary path for a file too large for memory; it replaces `path` once it is complete and on the disk."""
    unfinished = path.with_name(f"{_UNFINISHED}{path.name}")
    try:
        yield unfinished
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def clear_unfinished(folder: Path) -> None:
    """Delete partial files of killed programs anywhere below a folder; no program may be writing there now."""
    for file in folder.rglob(f"{_UNFINISHED}*"):
        file.unlink(missing_ok=True)


def cache_folder() -> Path:
    """The folder named by `TOLMAN_CACHE`, else `tolman` in the user's cache folder."""
    own = os.environ.get("TOLMAN_CACHE")
    if own:
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "tolman"


M = TypeVar("M", bound=BaseModel)


def validated(model: type[M], values: Any, what: str) -> M:
    """The values of a file as a model; otherwise a `SceneFileError` that says what they are not, and where."""
    try:
        return model.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise SceneFileError(f"{what}: {place}: {first['msg']}") from None


def packaged_table(package: str, name: str) -> dict[str, Any]:
    """The TOML file of that name in a package of Tolman."""
    return tomllib.loads((files(package) / name).read_text(encoding="utf-8"))


@cache
def import_modules(package: str) -> None:
    """Import every module of a package of Tolman, so that a new file registers what it holds."""
    for module in pkgutil.iter_modules(import_module(package).__path__):
        import_module(f"{package}.{module.name}")


def read_json(path: Path) -> object:
    """The value in a JSON file; raises a `SceneFileError` that names the file if it is not valid JSON."""
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
except ImportError:  # Windows
    fcntl = None


@contextmanager
def lock_folder(folder: Path) -> Generator[None]:
    """Lock a folder, created if needed, against other processes; SettingsError if another process holds the lock."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"{folder} can't be created: {error.strerror}") from None
    if fcntl is None:
        yield
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SettingsError(
                f"another program is writing to {folder}; wait for it, or choose another folder"
            ) from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(handle)


MADE_WITH = "made-with.json"


def check_made_with(out: Path, settings: Mapping[str, object], *, force: bool = False) -> None:
    """Record the settings in an output folder, or refuse the folder if it was made with other ones.

    A folder that holds files but no record is refused too, except with `force`: then files are added to it, and those
    of the same names replaced.
    """
    note, expected = out / MADE_WITH, json.dumps(settings, indent=1).encode()
    try:
        if note.exists():
            if note.read_bytes() != expected:
                raise SettingsError(f"{out} holds files that were made with other settings; choose another folder")
            return
        if not force and any(not path.name.startswith(".") for path in out.iterdir()):
            raise SettingsError(
                f"{out} holds files that were not made by this command; choose another folder, or write among them "
                "with --force"
            )
        atomic_write(note, expected)
    except OSError as error:
        raise SettingsError(f"{note} can't be written: {error.strerror}") from None


ProgressCallback = Callable[[int], object]
"""Called with the number of files that exist so far."""
_PROGRESS_SECONDS = 0.5
"""Seconds between two calls."""


@contextmanager
def report_progress(files: Sequence[Path], on_progress: ProgressCallback) -> Generator[None]:
    """Within this context, report regularly how many of the files exist, and once more at the end."""
    missing, finished = list(files), Event()

    def report() -> None:
        missing[:] = [file for file in missing if not file.exists()]
        on_progress(len(files) - len(missing))

    def watch() -> None:
        while not finished.wait(_PROGRESS_SECONDS):
            report()

    report()
    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()
        report()


def encoded(picture: "Image.Image", kind: str, **settings: Any) -> bytes:
    """A picture as a file of this kind, such as PNG, with Pillow's settings."""
    buffer = io.BytesIO()
    picture.save(buffer, kind, **settings)
    return buffer.getvalue()


def write_by_digest(folder: Path, data: bytes, suffix: str) -> str:
    """Write a file named after its content into a folder, unless it is there; returns its name."""
    name = f"{hashlib.sha256(data).hexdigest()[:20]}{suffix}"
    if not (folder / name).exists():
        atomic_write(folder / name, data)
    return name
