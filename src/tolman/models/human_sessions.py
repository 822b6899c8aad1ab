"""Sittings on disk: what a person said in a scene, by name of the call, saved after every reply."""

import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.core.errors import ReplayError
from tolman.core.files import atomic_write

FORMAT: Literal["tolman.sitting/1"] = "tolman.sitting/1"
NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?")
"""What a person can be called: the name becomes part of a file's name and of a model's."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SessionReply(_Closed):
    """One reply, and when it was given (UTC, ISO 8601)."""

    call: str
    reply: str
    at: str


class NotebookEntry(_Closed):
    """Something in a notebook: cells east and north of the start, and the way it faces."""

    position: tuple[int, int]
    facing: Literal["north", "east", "south", "west"] | None = None


class SavedSession(_Closed):
    """A person in a scene. `under` tells the options and the world, so that nobody goes on under others."""

    format: Literal["tolman.sitting/1"] = FORMAT
    name: str = Field(pattern=rf"^{NAME.pattern}$")
    scene: str
    under: dict[str, object]
    said: list[SessionReply] = []
    notebook: dict[str, NotebookEntry] = {}
    """A scratch map; it is not part of what was said."""
    log: str = ""
    """Name of the log file in which the finished sitting was left."""

    @property
    def replies(self) -> dict[str, str]:
        return {said.call: said.reply for said in self.said}


def session_file(folder: Path, name: str, scene: str) -> Path:
    """Where a sitting is kept. Neither name nor scene can lead out of the folder."""
    if not NAME.fullmatch(name) or not re.fullmatch(r"[\w.-]+", scene):
        raise ReplayError(f"{name!r} in scene {scene!r} can't name a sitting; use small letters, digits and hyphens")
    return folder / f"{name}-{scene}.json"


def read_session(file: Path) -> SavedSession | None:
    """A sitting, or None where none was begun."""
    try:
        return SavedSession.model_validate_json(file.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValidationError):
        raise ReplayError(f"{file} is no sitting that can be read; move it away to start afresh") from None


def write_session(file: Path, sitting: SavedSession) -> None:
    """Save a sitting so that, whatever happens meanwhile, either the old or the new one is there."""
    atomic_write(file, f"{sitting.model_dump_json(indent=1)}\n".encode())
