"""`replay/SOURCE`: answers from a record instead of a model. A source is a log, or whatever else a book can be made of.

Kinds of source are registered by those who know them, as the authors' released runs are by their benchmark.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from inspect_ai.model import (
    ChatMessage,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.errors import ReplayError
from tolman.models.handed import HANDED, Circumstances

NO_REPLY = "no_reply"
"""In the metadata of an output: the record holds no reply to this call, and nothing was said."""


class Book(Protocol):
    """Replies that were given once."""

    def reply(self, handed: Circumstances, messages: Sequence[ChatMessage]) -> ModelOutput | str | None:
        """What was replied; None where the record has nothing."""
        ...


Opener = Callable[[str], Book | None]
_OPENERS: list[Opener] = []


def book_opener(opener: Opener) -> Opener:
    """Register a way to make a book of a source; it answers None to a source that is not of its kind."""
    _OPENERS.append(opener)
    return opener


class BookAPI(ModelAPI):
    """A provider that answers from a book: nothing is worked out, and nothing is waited for."""

    def __init__(self, book: Book, model_name: str, *, config: GenerateConfig | None = None) -> None:
        super().__init__(model_name, config=config or GenerateConfig())
        self._book = book

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The reply that the book holds to this call."""
        del tools, tool_choice, config
        handed = HANDED.get()
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
class ReplayAPI(BookAPI):
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
