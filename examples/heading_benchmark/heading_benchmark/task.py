"""The benchmark itself: how a case is asked, recorded and scored."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from inspect_ai.model import ChatMessageUser

from heading_benchmark.case import HEADINGS, RECORDS, Case, LoggedCase, Options, Record, Selection, make_case
from tolman.harness.benchmark import Benchmark, CaseContext
from tolman.harness.task import inspect_task
from tolman.models.call_context import AnswerCallContext
from tolman.models.scripted.reply import check_answer_agent


class Headings(Benchmark[Selection, Options, Case, LoggedCase]):
    """Say which way you face after some turns."""

    name = "headings"
    title = "Headings"
    summary = "Say which way you face after some turns."
    unit = "case"
    selection_class = Selection
    options_class = Options

    def cases(self, selection: Selection, options: Options) -> tuple[Options, Sequence[Case]]:
        return options, [make_case(seed, options) for seed in range(selection.cases)]

    def case_id(self, case: Case) -> str:
        return case.id

    def case_to_dict(self, case: Case) -> Mapping[str, object]:
        return asdict(case)

    def label(self, case: Case) -> str:
        return f"Case {case.id}: {', '.join(case.turns)}"

    def target(self, case: Case) -> str:
        return case.answer

    def condition(self, options: Options) -> str:
        return f"{options.turns}"

    async def run(self, case: Case, options: Options, selection: Selection, context: CaseContext) -> str:
        """One question."""
        del options, selection
        calls = context.calls()
        turns = ", then ".join(case.turns)
        prompt = f"You face north. You turn {turns}, by 90 degrees each time. Which way do you face? Say one word."
        known = AnswerCallContext("answer", case.id, true=case.answer, constant="north", guesses=HEADINGS)
        try:
            async with calls.scene():
                await calls.send([ChatMessageUser(content=prompt)], known)
        finally:
            context.keep(Record(calls=calls.calls))
        return ", ".join(call.reply for call in calls.calls)

    def read(self, metadata: Mapping[str, object], stored: object) -> LoggedCase:
        return RECORDS.read(metadata, stored)

    def headline_scores(self, logged: LoggedCase) -> dict[str, float]:
        return {"accuracy": score(logged)}

    def check_scripted(self, agent: str) -> None:
        check_answer_agent(agent)


def score(logged: LoggedCase) -> float:
    """1 where the reply names the true heading and no other, else 0."""
    reply = logged.record.replies.get("answer", "").lower()
    return float([heading for heading in HEADINGS if heading in reply] == [logged.case.answer])


headings = inspect_task(Headings(), __name__)
