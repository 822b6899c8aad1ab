"""Messages as they are sent: text, with pictures where the world's own messages have marks for them."""

from collections.abc import Sequence

from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
)

from tolman.benchmarks.theory_of_space.conversation import Message
from tolman.benchmarks.theory_of_space.gallery import Gallery
from tolman.benchmarks.theory_of_space.pages import picture_left_out
from tolman.benchmarks.theory_of_space.picture_marks import Key, split

_KINDS = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


class Illustrated:
    """Makes messages for a model. One object for each, however often it is sent: the log then keeps it once."""

    def __init__(self, gallery: Gallery | None = None, budget: int | None = None) -> None:
        """Without a gallery everything stays text. The budget is the most pictures in one request, the latest."""
        self._gallery, self._budget = gallery, budget
        self._known: dict[tuple[Message, int], ChatMessage] = {}
        self._images: dict[Key, ContentImage] = {}

    async def messages(self, said: Sequence[Message]) -> list[ChatMessage]:
        """A whole request."""
        pieces = [self._pieces(message) for message in said]
        counts = [sum(not isinstance(piece, str) for piece in each) for each in pieces]
        left_out = 0 if self._budget is None else max(0, sum(counts) - self._budget)
        sent: list[ChatMessage] = []
        for message, each, count in zip(said, pieces, counts, strict=True):
            sent.append(await self._message(message, each, min(count, left_out)))
            left_out -= min(count, left_out)
        return sent

    def _pieces(self, message: Message) -> list[str | Key]:
        if self._gallery is None or message.role != "user":
            return [message.text]
        return split(message.text)

    async def _message(self, message: Message, pieces: Sequence[str | Key], left_out: int) -> ChatMessage:
        """One message without so many of its pictures, the first ones."""
        known = message, left_out
        if known not in self._known:
            content: str | list[Content] = message.text
            if any(not isinstance(piece, str) for piece in pieces):
                content = await self._content(pieces, left_out)
            self._known.setdefault(known, _KINDS[message.role](content=content))
        return self._known[known]

    async def _content(self, pieces: Sequence[str | Key], left_out: int) -> list[Content]:
        content: list[Content] = []
        for piece in pieces:
            if isinstance(piece, str):
                content.append(ContentText(text=piece))
            elif left_out > 0:
                content.append(ContentText(text=picture_left_out(self._budget or 0)))
                left_out -= 1
            else:
                content.append(await self._image(piece))
        return content

    async def _image(self, key: Key) -> ContentImage:
        if key not in self._images and self._gallery is not None:
            self._images.setdefault(key, ContentImage(image=await self._gallery.data_url(key)))
        return self._images[key]
