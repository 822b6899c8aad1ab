"""Model providers that answer from recorded replies: `replay/SOURCE` from Inspect logs, and any other kind of source
that is registered; `human/NAME` from recorded play sessions of people.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Literal, Protocol

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessage, ContentImage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.core.errors import ReplayError
from tolman.core.files import atomic_write
from tolman.core.seeds import digest
from tolman.models.call_context import CALL_CONTEXT, CallContext

NO_REPLY = "no_reply"
"""Key in the metadata of an output: the record holds no reply to this call."""


class ReplaySource(Protocol):
    """Recorded replies."""

    def reply(self, context: CallContext, messages: Sequence[ChatMessage]) -> ModelOutput | str | None:
        """The recorded reply to a call; None where there is none."""
        ...


ReplayOpener = Callable[[str], ReplaySource | None]
_OPENERS: list[ReplayOpener] = []


def replay_opener(opener: ReplayOpener) -> ReplayOpener:
    """Register a function that opens a source by name; it returns None for a name that is not of its kind."""
    _OPENERS.append(opener)
    return opener


class RecordedRepliesAPI(ModelAPI):
    """A provider that answers from recorded replies."""

    def __init__(self, source: ReplaySource, model_name: str, *, config: GenerateConfig | None = None) -> None:
        super().__init__(model_name, config=config or GenerateConfig())
        self._source = source

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The recorded reply to this call."""
        del tools, tool_choice, config
        context = CALL_CONTEXT.get()
        if context is None:
            raise ReplayError("a replay answers only the calls of Tolman's own tasks")
        found = self._source.reply(context, input)
        if isinstance(found, ModelOutput):
            return found
        output = ModelOutput.from_content(self.model_name, found or "")
        if found is None:
            output.metadata = {NO_REPLY: True}
        return output

    def max_connections(self) -> int:
        """Practically unlimited: replies are immediate."""
        return 1000


@modelapi(name="replay")
class ReplayAPI(RecordedRepliesAPI):
    """Answers from the first registered source that opens the name."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
    ) -> None:
        del base_url, api_key
        opened = (opener(model_name) for opener in _OPENERS)
        source = next((source for source in opened if source is not None), None)
        if source is None:
            raise ReplayError(
                f"{model_name!r} is neither a log of an evaluation nor the authors' released runs; "
                "give replay/LOG.eval, or replay/RUNS:MODEL"
            )
        super().__init__(source, model_name, config=config)


ConversationKey = tuple[str, str]
"""Scene, and digest of the conversation."""


class LogReplaySource:
    """Outputs by scene and conversation; a conversation that is repeated gets the next output."""

    def __init__(self, logs: Iterator[EvalLog]) -> None:
        self._outputs: dict[ConversationKey, list[ModelOutput]] = {}
        self._given: dict[ConversationKey, int] = {}
        for log in logs:
            for sample in log.samples or ():
                for event in sample.events:
                    if isinstance(event, ModelEvent):
                        for key in _conversation_keys(str(sample.id), event.input):
                            self._outputs.setdefault(key, []).append(event.output)

    def reply(self, context: CallContext, messages: Sequence[ChatMessage]) -> ModelOutput | None:
        """The recorded output for this conversation in this scene."""
        keys = _conversation_keys(context.case, messages)
        key = next((key for key in keys if key in self._outputs), keys[-1])
        outputs = self._outputs.get(key, [])
        given = self._given.get(key, 0)
        self._given[key] = given + 1
        return outputs[given % len(outputs)] if outputs else None


def _conversation_keys(case: str, messages: Sequence[ChatMessage]) -> tuple[ConversationKey, ...]:
    """Keys by text and images, then by text only, as another renderer may give other images."""
    words = [[message.role, message.text] for message in messages]
    pictures = [
        part.image
        for message in messages
        if not isinstance(message.content, str)
        for part in message.content
        if isinstance(part, ContentImage)
    ]
    by_text = (case, digest(words))
    return ((case, digest([words, pictures])), by_text) if pictures else (by_text,)


@replay_opener
def open_log(source: str) -> LogReplaySource | None:
    """A log file, or all logs of a folder."""
    path = Path(source)
    files = [str(path)] if path.suffix == ".eval" and path.is_file() else []
    if path.is_dir():
        files = [info.name for info in list_eval_logs(str(path))]
    return LogReplaySource(read_eval_log(file, resolve_attachments=True) for file in files) if files else None


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
