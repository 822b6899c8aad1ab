"""A benchmark as people play it: what the pages need to know of it, and the sessions of people on disk.

Each benchmark has one subclass, named in the registry. A session is a sequence of requested replies; what is requested
next follows from the replies so far, so that nothing else has to be saved.
"""

import re
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from threading import RLock
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from inspect_ai import Task

from tolman.core.errors import SettingsError, TolmanError
from tolman.harness.options import options_of
from tolman.models.replay import (
    HUMAN,
    HUMAN_WITH_TOOLS,
    NAME,
    NotebookEntry,
    SavedSession,
    SessionReply,
    read_session,
    session_file,
    write_session,
)

Fields = Mapping[str, Sequence[str]]
"""The values of a submitted form by field name."""
LONGEST_REPLY = 20_000
"""Most characters of a reply."""
_LONGEST_NAME = 40


def first(fields: Fields, name: str) -> str:
    """The first value of a field, or an empty string."""
    return next(iter(fields.get(name, ())), "")


def slug(name: str) -> str:
    """A name in lower-case letters, digits and hyphens: `Zoë B.` is `zoe-b`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode("ascii").lower()
    safe = re.sub(r"[^a-z0-9]+", "-", plain)[:_LONGEST_NAME].strip("-")
    if not safe:
        raise SettingsError("a name needs at least one letter from a to z, or a digit")
    return safe


class UnknownSessionError(TolmanError):
    """There is no session of that name in that scene."""


class Request(Protocol):
    """A reply that is requested."""

    @property
    def call(self) -> str:
        """The name of the call, as in the log of a model."""
        ...


@dataclass(frozen=True)
class PageContent:
    """A template and its values."""

    template: str
    values: Mapping[str, object]


@dataclass(frozen=True)
class ServedPicture:
    """The bytes of a picture file and its media type."""

    data: bytes
    kind: str = "image/png"


@dataclass(frozen=True)
class ReviewedAnswer:
    """One question of a finished scene, with the person's answer and the right one."""

    question: str
    said: str
    right: str
    score: float
    """From 0 to 1."""


@dataclass(frozen=True)
class Review:
    """How a person did in one finished scene."""

    scores: Mapping[str, str]
    """Formatted scores by title."""
    answers: tuple[ReviewedAnswer, ...] = ()
    figure: PageContent | None = None
    """The truth, with what the person made of it: a part of a page."""


@dataclass(frozen=True)
class ResultRow:
    """One row of a table: the name, and the formatted mean of each column."""

    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class PlayResult:
    """A table with a row for the person, and rows to compare with."""

    heads: tuple[str, ...]
    rows: tuple[ResultRow, ...]
    scenes: int
    meanings: Mapping[str, str]
    """The definition of each column."""
    compared: str = ""
    """What the other rows are."""
    warnings: tuple[str, ...] = ()
    """Warnings about the logs, one line each."""


@dataclass(frozen=True)
class PlaySetting:
    """What all benchmarks have in common."""

    log_dir: Path
    name: str = ""
    """Name of the person that the first page suggests."""
    tools: bool = False
    """Whether people have instruments, where a benchmark has such."""
    feedback: bool = True
    """Whether score and truth are shown after each scene, or after the last one only."""


def options_for_people(classes: Sequence[type], names: Sequence[str], **changed: object) -> dict[str, object]:
    """Options that people can choose, by the names of `tolman eval`; defaults are those of it, unless changed."""
    usual = {option.name: option.default for cls in classes for option in options_of(cls)}
    return {name: changed.get(name, usual[name]) for name in names}


R = TypeVar("R", bound=Request)


class Playable(ABC, Generic[R]):
    """One benchmark with some scenes and options, and the sessions of people in them."""

    title: ClassVar[str]
    unit: ClassVar[str] = "scene"
    """What one scene is called on pages."""
    flags: ClassVar[Mapping[str, object]]
    """The benchmark's options that can be chosen for people, with their defaults, by the names of `tolman eval`."""
    has_tools: ClassVar[bool] = False
    """Whether people can be given instruments."""
    setting: PlaySetting

    @classmethod
    @abstractmethod
    def opened(cls, given: Mapping[str, object], setting: PlaySetting) -> Self:
        """With the options in `flags`, checked; makes the pictures that can't be made when they are first shown."""

    @cached_property
    @abstractmethod
    def cases(self) -> Mapping[str, Any]:
        """Cases by name, in the order of play."""

    @abstractmethod
    def under(self, scene: str) -> dict[str, object]:
        """The options, and what identifies the scene; a session continues only if they are the same."""

    @abstractmethod
    def start(self) -> PageContent:
        """The first page, which tells what to expect; `name` and `problem` are added."""

    @abstractmethod
    def requests(self, saved: SavedSession) -> Iterable[R]:
        """The calls of a scene in order, as far as they follow from the replies so far."""

    def requested(self, saved: SavedSession) -> R | None:
        """The first call without a reply; None when the scene is finished."""
        return next((each for each in self.requests(saved) if each.call not in saved.replies), None)

    def position(self, saved: SavedSession) -> dict[str, int]:
        """Number of a scene, from 1, and the number of all, for pages."""
        return {"number": list(self.cases).index(saved.scene) + 1, "scenes": len(self.cases)}

    def frame(self, saved: SavedSession, requested: R) -> dict[str, object]:
        """What every page on which a reply is given tells of its session."""
        return {**self.position(saved), "saved": saved, "call": requested.call, "unit": self.unit}

    @abstractmethod
    def page(self, saved: SavedSession, requested: R) -> PageContent:
        """The page on which a reply is given; `problem` and `given` are added."""

    @abstractmethod
    def compose(self, requested: R, fields: Fields) -> str:
        """The reply in a submitted form, as a model would write it; empty where something is missing."""

    @abstractmethod
    def problem(self, requested: R, reply: str) -> str | None:
        """What is wrong with the form of a reply, which is not empty; None where it can be read."""

    def notebook_after(self, requested: R, reply: str) -> Mapping[str, NotebookEntry] | None:
        """The scratch map from which a person goes on after a reply; None to leave it."""
        del requested, reply
        return None

    def checked_notebook(self, scene: str, notebook: Mapping[str, NotebookEntry]) -> Mapping[str, NotebookEntry]:
        """A scratch map without what can't be on it."""
        del scene, notebook
        return {}

    def measured(self, start: tuple[int, int], end: tuple[int, int], facing: int | None) -> dict[str, object] | None:
        """What the instruments read between two cells of a scratch map, whose first object faces so many quarter turns
        clockwise from north; None where there are no instruments."""
        del start, end, facing
        return None

    async def picture(self, saved: SavedSession, requested: R | None, name: str) -> ServedPicture | None:
        """A picture of the present page, or of the review of a finished scene; None where it shows no such picture."""
        del saved, requested, name
        return None

    @abstractmethod
    def task(self, scene: str) -> Task:
        """The Inspect task that has a scene."""

    @abstractmethod
    def review(self, saved: SavedSession) -> Review:
        """How a person did in a finished scene."""

    @abstractmethod
    def result(self, name: str, logs: Sequence[Path]) -> PlayResult:
        """How a person did in all scenes, from their logs."""

    # ---- saved sessions ----

    @property
    def log_dir(self) -> Path:
        return self.setting.log_dir

    @property
    def tools(self) -> bool:
        return self.setting.tools

    @property
    def folder(self) -> Path:
        return self.log_dir / ("sittings-with-tools" if self.tools else "sittings")

    def logs(self, saved: SavedSession) -> Path:
        """Folder of the log of one session."""
        return self.log_dir / f"{saved.name}{'-with-tools' * self.tools}" / saved.scene

    def model(self, name: str) -> str:
        """The model name of a person in logs and tables."""
        return f"{HUMAN_WITH_TOOLS if self.tools else HUMAN}/{name}"

    def begin(self, name: str) -> None:
        """Begin the sessions of a person, or continue them."""
        for scene in self.cases:
            file = session_file(self.folder, name, scene)
            if read_session(file) is None:
                write_session(file, SavedSession(name=name, scene=scene, under=self._under(scene)))
            self.saved(name, scene)

    def saved(self, name: str, scene: str) -> SavedSession:
        """The saved session of a person in a scene, which must have been begun under the same options."""
        valid = scene in self.cases and NAME.fullmatch(name)
        found = read_session(session_file(self.folder, name, scene)) if valid else None
        if found is None:
            raise UnknownSessionError("there is no session of that name in that scene; begin on the first page")
        if found.under != self._under(scene):
            raise SettingsError(f"{name} began scene {scene} under other options; use them again, or another name")
        return found

    def keep_reply(self, saved: SavedSession, call: str, reply: str) -> SavedSession:
        """Save one more reply."""
        said = SessionReply(call=call, reply=reply, at=datetime.now(UTC).isoformat(timespec="milliseconds"))
        return self.keep(saved.model_copy(update={"said": [*saved.said, said]}))

    def keep_notebook(self, saved: SavedSession, notebook: Mapping[str, NotebookEntry]) -> SavedSession:
        """Save a scratch map."""
        return self.keep(saved.model_copy(update={"notebook": dict(notebook)}))

    def keep(self, saved: SavedSession) -> SavedSession:
        write_session(session_file(self.folder, saved.name, saved.scene), saved)
        return saved

    def _under(self, scene: str) -> dict[str, object]:
        return self.under(scene) | ({} if self.setting.feedback else {"feedback": False})


AnyPlayable = Playable[Any]


@dataclass(frozen=True)
class SessionProgress:
    """How far a person has come in a scene; `requested` is None where it is finished."""

    saved: SavedSession
    requested: Any


@dataclass
class SessionStore:
    """Stores the replies of people, one at a time; each call is answered once."""

    playable: AnyPlayable
    _lock: RLock = field(default_factory=RLock)

    def progress(self, name: str, scene: str) -> SessionProgress:
        """How far a person has come in a scene."""
        saved = self.playable.saved(name, scene)
        return SessionProgress(saved, self.playable.requested(saved))

    def next_scene(self, name: str) -> str | None:
        """The first scene that a person has not finished."""
        return next((scene for scene in self.playable.cases if self.progress(name, scene).requested), None)

    def begin(self, name: str) -> None:
        """Begin or continue the sessions of a person."""
        with self._lock:
            self.playable.begin(name)

    def submit(self, name: str, scene: str, call: str, fields: Fields) -> str | None:
        """Store the reply to a call, unless it has one already; returns what is wrong with an invalid reply."""
        with self._lock:
            progress = self.progress(name, scene)
            requested = progress.requested
            if requested is None or requested.call != call:
                return None
            reply = self.playable.compose(requested, fields)
            fault = self._fault(requested, reply)
            if fault is None:
                saved = self.playable.keep_reply(progress.saved, call, reply)
                notebook = self.playable.notebook_after(requested, reply)
                if notebook is not None:
                    self.playable.keep_notebook(saved, notebook)
            return fault

    def _fault(self, requested: Request, reply: str) -> str | None:
        if not reply.strip():
            return "Something is still missing. Fill in every part, then send it."
        if len(reply) > LONGEST_REPLY:
            return f"That is too long; keep it under {LONGEST_REPLY:,} characters."
        return self.playable.problem(requested, reply)

    def save_notebook(self, name: str, scene: str, notebook: Mapping[str, NotebookEntry]) -> None:
        """Save a scratch map without unknown names and positions off the grid."""
        with self._lock:
            saved = self.playable.saved(name, scene)
            self.playable.keep_notebook(saved, self.playable.checked_notebook(scene, notebook))

    def record_log(self, name: str, scene: str, log: str) -> None:
        """Record the file name of the log of a finished session."""
        with self._lock:
            self.playable.keep(self.playable.saved(name, scene).model_copy(update={"log": log}))
