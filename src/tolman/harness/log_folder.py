"""The folder of a run's logs: one run at a time, unreadable logs set aside, and where replies are cached."""

import os
import re
import secrets
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from inspect_ai import Task
from inspect_ai.log import read_eval_log, read_eval_log_sample_summaries

from tolman.core.errors import SettingsError
from tolman.core.files import cache_folder
from tolman.harness.records import WORDINGS_KEY

try:
    import fcntl
except ImportError:  # Windows has no such lock
    fcntl = None

_RUN_FILE = "run-id"
_RUN_ID = re.compile(r"[0-9a-f]{32}")
_LOCK = ".lock"
_ASIDE = ".unreadable"


@contextmanager
def locked(log_dir: Path) -> Generator[None]:
    """Lock a folder for this run. The lock is released with the process, however that ends."""
    try:
        log_dir.mkdir(parents=True, exist_ok=True)
        handle = os.open(log_dir / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise SettingsError(f"{log_dir} can't be used for logs: {error.strerror}") from None
    try:
        if fcntl is not None:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                other = os.read(handle, 20).decode("ascii", "replace").strip()
                raise SettingsError(
                    f"another run (process {other or 'unknown'}) is writing to {log_dir}; "
                    "wait until it is over, or name another folder with --log-dir"
                ) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode("ascii"), 0)
        yield
    finally:
        os.close(handle)


def _is_locked(folder: Path) -> bool:
    if not (folder / _LOCK).exists():
        return False
    try:
        with locked(folder):
            return False
    except SettingsError:
        return True


def set_aside_unreadable(log_dir: Path, tell: Callable[[str], None]) -> None:
    """Rename `*.eval` files that can't be read as logs: truncated while written, or of another format."""
    for file in sorted(log_dir.rglob("*.eval")):
        try:
            read_eval_log(str(file), header_only=True)
        except Exception as error:  # whatever a damaged file makes its readers raise
            if file.parent != log_dir and _is_locked(file.parent):
                continue  # another run is writing it
            why = " ".join(str(error).split())[:100] or type(error).__name__
            aside = file.with_name(f"{file.name}{_ASIDE}")
            file.replace(aside)
            tell(f"{file} can't be read as a log ({why}); it is ignored, and renamed to {aside.name}")


def calls_folder(log_dir: Path) -> Path:
    """Where the replies of a run are cached: outside the log folder, since Inspect loads them as Python objects.

    A log folder may come from an untrusted source, so it names the cache only by a random id.
    """
    file = log_dir / _RUN_FILE
    try:
        if not file.exists():
            file.write_text(secrets.token_hex(16), encoding="ascii")
        run_id = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{log_dir} can't be used for logs: {error}") from None
    if not _RUN_ID.fullmatch(run_id):
        raise SettingsError(f"{file} does not hold the id of a run; remove it to start a new run")
    return cache_folder() / "calls" / run_id


def _protocol(metadata: Mapping[str, object] | None) -> tuple[object, object]:
    """What must be the same for a scene to be done: options, and the texts of prompts."""
    known = metadata or {}
    return known.get("options"), known.get(WORDINGS_KEY)


def _logs_of(log_dir: Path, tasks: Sequence[Task]) -> Iterator[tuple[Path, str, int]]:
    """The logs of some tasks under the same protocol: the file, the name of the task, and its epochs."""
    wanted = {task.name: _protocol(task.metadata) for task in tasks}
    for file in sorted(log_dir.rglob("*.eval")):
        about = read_eval_log(str(file), header_only=True).eval
        task = about.task.rpartition("/")[2]
        if task in wanted and _protocol(about.metadata) == wanted[task]:
            yield file, task, about.config.epochs or 1


def check_epochs(log_dir: Path, tasks: Sequence[Task], epochs: int) -> None:
    """Refuse to run fewer epochs than the logs hold: Inspect would drop the others from its logs."""
    most = max((found for _, _, found in _logs_of(log_dir, tasks)), default=1)
    if most > epochs:
        raise SettingsError(
            f"{log_dir} holds {most} epochs of these scenes; give --epochs {most} or more, or another --log-dir"
        )


Scene = tuple[str, str, int]
"""Name of the task, name of the scene, and epoch."""


def finished_scenes(log_dir: Path, tasks: Sequence[Task], epochs: int = 1) -> tuple[set[Scene], dict[Scene, str]]:
    """The scenes of some tasks that the logs in a folder hold: those that are finished, and why others failed.

    Only the first `epochs` runs of a scene count.
    """
    sample_ids = {task.name: {str(sample.id) for sample in task.dataset} for task in tasks}
    done: set[Scene] = set()
    failed: dict[Scene, str] = {}
    for file, task, _ in _logs_of(log_dir, tasks):
        for sample in read_eval_log_sample_summaries(str(file)):
            scene = (task, str(sample.id), sample.epoch)
            if scene[1] in sample_ids[task] and sample.epoch <= epochs:
                if sample.completed and not sample.error:
                    done.add(scene)
                elif sample.error:
                    failed[scene] = sample.error
    return done, {scene: why for scene, why in failed.items() if scene not in done}
