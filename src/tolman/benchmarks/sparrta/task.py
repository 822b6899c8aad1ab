"""SpaRRTa for vision-language models as a benchmark: one case per picture.

`inspect eval tolman/sparrta -T data=FOLDER`, or `-T environment=desert -T images=0-19` for generated pictures.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from inspect_ai.log import transcript
from inspect_ai.model import ChatMessageUser, Content, ContentImage, ContentText

from tolman.benchmarks.sparrta.case import Case, LoggedCase, Record, RelationQuestion, case_to_dict, read_record
from tolman.benchmarks.sparrta.cases import generated_cases, stored_cases
from tolman.benchmarks.sparrta.dataset.make import generated_plan, named_triples, numbers_in, prepare_pictures
from tolman.benchmarks.sparrta.options import Options, Selection
from tolman.benchmarks.sparrta.prompts import picture_url, question_prompt, score_case, scripted_reply
from tolman.harness.benchmark import Benchmark, CaseContext, ShowProgress
from tolman.harness.images import PICTURE_SOURCE, in_worker_thread
from tolman.harness.model_calls import ModelCalls, run_concurrently
from tolman.harness.task import inspect_task
from tolman.models.scripted.reply import check_answer_agent


async def ask_all(case: Case, options: Options, calls: ModelCalls) -> None:
    """Ask all questions about a picture, each in its own conversation."""
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


class Sparrta(Benchmark[Selection, Options, Case, LoggedCase]):
    """Say where a target is relative to a source, from the camera or from a person."""

    name = "sparrta"
    title = "SpaRRTa"
    summary = "One picture: where A is relative to B, from the camera or from a person."
    unit = "picture"
    several: ClassVar[Mapping[str, str]] = {"think": ""}
    wording_packages = ("tolman.benchmarks.sparrta",)
    optional_gaps: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "answer_thinking": ("viewer", "source", "target"),
        "blind": ("source", "target"),
        "meaning": ("viewer", "source", "target"),
        "picture": ("source", "target"),
    }
    selection_class = Selection
    options_class = Options

    def cases(self, selection: Selection, options: Options) -> tuple[Options, Sequence[Case]]:
        """Pictures of a folder, or generated ones, which are rendered first if missing."""
        most = selection.max_pictures
        if selection.data:
            triples = named_triples(selection.environment, selection.triple)
            indices = numbers_in(selection.images) if selection.images else None
            return options, stored_cases(Path(selection.data), options, most, triples, indices)
        plan = generated_plan(selection, options)
        folder = prepare_pictures(plan, lambda done, total: None, selection.workers)  # noqa: ARG005
        return options, generated_cases(folder, plan.triples, plan.indices, options, most)

    def case_to_dict(self, case: Case) -> Mapping[str, object]:
        return case_to_dict(case)

    def label(self, case: Case) -> str:
        return f"Picture {case.id}: where is the {case.target} relative to the {case.source}?"

    def target(self, case: Case) -> str:
        return ", ".join(f"{question.viewpoint}: {question.answer}" for question in case.questions)

    def condition(self, options: Options) -> str:
        return "think" if options.think else "plain"

    async def run(self, case: Case, options: Options, selection: Selection, context: CaseContext) -> str:
        """Ask about one picture from each viewpoint."""
        del selection
        calls = context.calls()
        try:
            async with calls.scene():
                await ask_all(case, options, calls)
        finally:
            order: list[str] = [question.viewpoint for question in case.questions]
            record = Record(calls=sorted(calls.calls, key=lambda call: order.index(call.name)))
            context.keep(record)
        return ", ".join(f"{name}: {reply}" for name, reply in record.replies.items())

    def read(self, metadata: Mapping[str, object], stored: object) -> LoggedCase:
        return read_record(metadata, stored)

    def headline_scores(self, logged: LoggedCase) -> dict[str, float]:
        """Correctness from each viewpoint, and the share of parseable replies."""
        answers = score_case(logged)
        right = {answer.question.viewpoint: float(answer.right) for answer in answers}
        value: dict[str, float] = {each: right.get(each, math.nan) for each in logged.options.viewpoints}
        return {**value, "read": sum(answer.said is not None for answer in answers) / len(answers)}

    def check_scripted(self, agent: str) -> None:
        check_answer_agent(agent)

    def prepare(self, selection: Selection, options: Options, show: ShowProgress) -> None:
        """Render the missing pictures."""
        if not selection.data:
            prepare_pictures(generated_plan(selection, options), show, selection.workers)


sparrta = inspect_task(Sparrta(), __name__)
