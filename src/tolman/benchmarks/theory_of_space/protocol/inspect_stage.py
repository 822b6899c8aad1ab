"""The stage that calls a model through Inspect: messages with pictures, replies, and drawings of maps for the log."""

import re
from collections.abc import Awaitable, Sequence
from itertools import chain

import anyio
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

from tolman.benchmarks.theory_of_space.case import Case, question_calls
from tolman.benchmarks.theory_of_space.options import MAP_MODES
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    split_at_marks,
)
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache, picture_note
from tolman.benchmarks.theory_of_space.protocol.prompts import Message, picture_left_out
from tolman.benchmarks.theory_of_space.scores import plain_map, views_of
from tolman.core.rules import STRICT
from tolman.explore.episode import Episode
from tolman.harness.images import PICTURE_SOURCE, data_url
from tolman.harness.model_calls import ModelCalls, run_concurrently
from tolman.models.call_context import SceneCallContext
from tolman.render import map_picture


def in_budget(keys: Sequence[PictureKey], budget: int | None) -> list[bool]:
    """For each picture of a request, in order, whether it is sent; `budget` is the maximum number, None for all.

    The latest picture has priority, since the request may be about it; then the calibration pictures, which are needed
    to interpret the others; then views, the latest first.
    """
    places = range(len(keys) - 1, -1, -1)
    views = [not isinstance(key, DistanceCalibration | NameCalibration) for key in keys]
    chosen = set(sorted(places, key=lambda place: place < len(keys) - 1 and views[place])[:budget])
    return [place in chosen for place in range(len(keys))]


_MESSAGE_TYPES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


class PictureMessages:
    """Converts messages for Inspect. A message sent again is the same object, so that the log stores it once."""

    def __init__(self, pictures: PictureCache | None = None, budget: int | None = None) -> None:
        """Without `pictures` all messages stay text. `budget` is the maximum per request; see `in_budget`."""
        self._pictures, self._budget = pictures, budget
        self._messages: dict[tuple[Message, tuple[bool, ...]], ChatMessage] = {}
        self._images: dict[PictureKey, ContentImage] = {}

    async def messages(self, conversation: Sequence[Message]) -> list[ChatMessage]:
        """All messages of one request."""
        pieces = [self._pieces(message) for message in conversation]
        sent = iter(in_budget([piece for each in pieces for piece in each if not isinstance(piece, str)], self._budget))
        return [
            await self._message(message, each, tuple(isinstance(piece, str) or next(sent) for piece in each))
            for message, each in zip(conversation, pieces, strict=True)
        ]

    def _pieces(self, message: Message) -> list[str | PictureKey]:
        if self._pictures is None or message.role != "user":
            return [message.text]
        return split_at_marks(message.text)

    async def _message(
        self, message: Message, pieces: Sequence[str | PictureKey], sent: tuple[bool, ...]
    ) -> ChatMessage:
        """One message; pictures that are not sent are replaced by a note."""
        key = message, sent
        if key not in self._messages:
            content: str | list[Content] = message.text
            if any(not isinstance(piece, str) for piece in pieces):
                content = [await self._content(piece, is_sent) for piece, is_sent in zip(pieces, sent, strict=True)]
            self._messages.setdefault(key, _MESSAGE_TYPES[message.role](content=content))
        return self._messages[key]

    async def _content(self, piece: str | PictureKey, is_sent: bool) -> Content:
        if isinstance(piece, str):
            return ContentText(text=piece)
        return await self._image(piece) if is_sent else ContentText(text=picture_left_out(self._budget or 0))

    async def _image(self, key: PictureKey) -> ContentImage:
        if key not in self._images and self._pictures is not None:
            image = ContentImage(image=await self._pictures.data_url(key))
            if self._images.setdefault(key, image) is image:
                transcript().info(picture_note(key, image.image), source=PICTURE_SOURCE)
        return self._images[key]


_MAP_CALL = re.compile(r"(explore|revise)/(\d+)/global/1")


def asks_for_map(call: str) -> bool:
    """Whether a call is the first elicitation of a global map after a turn."""
    return _MAP_CALL.fullmatch(call) is not None


def map_markdown(case: Case, episode: Episode, call: str, reply: str) -> str:
    """Markdown with a drawing of the map in the reply to such a call."""
    phase, number = call.split("/", maxsplit=1)[0], int(call.split("/")[1])
    stated = plain_map(reply, case.scene, STRICT)
    turns = [turn for turn in episode.turns if turn.phase == phase][:number]
    world = case.changed if phase == "revise" and case.changed else case.scene
    pose = world.pose_at(turns[-1].standing_on, turns[-1].heading)
    picture = data_url(map_picture(world, pose, stated or {}, seen=set(chain(*views_of(turns)))))
    what = "against the truth" if stated is not None else "but the reply holds none"
    return f"**Map after {phase} turn {number}, {what}**\n\n![map]({picture})"


class InspectStage:
    """Sends conversations to a model and keeps every reply; see `Stage`."""

    def __init__(self, calls: ModelCalls, case: Case, picture_messages: PictureMessages | None = None) -> None:
        """`calls` keeps the replies. Without `picture_messages` messages are text only."""
        self._case, self._calls = case, calls
        self._picture_messages = picture_messages or PictureMessages()
        self._questions = {call: asked for mode in MAP_MODES for call, asked in question_calls(mode, case.questions)}

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        """The reply of the model."""
        question = self._questions.get(call)
        context = SceneCallContext(call, self._case.id, episode.scene, episode.before, question)
        reply = await self._calls.send(await self._picture_messages.messages(messages), context)
        if reply is not None and asks_for_map(call):
            picture = await anyio.to_thread.run_sync(map_markdown, self._case, episode, call, reply)
            transcript().info(picture, source="map")
        return reply

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        """Run all at once and wait for all."""
        await run_concurrently(heading, awaitables)
