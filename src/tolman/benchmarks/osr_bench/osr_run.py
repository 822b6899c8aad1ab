"""One scene from end to end: the map, once for each turn of the camera, then every question on a branch of its own."""

import base64
from collections.abc import Callable
from functools import partial

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, Content, ContentImage, ContentText

from tolman.benchmarks.model_calls import ModelCalls, together
from tolman.benchmarks.one_by_one import one_by_one
from tolman.benchmarks.osr_bench.known_answers import known_answer, known_map
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_prompts import map_prompt, question_prompt, said_map, true_map
from tolman.benchmarks.osr_bench.osr_record import map_call, question_call
from tolman.benchmarks.osr_bench.question import Question
from tolman.benchmarks.osr_bench.shown import PANORAMA, Shown
from tolman.errors import ReplayError

PICTURE_SOURCE = "picture"
"""Of notes in the log that hold each picture as it was sent: `{"turn": DEGREES, "view": NAME, "picture": DATA URL}`."""
Pictures = Callable[[int], list[Shown]]
"""The pictures of a scene with the camera turned so many degrees; takes its time, and is called in a thread."""


class OsrRun:
    """A model before one scene."""

    def __init__(self, case: OsrCase, options: OsrOptions, calls: ModelCalls, pictures: Pictures) -> None:
        self.case, self.options, self.calls = case, options, calls
        self._pictures = pictures

    async def run(self) -> None:
        """All that the options ask for."""
        await together("", [self._turned(turn) for turn in self.options.turns])

    async def _turned(self, turn: int) -> None:
        seen = await self._seen(turn)
        if self.options.mode == "none":
            await self._ask_all(turn, seen, [])
            return
        opening = ChatMessageUser(content=[*seen, ContentText(text=map_prompt(self.case, self.options, turn))])
        stated = await self._map(turn, opening)
        await self._ask_all(turn, [], [opening, ChatMessageAssistant(content=stated)])

    async def _seen(self, turn: int) -> list[Content]:
        """The pictures, each with its name before it where there are several."""
        content: list[Content] = []
        for shown in await one_by_one(partial(self._pictures, turn)):
            url = f"data:image/png;base64,{base64.b64encode(shown.png).decode('ascii')}"
            transcript().info({"turn": turn, "view": shown.view, "picture": url}, source=PICTURE_SOURCE)
            if shown.view != PANORAMA:
                content.append(ContentText(text=f"{shown.view.capitalize()}:"))
            content.append(ContentImage(image=url))
        return content

    async def _map(self, turn: int, opening: ChatMessage) -> str:
        """The model's own map, or the true one."""
        if self.options.mode == "true":
            return said_map(true_map(self.case, turn))
        reply = await self.calls.send([opening], known_map(map_call(turn), self.case, turn))
        if reply is None:
            raise ReplayError(f"there is no map of scene {self.case.id} on record")
        return reply

    async def _ask_all(self, turn: int, seen: list[Content], before: list[ChatMessage]) -> None:
        by_kind: dict[str, list[Question]] = {}
        for question in self.case.questions:
            by_kind.setdefault(question.kind, []).append(question)
        ask = partial(self._ask, turn, seen, before)
        await together("", [together(kind, [ask(each) for each in asked]) for kind, asked in by_kind.items()])

    async def _ask(self, turn: int, seen: list[Content], before: list[ChatMessage], question: Question) -> None:
        """One question; it knows nothing of the others."""
        wanted = ContentText(text=question_prompt(question, self.options))
        messages = [*before, ChatMessageUser(content=[*seen, wanted] if seen else wanted.text)]
        await self.calls.send(messages, known_answer(question_call(turn, question), self.case, self.options, question))
