"""OSR-Bench as a benchmark, one case per scene: the model states a map for each rotation of the camera, then
answers every question in a conversation of its own. `inspect eval tolman/osr_bench -T data=FOLDER`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessage, ChatMessageAssistant, ChatMessageUser, Content, ContentImage, ContentText

from tolman.benchmarks.osr_bench.case import (
    Case,
    JudgedAnswer,
    LoggedCase,
    Record,
    case_to_dict,
    map_call,
    question_call,
    read_record,
)
from tolman.benchmarks.osr_bench.cases import choose_cases, resolve_options
from tolman.benchmarks.osr_bench.options import Options, Selection
from tolman.benchmarks.osr_bench.panoramas import PANORAMA, SentPicture, sent_pictures
from tolman.benchmarks.osr_bench.prompts import (
    find_judge,
    judge_all,
    map_prompt,
    map_reply,
    question_prompt,
    scripted_answer,
    scripted_map,
    true_map,
)
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, Question
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.scores import headline_scores, score_case
from tolman.core.errors import ReplayError
from tolman.core.grouping import grouped
from tolman.harness.benchmark import Benchmark, CaseContext
from tolman.harness.images import PICTURE_SOURCE, data_url, in_worker_thread
from tolman.harness.model_calls import ModelCalls, run_concurrently
from tolman.harness.names import counted
from tolman.harness.task import inspect_task
from tolman.models.scripted.reply import check_answer_agent

Pictures = Callable[[int], list[SentPicture]]
"""The pictures of a scene at a camera rotation in degrees; slow, so it is called in a thread."""


class SceneRun:
    """One model on one scene."""

    def __init__(self, case: Case, options: Options, calls: ModelCalls, pictures: Pictures) -> None:
        self.case, self.options, self.calls = case, options, calls
        self._pictures = pictures

    async def run(self) -> None:
        """Run all camera rotations."""
        await run_concurrently("", [self._turned(turn) for turn in self.options.turns])

    async def _turned(self, turn: int) -> None:
        pictures = await self._seen(turn)
        if self.options.mode == "none":
            await self._ask_all(turn, pictures, [])
            return
        opening = ChatMessageUser(content=[*pictures, ContentText(text=map_prompt(self.case, self.options, turn))])
        stated = await self._map(turn, opening)
        await self._ask_all(turn, [], [opening, ChatMessageAssistant(content=stated)])

    async def _seen(self, turn: int) -> list[Content]:
        """The pictures; several views are each preceded by their name. A log entry says what each one shows."""
        content: list[Content] = []
        for picture in await in_worker_thread(partial(self._pictures, turn)):
            url = data_url(picture.png)
            transcript().info({"turn": turn, "view": picture.view, "picture": url}, source=PICTURE_SOURCE)
            if picture.view != PANORAMA:
                content.append(ContentText(text=f"{picture.view.capitalize()}:"))
            content.append(ContentImage(image=url))
        return content

    async def _map(self, turn: int, opening: ChatMessage) -> str:
        """The model's own map, or the true one."""
        if self.options.mode == "true":
            return map_reply(true_map(self.case, turn))
        reply = await self.calls.send([opening], scripted_map(map_call(turn), self.case, turn))
        if reply is None:
            raise ReplayError(f"there is no map of scene {self.case.id} on record")
        return reply

    async def _ask_all(self, turn: int, pictures: list[Content], before: list[ChatMessage]) -> None:
        by_kind = grouped(self.case.questions, lambda question: question.kind)
        ask = partial(self._ask, turn, pictures, before)
        await run_concurrently(
            "", [run_concurrently(kind, [ask(each) for each in asked]) for kind, asked in by_kind.items()]
        )

    async def _ask(self, turn: int, pictures: list[Content], before: list[ChatMessage], question: Question) -> None:
        """Ask one question, in a conversation of its own."""
        wanted = ContentText(text=question_prompt(question, self.options))
        messages = [*before, ChatMessageUser(content=[*pictures, wanted] if pictures else wanted.text)]
        await self.calls.send(
            messages, scripted_answer(question_call(turn, question), self.case, self.options, question)
        )


class OsrBench(Benchmark[Selection, Options, Case, LoggedCase]):
    """State the map of one panorama and answer questions, without hallucinating objects."""

    name = "osr-bench"
    title = "OSR-Bench"
    summary = "One panorama: state its map and answer questions, without hallucinating objects."
    several: ClassVar[Mapping[str, str]] = {"mode": "", "think": "", "asked": ""}
    wording_packages = ("tolman.benchmarks.osr_bench", "tolman.benchmarks.osr_bench.questions")
    optional_gaps: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "judge_direction": ("not_found", "not_unique", "no_other"),
        "judge_distance": ("not_found", "not_unique", "no_candidate"),
        "map": ("pictures", "last", "corner", "frame"),
        "map_published": ("pictures",),
        "meaning": ("not_found", "not_unique", "no_candidate", "no_other"),
    }
    selection_class = Selection
    options_class = Options

    def cases(self, selection: Selection, options: Options) -> tuple[Options, Sequence[Case]]:
        """Rooms from seeds, or scenes of a folder."""
        if selection.judge:
            find_judge(selection.judge, options.rules)
        options = resolve_options(selection.data, options)
        return options, choose_cases(selection.data, options)

    def case_to_dict(self, case: Case) -> Mapping[str, object]:
        return case_to_dict(case)

    def label(self, case: Case) -> str:
        classes, questions = counted(len(case.pool), "class", "classes"), counted(len(case.questions), "question")
        return f"Scene {case.id}: {classes}, {questions}"

    def condition(self, options: Options) -> str:
        return f"{options.mode}_{'think' if options.think else 'plain'}_{options.asked}"

    async def run(self, case: Case, options: Options, selection: Selection, context: CaseContext) -> str:
        """State the map and answer, for each rotation of the camera; then the judge, if there is one."""
        calls = context.calls()
        judge = (
            context.calls_to(find_judge(selection.judge, options.rules), selection.judge) if selection.judge else None
        )
        judged: list[JudgedAnswer] = []
        try:
            async with calls.scene():
                await SceneRun(case, options, calls, partial(sent_pictures, case, options)).run()
                if judge is not None:
                    replies = {call.name: call.reply for call in calls.calls}
                    judged = await judge_all(case, replies, options.turns, judge)
        finally:
            record = Record(
                calls=sorted(calls.calls, key=lambda call: _order(call.name, options)),
                judge=selection.judge,
                judged=judged,
                judge_calls=judge.calls if judge else [],
            )
            context.keep(record)
        return counted(len(record.calls), "reply", "replies")

    def read(self, metadata: Mapping[str, object], stored: object) -> LoggedCase:
        return read_record(metadata, stored)

    def headline_scores(self, logged: LoggedCase) -> dict[str, float]:
        """The main numbers of a scene under both rule sets."""
        value: dict[str, float] = {}
        for rules in (STRICT, PUBLISHED):
            mark = "" if rules is STRICT else " (published)"
            found = headline_scores([score_case(logged, rules)])
            value |= {f"{name}{mark}": found[name] for name in _headline_names(logged.options)}
        return value

    def check_scripted(self, agent: str) -> None:
        check_answer_agent(agent)

    def other_models(self, selection: Selection) -> tuple[str, ...]:
        return (selection.judge,) if selection.judge else ()


def _order(call: str, options: Options) -> tuple[int, int]:
    """Calls in the order of the protocol."""
    turn, what = call.split("/")
    return options.turns.index(int(turn)), 0 if what == "map" else int(what)


def _headline_names(options: Options) -> Iterator[str]:
    yield from QUESTION_KINDS
    if options.mode == "first":
        yield from ("map F1", "map distance", "map success", "invented classes")
    if len(options.turns) > 1:
        yield "consistency"


osr_bench = inspect_task(OsrBench(), __name__)
