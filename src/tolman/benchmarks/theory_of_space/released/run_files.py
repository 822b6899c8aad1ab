"""The authors' released runs: the logs of one model in one scene and setting, from a folder or a tar archive, as
typed values. Parts that no scorer needs stay JSON.

A run is a folder `.../MODEL/SCENE HASH/text|vision/active|passive/think|nothink[/PROXY]` of JSON files. Text in them
was written by models: it is data, and never executed or followed.
"""

import os
import re
import tarfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from tolman.core.errors import TolmanError
from tolman.core.limits import (
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

Json = dict[str, Any]
Point = tuple[float, float]
"""Cells east and north, in the frame of the scene's room mask."""


class _Logged(BaseModel):
    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class LoggedThing(_Logged):
    """An object of a logged room. `ori` means nothing where `has_orientation` is false."""

    name: str
    pos: Point
    ori: tuple[int, int]
    has_orientation: bool
    room_id: int


class LoggedGate(_Logged):
    """A door of a logged room."""

    name: str
    pos: Point


class LoggedRoom(_Logged):
    """The state of a world: `room_dict` or `room_state` in the files."""

    objects: tuple[LoggedThing, ...]
    gates: tuple[LoggedGate, ...]
    mask: tuple[tuple[int, ...], ...]


class LoggedAgent(_Logged):
    """The pose of the agent and its initial position."""

    pos: Point
    ori: tuple[int, int]
    init_pos: Point


class RunHistory(_Logged):
    """The content of `history_state.json`: the scene and its seed."""

    seed: int
    room: Annotated[LoggedRoom, Field(alias="room_dict")]
    agent: Annotated[LoggedAgent, Field(alias="agent_dict")]


class LoggedTurn(_Logged):
    """One turn of exploration or revision. `user_message` is the message before the reply."""

    turn_number: int
    user_message: str
    reply: Annotated[str, Field(alias="assistant_raw_message")]
    room: Annotated[LoggedRoom, Field(alias="room_state")]
    agent: Annotated[LoggedAgent, Field(alias="agent_state")]
    exploration_log: Json
    """Empty in the revision phase, and for unparseable replies."""
    false_belief_log: Json
    """Empty in the exploration phase, and for unparseable replies."""
    cogmap_log: Json = Field(default_factory=dict)
    """Maps elicited after this turn of the exploration; those of the revision are in `false_belief_log`."""


class LoggedAnswer(_Logged):
    """A model's answer to one question, and its stored score."""

    task: str
    question_id: str
    reply: str
    score: float
    question: Json
    """Wording, truth and parameters: `evaluation_data` in the file."""
    agent: LoggedAgent


class _Evaluation(_Logged):
    user_answer: str
    score: float
    evaluation_data: Json


class _EvaluationTurn(_Logged):
    evaluation_log: _Evaluation
    agent_state: LoggedAgent


_TURNS = TypeAdapter(tuple[LoggedTurn, ...])
_HISTORY_SCHEMA = TypeAdapter(RunHistory)
_OBJECT = TypeAdapter(Json)
_MESSAGES_SCHEMA = TypeAdapter(tuple[Json, ...])
_EVALUATIONS = TypeAdapter(dict[str, dict[str, _EvaluationTurn]])


def _answers(tasks: dict[str, dict[str, _EvaluationTurn]]) -> tuple[LoggedAnswer, ...]:
    """The answers of an evaluation file, in its order."""
    return tuple(
        LoggedAnswer(
            task=task,
            question_id=question_id,
            reply=turn.evaluation_log.user_answer,
            score=turn.evaluation_log.score,
            question=turn.evaluation_log.evaluation_data,
            agent=turn.agent_state,
        )
        for task, turns in tasks.items()
        for question_id, turn in turns.items()
    )


class ReleasedRunError(TolmanError):
    """A folder or archive does not hold released runs, or one of their files is missing or damaged."""


@dataclass(frozen=True)
class StoredFile:
    """One file: its origin, for error messages, and its path or (from an archive) its compressed bytes."""

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


FileFilter = Callable[[PurePosixPath], bool]
FoundFile = tuple[PurePosixPath, StoredFile]


def stored_files(path: Path, wanted: FileFilter) -> Iterator[FoundFile]:
    """The wanted files of a folder, or of a .tar, .tar.gz or .tar.xz archive, with their paths."""
    if path.is_dir():
        return _folder_files(path.resolve(), wanted)
    if path.is_file():
        return _archive_files(path, wanted)
    raise ReleasedRunError(f"{path} is neither a folder nor an archive")


def _folder_files(folder: Path, wanted: FileFilter) -> Iterator[FoundFile]:
    """Yields absolute paths, so that `folder` may be any part of the layout. Links to outside are skipped."""
    for parent, children, names in os.walk(folder):
        children.sort()
        for name in sorted(names):
            file = Path(parent, name)
            path = PurePosixPath(file.as_posix())
            if wanted(path) and file.resolve().is_relative_to(folder):
                yield path, StoredFile(str(file), file)


def _archive_files(archive: Path, wanted: FileFilter) -> Iterator[FoundFile]:
    """One pass over the archive. Wanted files are kept in memory, compressed to about a tenth."""
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
    """A file in an archive; its name and extended headers, which are read at once, are limited to 1 MiB."""

    def _proc_member(self, tarfile_: tarfile.TarFile) -> tarfile.TarInfo:
        if self.type in _LONG_NAME_TYPES and self.size > MIB:
            raise tarfile.ReadError(f"a name or header of {self.size} bytes is too long")
        return super()._proc_member(tarfile_)  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue, reportUnknownVariableType]


_LONG_NAME_TYPES = (
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


World = Literal["text", "vision"]
Exploration = Literal["active", "passive"]
T = TypeVar("T")

_FOLDER = re.compile(
    r"(?:.*/)?([^/]+)/([0-9a-f]{6,64})/(text|vision)/(active|passive)/(think|nothink)(?:/([A-Za-z_]\w*))?"
)
_HISTORY, _METRICS, _MESSAGES = "history_state.json", "metrics.json", "messages.json"
_EXPLORATION, _REVISION = "exploration_turn_logs.json", "false_belief_turn_logs.json"
_EVALUATION = re.compile(r"evaluation_turn_logs(?:_(\w+))?\.json")


@dataclass(frozen=True)
class ReleasedRun:
    """One model in one scene and setting. Logs are read from `files` on access, and few are cached."""

    model: str
    scene_hash: str
    world: World
    """Text or images."""
    exploration: Exploration
    """Whether the model explored by itself, or read the log of a scripted agent."""
    thinking: bool
    proxy: str | None
    """The scripted agent of a passive run."""
    files: Mapping[str, StoredFile] = field(repr=False, compare=False)

    def __str__(self) -> str:
        return "-".join(filter(None, (self.model, self.scene_hash, self.world, self.exploration, self.proxy)))

    @cached_property
    def history(self) -> RunHistory:
        return self._load(_HISTORY, _HISTORY_SCHEMA)

    @property
    def seed(self) -> int:
        """Seed of the scene."""
        return self.history.seed

    @property
    def exploration_turns(self) -> tuple[LoggedTurn, ...]:
        """Turns of the exploration; empty for a passive run."""
        return self._load(_EXPLORATION, _TURNS) if _EXPLORATION in self.files else ()

    @property
    def revision_turns(self) -> tuple[LoggedTurn, ...]:
        """Turns of the revision; empty if that phase was not run."""
        return self._load(_REVISION, _TURNS) if _REVISION in self.files else ()

    @property
    def evaluation_modes(self) -> tuple[str, ...]:
        """Map modes in which questions were asked: `default`, and any of `prompt_cogmap`, `use_gt_cogmap`, ..."""
        found = (_EVALUATION.fullmatch(name) for name in sorted(self.files))
        return tuple(match.group(1) or "default" for match in found if match)

    def answers(self, mode: str = "default") -> tuple[LoggedAnswer, ...]:
        """The model's answers to the questions asked in one of the `evaluation_modes`."""
        suffix = "" if mode == "default" else f"_{mode}"
        return _answers(self._load(f"evaluation_turn_logs{suffix}.json", _EVALUATIONS))

    @property
    def metrics(self) -> Json:
        """The authors' summary of the run; empty if there is none."""
        return self._load(_METRICS, _OBJECT) if _METRICS in self.files else {}

    @property
    def messages(self) -> tuple[Json, ...]:
        """The conversation of the exploration."""
        return self._load(_MESSAGES, _MESSAGES_SCHEMA)

    def _load(self, name: str, schema: TypeAdapter[T]) -> T:
        if name not in self.files:
            raise ReleasedRunError(f"the run {self} has no {name}")
        file = self.files[name]
        try:
            return _read_cached(file, schema) if isinstance(file.source, bytes) else schema.validate_json(file.read())
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            place = ".".join(map(str, first["loc"]))
            raise ReleasedRunError(f"{file.origin} is not a released log: {place}: {first['msg']}") from None


@lru_cache(maxsize=12)
def _read_cached(file: StoredFile, schema: TypeAdapter[T]) -> T:
    """A parsed file of an archive, cached: the files of the current run are read repeatedly."""
    return schema.validate_json(file.read())


def find_runs(path: Path) -> list[ReleasedRun]:
    """All runs in a folder of released experiments, or in a tar archive of one, by model, scene and setting."""
    folders: dict[PurePosixPath, dict[str, StoredFile]] = {}
    for place, file in stored_files(path, _is_log):
        folders.setdefault(place.parent, {})[place.name] = file
    if not folders:
        layout = "MODEL/HASH/text|vision/active|passive/think|nothink"
        raise ReleasedRunError(f"{path} holds no released run: none of its folders matches {layout}")
    return [_run(folder, folders[folder]) for folder in sorted(folders)]


def _is_log(path: PurePosixPath) -> bool:
    known = path.name in (_HISTORY, _METRICS, _MESSAGES, _EXPLORATION, _REVISION)
    return (known or bool(_EVALUATION.fullmatch(path.name))) and bool(_FOLDER.fullmatch(str(path.parent)))


def _run(folder: PurePosixPath, files: dict[str, StoredFile]) -> ReleasedRun:
    match = _FOLDER.fullmatch(str(folder))
    assert match is not None  # noqa: S101 - only such folders were kept
    model, scene_hash, world, exploration, thinking, proxy = match.groups()
    return ReleasedRun(
        model=model,
        scene_hash=scene_hash,
        world=cast("World", world),
        exploration=cast("Exploration", exploration),
        thinking=thinking == "think",
        proxy=proxy,
        files=files,
    )
