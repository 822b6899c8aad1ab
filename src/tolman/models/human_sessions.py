"""Saved sessions: the replies of a person in a scene, by name of the call, saved after every reply."""

import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.core.errors import ReplayError
from tolman.core.files import atomic_write

FORMAT: Literal["tolman.sitting/1"] = "tolman.sitting/1"
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
"""Valid names of persons, which become part of file names and model names."""


class _ClosedModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SessionReply(_ClosedModel):
    """One reply, and when it was given (UTC, ISO 8601)."""

    call: str
    reply: str
    at: str


class NotebookEntry(_ClosedModel):
    """An entry of the notebook: cells east and north of the start, and the facing."""

    position: tuple[int, int]
    facing: Literal["north", "east", "south", "west"] | None = None


class SavedSession(_ClosedModel):
    """A person in a scene. `under` holds the options and the scene's digest; a session continues only if they agree."""

    format: Literal["tolman.sitting/1"] = FORMAT
    name: str = Field(pattern=rf"^{NAME.pattern}$")
    scene: str
    under: dict[str, object]
    said: list[SessionReply] = []
    notebook: dict[str, NotebookEntry] = {}
    """A scratch map, which is not part of the replies."""
    log: str = ""
    """File name of the log of the finished session."""

    @property
    def replies(self) -> dict[str, str]:
        return {said.call: said.reply for said in self.said}


def session_file(folder: Path, name: str, scene: str) -> Path:
    """The file of a session. Neither name nor scene can lead out of the folder."""
    if not NAME.fullmatch(name) or not re.fullmatch(r"[\w.-]+", scene):
        raise ReplayError(
            f"{name!r} in scene {scene!r} can't name a session; use lower-case letters, digits and hyphens"
        )
    return folder / f"{name}-{scene}.json"


def read_session(file: Path) -> SavedSession | None:
    """A saved session, or None where none was begun."""
    try:
        return SavedSession.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError):
        raise ReplayError(f"{file} is not a readable session; move it away to start anew") from None


def write_session(file: Path, session: SavedSession) -> None:
    """Save a session atomically: the file holds either the old or the new one."""
    atomic_write(file, f"{session.model_dump_json(indent=1)}\n".encode())
