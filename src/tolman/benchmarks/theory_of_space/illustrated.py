"""Messages as they are sent: text, with pictures where the world's own messages have marks for them."""

from collections.abc import Sequence

from inspect_ai.log import transcript
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
from tolman.benchmarks.theory_of_space.picture_budget import kept
from tolman.benchmarks.theory_of_space.picture_log import SOURCE, note
from tolman.benchmarks.theory_of_space.picture_marks import Key, split

_KINDS = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


class Illustrated:
    """Makes messages for a model. One object for each, however often it is sent: the log then keeps it once."""

    def __init__(self, gallery: Gallery | None = None, budget: int | None = None) -> None:
        """Without a gallery everything stays text. The budget is the most pictures in one request; see `kept`."""
        self._gallery, self._budget = gallery, budget
        self._known: dict[tuple[Message, tuple[bool, ...]], ChatMessage] = {}
        self._images: dict[Key, ContentImage] = {}

    async def messages(self, said: Sequence[Message]) -> list[ChatMessage]:
        """A whole request."""
        pieces = [self._pieces(message) for message in said]
        sent = iter(kept([piece for each in pieces for piece in each if not isinstance(piece, str)], self._budget))
        return [
            await self._message(message, each, tuple(isinstance(piece, str) or next(sent) for piece in each))
            for message, each in zip(said, pieces, strict=True)
        ]

    def _pieces(self, message: Message) -> list[str | Key]:
        if self._gallery is None or message.role != "user":
            return [message.text]
        return split(message.text)

    async def _message(self, message: Message, pieces: Sequence[str | Key], sent: tuple[bool, ...]) -> ChatMessage:
        """One message with those of its pieces that are sent."""
        known = message, sent
        if known not in self._known:
            content: str | list[Content] = message.text
            if any(not isinstance(piece, str) for piece in pieces):
                content = [await self._content(piece, is_sent) for piece, is_sent in zip(pieces, sent, strict=True)]
            self._known.setdefault(known, _KINDS[message.role](content=content))
        return self._known[known]

    async def _content(self, piece: str | Key, is_sent: bool) -> Content:
        if isinstance(piece, str):
            return ContentText(text=piece)
        return await self._image(piece) if is_sent else ContentText(text=picture_left_out(self._budget or 0))

    async def _image(self, key: Key) -> ContentImage:
        if key not in self._images and self._gallery is not None:
            image = ContentImage(image=await self._gallery.data_url(key))
            if self._images.setdefault(key, image) is image:
                transcript().info(note(key, image.image), source=SOURCE)
        return self._images[key]
