"""`replay/SOURCE`: a model provider that answers from recorded replies; sources are Inspect logs, and any other kind
that is registered.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessage, ContentImage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.core.errors import ReplayError
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
