"""A model behind Inspect as the one who answers in a scene: messages with pictures, replies, maps for the log."""

import base64
import re
from collections.abc import Awaitable, Sequence
from contextlib import AbstractAsyncContextManager

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
    Model,
)

from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.protocol.picture_log import PICTURE_SOURCE, picture_note
from tolman.benchmarks.theory_of_space.protocol.picture_marks import (
    DistanceCalibration,
    NameCalibration,
    PictureKey,
    split_at_marks,
)
from tolman.benchmarks.theory_of_space.protocol.pictures import PictureCache
from tolman.benchmarks.theory_of_space.protocol.prompts import Message, picture_left_out
from tolman.benchmarks.theory_of_space.revision import plain_map
from tolman.core.rules import STRICT
from tolman.explore.episode import Episode, Turn
from tolman.harness.calls import Call
from tolman.harness.model_calls import ModelCalls, run_concurrently
from tolman.models.call_context import SceneCallContext
from tolman.render import map_picture
from tolman.sense import Observation


def in_budget(shown: Sequence[PictureKey], budget: int | None) -> list[bool]:
    """For each picture of a request, in order, whether it is sent; `budget` is the most, None for all.

    The latest picture goes first: the request may be about it. Then those to go by, without which no other can be read.
    Of what is left, the oldest looks stay out.
    """
    places = range(len(shown) - 1, -1, -1)
    wanted = sorted(places, key=lambda place: place < len(shown) - 1 and not _is_calibration(shown[place]))
    chosen = set(wanted[:budget])
    return [place in chosen for place in range(len(shown))]


def _is_calibration(key: PictureKey) -> bool:
    return isinstance(key, DistanceCalibration | NameCalibration)


_MESSAGE_TYPES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}


class PictureMessages:
    """Makes messages for a model. One object for each, however often it is sent: the log then keeps it once."""

    def __init__(self, gallery: PictureCache | None = None, budget: int | None = None) -> None:
        """Without a gallery everything stays text. The budget is the most pictures in one request; see `in_budget`."""
        self._gallery, self._budget = gallery, budget
        self._known: dict[tuple[Message, tuple[bool, ...]], ChatMessage] = {}
        self._images: dict[PictureKey, ContentImage] = {}

    async def messages(self, said: Sequence[Message]) -> list[ChatMessage]:
        """A whole request."""
        pieces = [self._pieces(message) for message in said]
        sent = iter(in_budget([piece for each in pieces for piece in each if not isinstance(piece, str)], self._budget))
        return [
            await self._message(message, each, tuple(isinstance(piece, str) or next(sent) for piece in each))
            for message, each in zip(said, pieces, strict=True)
        ]

    def _pieces(self, message: Message) -> list[str | PictureKey]:
        if self._gallery is None or message.role != "user":
            return [message.text]
        return split_at_marks(message.text)

    async def _message(
        self, message: Message, pieces: Sequence[str | PictureKey], sent: tuple[bool, ...]
    ) -> ChatMessage:
        """One message with those of its pieces that are sent."""
        known = message, sent
        if known not in self._known:
            content: str | list[Content] = message.text
            if any(not isinstance(piece, str) for piece in pieces):
                content = [await self._content(piece, is_sent) for piece, is_sent in zip(pieces, sent, strict=True)]
            self._known.setdefault(known, _MESSAGE_TYPES[message.role](content=content))
        return self._known[known]

    async def _content(self, piece: str | PictureKey, is_sent: bool) -> Content:
        if isinstance(piece, str):
            return ContentText(text=piece)
        return await self._image(piece) if is_sent else ContentText(text=picture_left_out(self._budget or 0))

    async def _image(self, key: PictureKey) -> ContentImage:
        if key not in self._images and self._gallery is not None:
            image = ContentImage(image=await self._gallery.data_url(key))
            if self._images.setdefault(key, image) is image:
                transcript().info(picture_note(key, image.image), source=PICTURE_SOURCE)
        return self._images[key]


_MAP_CALL = re.compile(r"(explore|revise)/(\d+)/global/1")


def asks_for_map(call: str) -> bool:
    """Whether a call asks for a map of the whole world, for the first time after a turn."""
    return _MAP_CALL.fullmatch(call) is not None


def map_markdown(case: Case, episode: Episode, call: str, reply: str) -> str:
    """Markdown that shows the map in the reply to such a call."""
    phase, number = call.split("/", maxsplit=1)[0], int(call.split("/")[1])
    said = plain_map(reply, case.scene, STRICT)
    turns = [turn for turn in episode.turns if turn.phase == phase][:number]
    world = case.changed if phase == "revise" and case.changed else case.scene
    pose = world.pose_at(turns[-1].standing_on, turns[-1].heading)
    picture = base64.b64encode(map_picture(world, pose, said or {}, seen=_seen_names(turns))).decode("ascii")
    what = "against the truth" if said is not None else "but the reply holds none"
    return f"**Map after {phase} turn {number}, {what}**\n\n![map](data:image/png;base64,{picture})"


def _seen_names(turns: list[Turn]) -> set[str]:
    return {name for turn in turns if isinstance(turn.told, Observation) for name in turn.told.names}


class InspectStage:
    """Sends conversations to a model and keeps every reply; see `Stage`."""

    def __init__(
        self,
        model: Model,
        case: Case,
        scope: dict[str, str],
        *,
        resume: bool,
        illustrated: PictureMessages | None = None,
    ) -> None:
        """Scope and `resume` are those of `ModelCalls`. Messages are plain text unless they are `illustrated`."""
        self._case, self._calls = case, ModelCalls(model, scope, resume=resume)
        self._illustrated = illustrated or PictureMessages()

    @property
    def calls(self) -> list[Call]:
        """All replies so far, as they came in."""
        return self._calls.calls

    def scene(self) -> AbstractAsyncContextManager[None]:
        """All is said within; see `ModelCalls`."""
        return self._calls.scene()

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        """The reply of the model."""
        handed = SceneCallContext(call, self._case.id, episode.scene, episode.before)
        reply = await self._calls.send(await self._illustrated.messages(messages), handed)
        if reply is not None and asks_for_map(call):
            picture = await anyio.to_thread.run_sync(map_markdown, self._case, episode, call, reply)
            transcript().info(picture, source="map")
        return reply

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        """Run all at once and wait for all."""
        await run_concurrently(heading, awaitables)
