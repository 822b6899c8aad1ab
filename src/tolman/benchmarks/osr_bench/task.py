"""OSR-Bench as an Inspect task, one sample per scene: the model states a map for each rotation of the camera, then
answers every question in a conversation of its own. `inspect eval tolman/osr_bench -T data=FOLDER`.
"""

import base64
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, cast

import anyio
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from tolman.benchmarks.osr_bench.case import Case, case_to_dict
from tolman.benchmarks.osr_bench.cases import choose_cases, resolve_options
from tolman.benchmarks.osr_bench.judge import find_judge, judge_all
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.panoramas import PANORAMA, SentPicture, sent_pictures
from tolman.benchmarks.osr_bench.prompts import (
    map_prompt,
    map_reply,
    question_prompt,
    scripted_answer,
    scripted_map,
    true_map,
)
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, Question
from tolman.benchmarks.osr_bench.record import (
    STORE_KEY,
    JudgedAnswer,
    LoggedCase,
    Record,
    map_call,
    question_call,
    read_record,
)
from tolman.benchmarks.osr_bench.rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.scores import headline_scores, score_case
from tolman.core.errors import ReplayError, SettingsError
from tolman.core.seeds import canonical_json, digest
from tolman.harness.images import in_worker_thread
from tolman.harness.model_calls import ModelCalls, run_concurrently

PICTURE_SOURCE = "picture"
"""Of notes in the log that hold each picture as it was sent: `{"turn": DEGREES, "view": NAME, "picture": DATA URL}`."""
Pictures = Callable[[int], list[SentPicture]]
"""The pictures of a scene with the camera turned so many degrees; takes its time, and is called in a thread."""


class SceneRun:
    """A model before one scene."""

    def __init__(self, case: Case, options: Options, calls: ModelCalls, pictures: Pictures) -> None:
        self.case, self.options, self.calls = case, options, calls
        self._pictures = pictures

    async def run(self) -> None:
        """All that the options ask for."""
        await run_concurrently("", [self._turned(turn) for turn in self.options.turns])

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
        for shown in await in_worker_thread(partial(self._pictures, turn)):
            url = f"data:image/png;base64,{base64.b64encode(shown.png).decode('ascii')}"
            transcript().info({"turn": turn, "view": shown.view, "picture": url}, source=PICTURE_SOURCE)
            if shown.view != PANORAMA:
                content.append(ContentText(text=f"{shown.view.capitalize()}:"))
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

    async def _ask_all(self, turn: int, seen: list[Content], before: list[ChatMessage]) -> None:
        by_kind: dict[str, list[Question]] = {}
        for question in self.case.questions:
            by_kind.setdefault(question.kind, []).append(question)
        ask = partial(self._ask, turn, seen, before)
        await run_concurrently(
            "", [run_concurrently(kind, [ask(each) for each in asked]) for kind, asked in by_kind.items()]
        )

    async def _ask(self, turn: int, seen: list[Content], before: list[ChatMessage], question: Question) -> None:
        """One question; it knows nothing of the others."""
        wanted = ContentText(text=question_prompt(question, self.options))
        messages = [*before, ChatMessageUser(content=[*seen, wanted] if seen else wanted.text)]
        await self.calls.send(
            messages, scripted_answer(question_call(turn, question), self.case, self.options, question)
        )


@task
def osr_bench(
    data: str = "0-99",
    mode: str = "first",
    think: bool = False,
    asked: str = "standard",
    turns: str | int | Sequence[int] = "0",
    views: str = "panorama",
    width: int = 1024,
    each: int = 10,
    distractors: str = "code",
    class_list: str | None = None,
    grid: int = 10,
    handedness: str | None = None,
    preset: str = "standard",
    assets: str = "auto",
    rules: str = "strict",
    judge: str = "",
    greedy: bool = True,
    resume: bool = False,
) -> Task:
    """OSR-Bench. `data` is seeds or a folder; the other options are those of `Options`.

    `judge` names a model that grades the answers beside the rules. `greedy` asks for the likeliest reply
    (temperature 0), unless a temperature is given. `resume` keeps every reply in Inspect's cache, so that a run that
    was cut off sends no call twice.
    """
    options = Options(
        **cast(
            "Any",
            {
                "mode": mode,
                "think": think,
                "asked": asked,
                "turns": _degrees(turns),
                "views": views,
                "width": width,
                "each": each,
                "distractors": distractors,
                "class_list": class_list,
                "grid": grid,
                "handedness": handedness,
                "preset": preset,
                "assets": assets,
                "rules": rules,
            },
        )
    )
    options = resolve_options(str(data), options)
    cases = choose_cases(str(data), options)
    if judge:
        find_judge(judge)
    return Task(
        dataset=MemoryDataset([_sample(case, options) for case in cases], name="osr_bench"),
        solver=map_and_answer(options, judge, resume),
        scorer=panorama_scores(),
        name=f"osr_bench_{mode}_{'think' if think else 'plain'}_{asked}",
        config=GenerateConfig(temperature=0.0 if greedy else None),
        metadata={"options": options.as_dict()},
    )


def _degrees(turns: str | int | Sequence[int]) -> tuple[int, ...]:
    parts = turns.split(",") if isinstance(turns, str) else [turns] if isinstance(turns, int) else turns
    try:
        return tuple(int(part) for part in parts)
    except ValueError:
        raise SettingsError(f"turns are whole degrees such as 0,90, not {turns!r}") from None


def _sample(case: Case, options: Options) -> Sample:
    label = f"Scene {case.id}: {len(case.pool)} classes, {len(case.questions)} questions"
    return Sample(
        id=case.id, input=label, metadata={"case": canonical_json(case_to_dict(case)), "options": options.as_dict()}
    )


@solver
def map_and_answer(options: Options, judge: str = "", resume: bool = False) -> Solver:
    """State the map and answer: everything that happens in one scene."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        case = _read(state).case
        model: Model = get_model()
        scope = {"options": digest(options.as_dict())[:12], "scene": case.id}
        calls = ModelCalls(model, scope, resume=resume)
        judging = ModelCalls(find_judge(judge), {**scope, "judge": judge}, resume=resume) if judge else None
        judged: list[JudgedAnswer] = []
        try:
            async with calls.scene():
                await SceneRun(case, options, calls, partial(sent_pictures, case, options)).run()
                if judging is not None:
                    replies = {call.name: call.reply for call in calls.calls}
                    judged = await judge_all(case, replies, options.turns, judging)
        finally:
            record = Record(
                calls=sorted(calls.calls, key=lambda call: _order(call.name, options)),
                judge=judge,
                judged=judged,
                judge_calls=judging.calls if judging else [],
            )
            state.store.set(STORE_KEY, record.model_dump_json())
        told = f"{len(record.calls)} replies"
        state.messages = [ChatMessageUser(content=state.input_text), ChatMessageAssistant(content=told)]
        state.output = ModelOutput.from_content(str(model), told)
        return state

    return solve


def _order(call: str, options: Options) -> tuple[int, int]:
    """Calls in the order of the protocol."""
    turn, what = call.split("/")
    return options.turns.index(int(turn)), 0 if what == "map" else int(what)


def _read(state: TaskState) -> LoggedCase:
    return read_record(state.metadata, state.store.get(STORE_KEY))


@scorer(metrics={"*": [mean(), stderr()]})
def panorama_scores() -> Scorer:
    """The headline numbers of a scene under both rule sets; `tolman show` prints the tables from the record."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        return await anyio.to_thread.run_sync(_score, _read(state))

    return score


def _score(logged: LoggedCase) -> Score:
    value: dict[str, float] = {}
    for rules in (STRICT, PUBLISHED):
        mark = "" if rules is STRICT else " (published)"
        found = headline_scores([score_case(logged, rules)])
        value |= {f"{name}{mark}": found[name] for name in _shown(logged.options)}
    return Score(value=cast("Any", value))


def _shown(options: Options) -> Iterator[str]:
    yield from QUESTION_KINDS
    if options.mode == "first":
        yield from ("map F1", "map distance", "map success", "invented classes")
    if len(options.turns) > 1:
        yield "consistency"
