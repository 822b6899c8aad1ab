"""SpaRRTa for vision-language models as an Inspect task, one sample per picture.

`inspect eval tolman/sparrta -T data=FOLDER`, or `-T environment=desert -T images=0-19` for generated pictures.
"""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import anyio
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.log import transcript
from inspect_ai.model import (
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

from tolman.benchmarks.sparrta.case import Case, RelationQuestion, case_to_dict
from tolman.benchmarks.sparrta.cases import generated_cases, stored_cases
from tolman.benchmarks.sparrta.dataset.make import GeneratedPictures, named_triples, numbers_in, prepare_pictures
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.prompts import picture_url, question_prompt, scripted_reply
from tolman.benchmarks.sparrta.record import STORE_KEY, LoggedCase, Record, read_record
from tolman.benchmarks.sparrta.relations import parse_viewpoints
from tolman.benchmarks.sparrta.scores import score_case
from tolman.core.seeds import canonical_json, digest
from tolman.harness.images import in_worker_thread
from tolman.harness.model_calls import ModelCalls, run_concurrently

PICTURE_SOURCE = "picture"
"""Of the note in the log that holds the picture as it was sent: `{"picture": DATA URL}`."""


async def run_case(case: Case, options: Options, calls: ModelCalls) -> None:
    """Ask all questions about a picture; none knows of another."""
    seen: list[Content] = []
    if not options.blind:
        url = await in_worker_thread(partial(picture_url, Path(case.picture), options.size))
        transcript().info({"picture": url}, source=PICTURE_SOURCE)
        seen.append(ContentImage(image=url))

    async def ask(question: RelationQuestion) -> None:
        text = question_prompt(case, question, options)
        message = ChatMessageUser(content=[*seen, ContentText(text=text)] if seen else text)
        await calls.send([message], scripted_reply(case, question, options))

    await run_concurrently("", [ask(question) for question in case.questions])


@task
def sparrta(
    data: str = "",
    environment: str | Sequence[str] = "",
    triple: str | int | Sequence[int] = "",
    images: str | int = "",
    viewpoint: str | Sequence[str] = "both",
    think: bool = False,
    ambiguity: float = 15.0,
    size: int = 224,
    point: str = "auto",
    blind: bool = False,
    balanced: bool = False,
    preset: str = "standard",
    models: str = "auto",
    max_pictures: int | None = None,
    workers: int = 1,
    greedy: bool = True,
    resume: bool = False,
) -> Task:
    """SpaRRTa. `data` is a folder of pictures; without it they are made. `environment`, `triple` and `images` choose.

    The other options are those of `Options` and `GeneratedPictures`. `greedy` asks for the likeliest reply
    (temperature 0), unless a temperature is given. `resume` keeps every reply in Inspect's cache, so that a run that
    was cut off sends no call twice.
    """
    chosen = Options(parse_viewpoints(",".join(_listed(viewpoint))), think, ambiguity, size, cast("Any", point), blind)
    where, which, numbers = (",".join(_listed(value)) for value in (environment, triple, images))
    if data:
        triples, indices = named_triples(where, which), numbers_in(numbers) if numbers else None
        cases = stored_cases(Path(data), chosen, max_pictures, triples, indices)
    else:
        plan = GeneratedPictures(where, which, numbers, size, ambiguity, balanced, preset, models).plan
        folder = prepare_pictures(plan, _quietly, workers)
        cases = generated_cases(folder, plan.triples, plan.indices, chosen, max_pictures)
    return Task(
        dataset=MemoryDataset([_sample(case, chosen) for case in cases], name="sparrta"),
        solver=answer_questions(chosen, resume),
        scorer=relation_scores(),
        name=f"sparrta_{'think' if think else 'plain'}",
        config=GenerateConfig(temperature=0.0 if greedy else None),
        metadata={"options": chosen.as_dict()},
    )


def _listed(value: str | int | Sequence[str] | Sequence[int]) -> list[str]:
    """Inspect's command line makes lists of words with commas."""
    parts = value.split(",") if isinstance(value, str) else [value] if isinstance(value, int) else value
    return list(dict.fromkeys(str(part).strip() for part in parts))


def _quietly(done: int, total: int) -> None:
    """Tell nobody how far it has come."""


def _sample(case: Case, options: Options) -> Sample:
    label = f"Picture {case.id}: where is the {case.target} to the {case.source}?"
    answers = [f"{question.viewpoint}: {question.answer}" for question in case.questions]
    return Sample(
        id=case.id,
        input=label,
        target=", ".join(answers),
        metadata={"case": canonical_json(case_to_dict(case)), "options": options.as_dict()},
    )


@solver
def answer_questions(options: Options, resume: bool = False) -> Solver:
    """Look at one picture, and answer from each viewpoint."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        del generate
        case = _read(state).case
        model: Model = get_model()
        calls = ModelCalls(model, {"options": digest(options.as_dict())[:12], "scene": case.id}, resume=resume)
        try:
            async with calls.scene():
                await run_case(case, options, calls)
        finally:
            order = [question.viewpoint for question in case.questions]
            record = Record(calls=sorted(calls.calls, key=lambda call: order.index(cast("Any", call.name))))
            state.store.set(STORE_KEY, record.model_dump_json())
        told = ", ".join(f"{name}: {reply}" for name, reply in record.replies.items())
        state.messages = [ChatMessageUser(content=state.input_text), ChatMessageAssistant(content=told)]
        state.output = ModelOutput.from_content(str(model), told)
        return state

    return solve


def _read(state: TaskState) -> LoggedCase:
    return read_record(state.metadata, state.store.get(STORE_KEY))


@scorer(metrics={"*": [mean(), stderr()]})
def relation_scores() -> Scorer:
    """Right or wrong from each viewpoint, and whether replies could be read; `tolman show` prints the tables."""

    async def score(state: TaskState, target: Target) -> Score:
        del target
        return await anyio.to_thread.run_sync(_score, _read(state))

    return score


def _score(logged: LoggedCase) -> Score:
    answers = score_case(logged)
    right = {answer.question.viewpoint: float(answer.right) for answer in answers}
    value = {viewpoint: right.get(viewpoint, math.nan) for viewpoint in logged.options.viewpoints}
    read = sum(answer.said is not None for answer in answers) / len(answers)
    return Score(value=cast("Any", {**value, "read": read}))
