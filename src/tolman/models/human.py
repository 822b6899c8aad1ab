"""Answers of people: recorded play sessions, and the model provider that replays them."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal

from inspect_ai.model import ChatMessage, GenerateConfig, modelapi
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.core.errors import ReplayError
from tolman.core.files import atomic_write
from tolman.models.call_context import CallContext
from tolman.models.replay import RecordedRepliesAPI

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


HUMAN, HUMAN_WITH_TOOLS = "human", "human-with-tools"


class SessionReplaySource:
    """The replies of one person, by scene and name of the call."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._name = folder, name
        self._replies = cache(self._read)

    def reply(self, context: CallContext, messages: Sequence[ChatMessage]) -> str | None:
        """The person's reply to this call."""
        del messages
        return self._replies(context.case).get(context.call)

    def _read(self, scene: str) -> dict[str, str]:
        saved = read_session(session_file(self._folder, self._name, scene))
        if saved is None:
            raise ReplayError(f"{self._name} has no session in scene {scene}; `tolman play` begins one")
        return saved.replies


class _PersonAPI(RecordedRepliesAPI):
    """Answers from the saved sessions of a person in the folder `sittings`."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        sittings: str = "",
    ) -> None:
        del base_url, api_key
        if not sittings:
            raise ReplayError(
                "name the folder of saved sessions, such as -M sittings=logs/theory-of-space/human/sittings"
            )
        super().__init__(SessionReplaySource(Path(sittings), model_name), model_name, config=config)


@modelapi(name=HUMAN)
class HumanAPI(_PersonAPI):
    """A person without tools."""


@modelapi(name=HUMAN_WITH_TOOLS)
class HumanWithToolsAPI(_PersonAPI):
    """A person with a ruler and a protractor."""
