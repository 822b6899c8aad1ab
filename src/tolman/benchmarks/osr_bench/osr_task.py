"""OSR-Bench as an Inspect task: one sample a scene. `inspect eval tolman/osr_bench -T data=FOLDER`."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, cast

import anyio
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, GenerateConfig, Model, ModelOutput, get_model
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver

from tolman.benchmarks.model_calls import ModelCalls
from tolman.benchmarks.osr_bench.headlines import headlines
from tolman.benchmarks.osr_bench.judge import find_judge, judge_all
from tolman.benchmarks.osr_bench.osr_case import OsrCase, case_to_dict
from tolman.benchmarks.osr_bench.osr_cases import choose_cases, settled
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_record import STORE_KEY, Judged, LoggedCase, OsrRecord, read_record
from tolman.benchmarks.osr_bench.osr_rules import PUBLISHED, STRICT
from tolman.benchmarks.osr_bench.osr_run import OsrRun
from tolman.benchmarks.osr_bench.osr_scores import score_case
from tolman.benchmarks.osr_bench.question import QUESTION_KINDS
from tolman.benchmarks.osr_bench.shown import show
from tolman.errors import SettingsError
from tolman.seeds import canonical_json, digest


@task
def osr_bench(  # noqa: PLR0913, PLR0917 - options are arguments
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
    """OSR-Bench. `data` is seeds or a folder; the other options are those of `OsrOptions`.

    `judge` names a model that grades the answers beside the rules. `greedy` asks for the likeliest reply
    (temperature 0), unless a temperature is given. `resume` keeps every reply in Inspect's cache, so that a run that
    was cut off sends no call twice.
    """
    options = OsrOptions(
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
    options = settled(str(data), options)
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


def _sample(case: OsrCase, options: OsrOptions) -> Sample:
    label = f"Scene {case.id}: {len(case.pool)} classes, {len(case.questions)} questions"
    return Sample(
        id=case.id, input=label, metadata={"case": canonical_json(case_to_dict(case)), "options": options.as_dict()}
    )


@solver
def map_and_answer(options: OsrOptions, judge: str = "", resume: bool = False) -> Solver:
    """State the map and answer: everything that happens in one scene."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        case = _read(state).case
        model: Model = get_model()
        scope = {"options": digest(options.as_dict())[:12], "scene": case.id}
        calls = ModelCalls(model, scope, resume=resume)
        judging = ModelCalls(find_judge(judge), {**scope, "judge": judge}, resume=resume) if judge else None
        judged: list[Judged] = []
        try:
            async with calls.scene():
                await OsrRun(case, options, calls, partial(show, case, options)).run()
                if judging is not None:
                    replies = {call.name: call.reply for call in calls.calls}
                    judged = await judge_all(case, replies, options.turns, judging)
        finally:
            record = OsrRecord(
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


def _order(call: str, options: OsrOptions) -> tuple[int, int]:
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
        found = headlines([score_case(logged, rules)])
        value |= {f"{name}{mark}": found[name] for name in _shown(logged.options)}
    return Score(value=cast("Any", value))


def _shown(options: OsrOptions) -> Iterator[str]:
    yield from QUESTION_KINDS
    if options.mode == "first":
        yield from ("map F1", "map distance", "map success", "invented classes")
    if len(options.turns) > 1:
        yield "consistency"
