"""Replies from a log that Inspect wrote: a call is answered as it was then, if the very same words are said to it."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalLog, list_eval_logs, read_eval_log
from inspect_ai.model import ChatMessage, ContentImage, ModelOutput

from tolman.models.handed import Circumstances
from tolman.models.replay import book_opener
from tolman.seeds import digest

Key = tuple[str, str]
"""Scene and digest of the conversation."""


class LogBook:
    """Outputs by scene and conversation; the same question asked again gets the next output."""

    def __init__(self, logs: Iterator[EvalLog]) -> None:
        self._outputs: dict[Key, list[ModelOutput]] = {}
        self._given: dict[Key, int] = {}
        for log in logs:
            for sample in log.samples or ():
                for event in sample.events:
                    if isinstance(event, ModelEvent):
                        for key in _keys(str(sample.id), event.input):
                            self._outputs.setdefault(key, []).append(event.output)

    def reply(self, handed: Circumstances, messages: Sequence[ChatMessage]) -> ModelOutput | None:
        """The output that was given to this conversation in this scene."""
        keys = _keys(handed.case, messages)
        key = next((key for key in keys if key in self._outputs), keys[-1])
        outputs = self._outputs.get(key, [])
        given = self._given.get(key, 0)
        self._given[key] = given + 1
        return outputs[given % len(outputs)] if outputs else None


def _keys(case: str, messages: Sequence[ChatMessage]) -> tuple[Key, ...]:
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


@book_opener
def open_log(source: str) -> LogBook | None:
    """A log file, or all logs of a folder."""
    path = Path(source)
    files = [str(path)] if path.suffix == ".eval" and path.is_file() else []
    if path.is_dir():
        files = [info.name for info in list_eval_logs(str(path))]
    return LogBook(read_eval_log(file, resolve_attachments=True) for file in files) if files else None
