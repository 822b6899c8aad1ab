"""A language model as a judge of answers beside the rules, and its agreement with them: share of answers graded
alike, and Cohen's kappa.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, get_model

from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.prompts import SPECIAL_ANSWERS
from tolman.benchmarks.osr_bench.questions.question import Question
from tolman.benchmarks.osr_bench.record import JudgedAnswer, LoggedCase, question_call
from tolman.benchmarks.osr_bench.rules import Rules
from tolman.benchmarks.osr_bench.scores import score_case
from tolman.core.errors import SettingsError, TolmanError
from tolman.core.reading import final_part
from tolman.core.rules import RuleSetName
from tolman.core.wording import wording
from tolman.harness.model_calls import ModelCalls, run_concurrently
from tolman.models.call_context import CallContext

_OBJECT = re.compile(r"\{[^{}]*\}")
_SCORE = re.compile(r"\bscore\b\W{0,8}([01](?:\.0+)?)(?!\.?\d)(\s+or\b)?", re.IGNORECASE)
_SURE = re.compile(r"\b(high|middle|medium|low)\b", re.IGNORECASE)
_LONGEST = 20_000


JUDGE_TEMPERATURE: dict[RuleSetName, float] = {"published": 0.1, "strict": 0.0}
"""Of the judge: as in the authors' code under `published`, and greedy under `strict`, so that verdicts repeat."""


def find_judge(name: str, rules: RuleSetName = "strict") -> Model:
    """The judge model at the temperature of a rule set; SettingsError for an unknown name or a missing API key."""
    try:
        return get_model(name, config=GenerateConfig(temperature=JUDGE_TEMPERATURE[rules]))
    except TolmanError:
        raise
    except Exception as error:
        raise SettingsError(f"the judge {name!r} can't be used: {' '.join(str(error).split())}") from None


async def judge_all(
    case: Case, replies: Mapping[str, str], turns: tuple[int, ...], calls: ModelCalls
) -> list[JudgedAnswer]:
    """Verdicts of the judge on all answered questions of a case, in the order of the questions."""
    verdicts: dict[str, JudgedAnswer] = {}

    async def ask(call: str, question: Question, reply: str) -> None:
        message = ChatMessageUser(content=judge_prompt(question, reply))
        said = await calls.send([message], CallContext(f"judge/{call}", case.id))
        score, confidence = read_verdict(said or "")
        verdicts[call] = JudgedAnswer(name=call, score=score, confidence=confidence, reply=said or "")

    named = [(question_call(turn, question), question) for turn in turns for question in case.questions]
    waiting = [partial(ask, call, question, replies[call]) for call, question in named if call in replies]
    await run_concurrently("judge", [each() for each in waiting])
    return [verdicts[call] for call, _ in named if call in verdicts]


def judge_prompt(question: Question, reply: str) -> str:
    """The prompt for judging one answer, without the reasoning of the reply."""
    said = " ".join(final_part(reply).split()) or "(nothing)"
    special = {name: text for name, text in SPECIAL_ANSWERS.items() if question.kind != "counting"}
    unused = {"distance": "no_other", "direction": "no_candidate"}.get(question.kind, "")
    special.pop(unused, None)
    page = wording(__package__ or "", f"judge_{question.kind}")
    return page.fill(question=question.text, answer=question.answer, said=said, **special)


def read_verdict(reply: str) -> tuple[float | None, str]:
    """Score and confidence in a judge's reply; the score is None where it is missing or contradictory."""
    text = reply[-_LONGEST:]
    for found in reversed(_OBJECT.findall(text)):
        try:
            values = cast("Mapping[str, object]", json.loads(found))
        except (ValueError, RecursionError):
            continue
        score = values.get("score")
        if str(score).strip() in ("0", "1", "0.0", "1.0", "True", "False"):
            right = str(score).strip() in ("1", "1.0", "True")
            return float(right), _confidence(str(values.get("confidence")))
    scores = {None if either else float(number) for number, either in _SCORE.findall(text)}
    return (scores.pop(), _confidence(text)) if len(scores) == 1 and None not in scores else (None, "")


def _confidence(text: str) -> str:
    said = {word.lower().replace("medium", "middle") for word in _SURE.findall(text)}
    return said.pop() if len(said) == 1 else ""


@dataclass(frozen=True)
class Agreement:
    """Agreement of two graders on the same answers."""

    answers: int
    """Answers that both graded."""
    unread: int = 0
    """Answers whose verdict by the judge is unparseable."""
    share: float | None = None
    """Share of answers graded the same; None without answers."""
    kappa: float | None = None
    """Cohen's kappa: 1 is complete agreement, 0 is chance; None where all grades are the same."""


def agreement(pairs: Sequence[tuple[bool, bool]], unread: int = 0) -> Agreement:
    """The agreement of two graders, from pairs of their grades."""
    total = len(pairs)
    if not total:
        return Agreement(0, unread)
    alike = sum(one == other for one, other in pairs) / total
    one, other = (sum(pair[i] for pair in pairs) / total for i in range(2))
    chance = one * other + (1 - one) * (1 - other)
    return Agreement(total, unread, alike, (alike - chance) / (1 - chance) if chance < 1 else None)


def judge_agreement(cases: Iterable[LoggedCase], rules: Rules) -> Agreement:
    """The agreement of a judge with the rules over all judged answers. An answer is right if it scores 1."""
    pairs: list[tuple[bool, bool]] = []
    unread = 0
    for logged in cases:
        graded = {
            question_call(scores.turn, answer.question): answer.score == 1
            for scores in score_case(logged, rules)
            for answer in scores.answers
        }
        for verdict in logged.record.judged:
            if verdict.score is None:
                unread += 1
            elif verdict.name in graded:
                pairs.append((graded[verdict.name], verdict.score == 1))
    return agreement(pairs, unread)
