"""Log files: found, checked for size, opened, and grouped by model and settings."""

import io
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO, TypeVar
from zipfile import BadZipFile, ZipFile, ZipInfo

import zstandard
from inspect_ai.log import EvalLog, EvalSample, read_eval_log, read_eval_log_sample

from tolman.core.errors import SettingsError, TolmanError
from tolman.core.limits import (
    JSON_FILE,
    LOG_MEMBER,
    LOG_MEMBERS,
    MIB,
    TooLargeError,
    check_json,
    check_json_pieces,
    read_file,
)
from tolman.core.parallel import Tell
from tolman.core.seeds import digest
from tolman.harness.records import WORDINGS_KEY

_WINDOW = 128 * MIB
"""Bytes: the largest window with which a member may be compressed."""


class LogRefusedError(TolmanError):
    """A log is malformed, or larger than a log needs to be."""


def check_log(path: Path) -> None:
    """Refuse a log that would take more memory than a log needs, or that is no zip archive (or JSON) at all."""
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
        raise LogRefusedError(f"it is not a log: {error}") from None


def _check(file: BinaryIO, member: ZipInfo) -> None:
    allowed = LOG_MEMBER.allowed(member.compress_size)
    if member.file_size > allowed:
        raise TooLargeError(
            f"its part {member.filename[:100]!r} unpacks to {member.file_size / MIB:.0f} MiB, "
            f"and {allowed / MIB:.0f} MiB is the most for its size"
        )
    check_json_pieces(_counted(_pieces(file, member), member), f"its part {member.filename[:100]!r}")


def _counted(pieces: Iterator[bytes], member: ZipInfo) -> Iterator[bytes]:
    """The same pieces; refuses a member that is longer than the archive states."""
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
                raise LogRefusedError(f"its part {member.filename[:100]!r} uses a compression that logs do not use")
    except (zlib.error, zstandard.ZstdError):
        return  # a damaged part is reported when it is read; the others are usable


def _inflated(packed: bytes) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    while piece := unpacker.decompress(packed, MIB):
        yield piece
        packed = unpacker.unconsumed_tail
    yield unpacker.flush()


_UNREAD = {"events", "events_data", "messages", "output", "attachments", "scores", "error_retries", "timelines"}
"""Parts of a sample that no table needs. The record is in its store, which Inspect keeps verbatim."""
_TRANSPORT = {
    *("max_retries", "timeout", "attempt_timeout", "stream_idle_timeout", "max_connections", "adaptive_connections"),
    *("cache", "cache_prompt", "batch", "extra_headers", "logprobs", "top_logprobs", "prompt_logprobs"),
}
"""Settings of a provider that do not change a model's replies."""


def reply_args(model: str, args: Mapping[str, Any]) -> dict[str, object]:
    """The arguments of a provider that change a model's replies: weights, and whatever a scripted agent is given."""
    return {name: value for name, value in args.items() if name == "model_path" or model.startswith("tolman/")}


@dataclass(frozen=True)
class SampleAddress:
    """The log, sample and epoch of a scene."""

    log: Path
    sample: str | int
    epoch: int


@dataclass(frozen=True)
class LogFile:
    """One log, of which only the header has been read."""

    path: Path
    header: EvalLog

    @property
    def model(self) -> str:
        return self.header.eval.model

    @property
    def task(self) -> str:
        """Its name without a package, such as `theory_of_space`."""
        return (self.header.eval.task_registry_name or self.header.eval.task).rpartition("/")[2]

    @property
    def settings(self) -> dict[str, object]:
        """What distinguishes an evaluation from others of the same model: arguments, generation and wording."""
        about = self.header.eval
        generation: dict[str, object] = {}
        for config in (about.model_generate_config, self.header.plan.config):
            generation |= config.model_dump(mode="json", exclude_none=True, exclude=_TRANSPORT)
        words = str((about.metadata or {}).get(WORDINGS_KEY) or "")
        given = reply_args(about.model, about.model_args)
        return {**generation, **given, **({"wording_digest": words[:12]} if words else {})}

    @property
    def key(self) -> str:
        """The same for all logs of one run."""
        return digest([self.model, {name: str(value) for name, value in self.settings.items()}])

    @cached_property
    def planned(self) -> list[tuple[str, int]]:
        """Scenes that were to be run, each with the number of its epoch."""
        about = self.header.eval
        epochs = range(1, (about.config.epochs or 1) + 1)
        return [(str(scene), epoch) for scene in about.dataset.sample_ids or () for epoch in epochs]

    def sample(self, scene: str, epoch: int, tell: Tell) -> EvalSample | None:
        """The logged sample of a scene; None where it never ended, or its part of the log is damaged."""
        sample_ids = {str(name): name for name in self.header.eval.dataset.sample_ids or ()}
        try:
            return read_eval_log_sample(str(self.path), sample_ids[scene], epoch, exclude_fields=_UNREAD)
        except IndexError:
            return None
        except Exception as error:  # whatever a damaged file makes its readers raise
            tell(f"{self.path}: scene {scene} can't be read, and counts as not done ({one_line(error)})")
            return None


L = TypeVar("L")
OpenLog = Callable[[Path, EvalLog, Mapping[str, Any]], L]
"""Makes a log of a benchmark from its path, its header, and the options that it was run under."""


def find_logs(paths: Sequence[Path], tell: Tell) -> list[LogFile]:
    """All logs in files and folders that can be opened, of any task, oldest first; of the same second, as given."""
    opened = [log for file in log_paths(paths) if (log := _open(file, tell)) is not None]
    return sorted(opened, key=lambda log: log.header.eval.created)


def logs_of(task: str, title: str, paths: Sequence[Path], tell: Tell, open_log: OpenLog[L]) -> list[L]:
    """The logs of a benchmark in files and folders, oldest first. Other tasks are ignored."""
    ours = [log for log in find_logs(paths, tell) if log.task.startswith(task)]
    opened = [found for log in ours if (found := _opened(log, open_log, tell)) is not None]
    if not opened:
        where, count = ", ".join(map(str, paths)), len(log_paths(paths))
        raise SettingsError(f"{where}: none of the {count} logs there is a readable one of {title}")
    return opened


def _opened(log: LogFile, open_log: OpenLog[L], tell: Tell) -> L | None:
    try:
        return open_log(log.path, log.header, (log.header.eval.metadata or {})["options"])
    except (TolmanError, KeyError, TypeError, AttributeError, ValueError) as error:
        tell(f"{log.path} was written by another version of Tolman, and is left out ({one_line(error)})")
        return None


def log_paths(paths: Sequence[Path]) -> list[Path]:
    """The log files at some paths, each once."""
    return list(dict.fromkeys(file for path in paths for file in _files(path)))


def _files(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
        return
    if not path.is_dir():
        raise SettingsError(f"there is no {path}; name a folder of logs, or a log (*.eval)")
    found = sorted(path.rglob("*.eval"))
    if not found:
        raise SettingsError(f"{path} holds no logs (*.eval); `tolman eval` writes logs, and prints where")
    yield from found


def _open(file: Path, tell: Tell) -> LogFile | None:
    try:
        check_log(file)
        return LogFile(file, read_eval_log(str(file), header_only=True))
    except TooLargeError as error:
        tell(f"{file} is too large, and is left out: {one_line(error)}")
        return None
    except Exception as error:  # whatever a damaged file makes its readers raise
        tell(f"{file} is damaged, and is left out ({one_line(error)})")
        return None


def one_line(error: Exception) -> str:
    """The message of an error, on one line."""
    return " ".join(str(error).split())[:200] or type(error).__name__
