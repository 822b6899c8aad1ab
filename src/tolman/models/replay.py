"""`replay/SOURCE`: a model provider that answers from a record; sources are logs that Inspect wrote, and whatever
else is registered.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import (
    ChatMessage,
    ContentImage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.core.errors import ReplayError
from tolman.core.seeds import digest
from tolman.models.call_context import CALL_CONTEXT, CallContext

NO_REPLY = "no_reply"
"""In the metadata of an output: the record holds no reply to this call, and nothing was said."""


class ReplaySource(Protocol):
    """Replies that were given once."""

    def reply(self, handed: CallContext, messages: Sequence[ChatMessage]) -> ModelOutput | str | None:
        """What was replied; None where the record has nothing."""
        ...


ReplayOpener = Callable[[str], ReplaySource | None]
_OPENERS: list[ReplayOpener] = []


def replay_opener(opener: ReplayOpener) -> ReplayOpener:
    """Register a way to make a book of a source; it answers None to a source that is not of its kind."""
    _OPENERS.append(opener)
    return opener


class RecordedRepliesAPI(ModelAPI):
    """A provider that answers from a book: nothing is worked out, and nothing is waited for."""

    def __init__(self, book: ReplaySource, model_name: str, *, config: GenerateConfig | None = None) -> None:
        super().__init__(model_name, config=config or GenerateConfig())
        self._book = book

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The reply that the book holds to this call."""
        del tools, tool_choice, config
        handed = CALL_CONTEXT.get()
        if handed is None:
            raise ReplayError("a replay answers the calls of Tolman's own tasks only")
        found = self._book.reply(handed, input)
        if isinstance(found, ModelOutput):
            return found
        output = ModelOutput.from_content(self.model_name, found or "")
        if found is None:
            output.metadata = {NO_REPLY: True}
        return output

    def max_connections(self) -> int:
        """As many as there are: nothing waits."""
        return 1000


@modelapi(name="replay")
class ReplayAPI(RecordedRepliesAPI):
    """Answers from the book that a source makes."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
    ) -> None:
        del base_url, api_key
        opened = (opener(model_name) for opener in _OPENERS)
        book = next((book for book in opened if book is not None), None)
        if book is None:
            raise ReplayError(
                f"{model_name!r} is neither a log of an evaluation nor the authors' released runs; "
                "give replay/LOG.eval, or replay/RUNS:MODEL"
            )
        super().__init__(book, model_name, config=config)


ConversationKey = tuple[str, str]
"""Scene and digest of the conversation."""


class LogReplaySource:
    """Outputs by scene and conversation; the same question asked again gets the next output."""

    def __init__(self, logs: Iterator[EvalLog]) -> None:
        self._outputs: dict[ConversationKey, list[ModelOutput]] = {}
        self._given: dict[ConversationKey, int] = {}
        for log in logs:
            for sample in log.samples or ():
                for event in sample.events:
                    if isinstance(event, ModelEvent):
                        for key in _conversation_keys(str(sample.id), event.input):
                            self._outputs.setdefault(key, []).append(event.output)

    def reply(self, handed: CallContext, messages: Sequence[ChatMessage]) -> ModelOutput | None:
        """The output that was given to this conversation in this scene."""
        keys = _conversation_keys(handed.case, messages)
        key = next((key for key in keys if key in self._outputs), keys[-1])
        outputs = self._outputs.get(key, [])
        given = self._given.get(key, 0)
        self._given[key] = given + 1
        return outputs[given % len(outputs)] if outputs else None


def _conversation_keys(case: str, messages: Sequence[ChatMessage]) -> tuple[ConversationKey, ...]:
    """The very same words and pictures first, then the same words: another engine may render another picture."""
    words = [[message.role, message.text] for message in messages]
    pictures = [
        part.image
        for message in messages
        if not isinstance(message.content, str)
        for part in message.content
        if isinstance(part, ContentImage)
    ]
    alike = (case, digest(words))
    return ((case, digest([words, pictures])), alike) if pictures else (alike,)


@replay_opener
def open_log(source: str) -> LogReplaySource | None:
    """A log file, or all logs of a folder."""
    path = Path(source)
    files = [str(path)] if path.suffix == ".eval" and path.is_file() else []
    if path.is_dir():
        files = [info.name for info in list_eval_logs(str(path))]
    return LogReplaySource(read_eval_log(file, resolve_attachments=True) for file in files) if files else None
