"""A model as a judge of answers. It is not needed, the rules grade everything; it shows how far they can be trusted."""

import json
import re
from collections.abc import Mapping
from functools import partial
from typing import cast

from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, get_model

from tolman.benchmarks.model_calls import ModelCalls, together
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_prompts import SPECIAL
from tolman.benchmarks.osr_bench.osr_record import Judged, question_call
from tolman.benchmarks.osr_bench.question import Question
from tolman.errors import SettingsError, TolmanError
from tolman.models.handed import Circumstances
from tolman.reading import final_part
from tolman.wording import wording

_OBJECT = re.compile(r"\{[^{}]*\}")
_SCORE = re.compile(r"\bscore\b\W{0,8}([01](?:\.0+)?)(?!\.?\d)(\s+or\b)?", re.IGNORECASE)
_SURE = re.compile(r"\b(high|middle|medium|low)\b", re.IGNORECASE)
_LONGEST = 20_000


def find_judge(name: str) -> Model:
    """The model, asked for its likeliest reply; a wrong name or a missing key is told at once."""
    try:
        return get_model(name, config=GenerateConfig(temperature=0.0))
    except TolmanError:
        raise
    except Exception as error:
        raise SettingsError(f"the judge {name!r} can't be used: {' '.join(str(error).split())}") from None


async def judge_all(
    case: OsrCase, replies: Mapping[str, str], turns: tuple[int, ...], calls: ModelCalls
) -> list[Judged]:
    """What a judge says of all answers to a case's questions that were given, in the order of the questions."""
    verdicts: dict[str, Judged] = {}

    async def ask(call: str, question: Question, reply: str) -> None:
        message = ChatMessageUser(content=judge_prompt(question, reply))
        said = await calls.send([message], Circumstances(f"judge/{call}", case.id))
        score, confidence = read_verdict(said or "")
        verdicts[call] = Judged(name=call, score=score, confidence=confidence, reply=said or "")

    named = [(question_call(turn, question), question) for turn in turns for question in case.questions]
    waiting = [partial(ask, call, question, replies[call]) for call, question in named if call in replies]
    await together("judge", [each() for each in waiting])
    return [verdicts[call] for call, _ in named if call in verdicts]


def judge_prompt(question: Question, reply: str) -> str:
    """What the judge is asked of one answer. Reasoning is left out."""
    said = " ".join(final_part(reply).split()) or "(nothing)"
    special = {name: text for name, text in SPECIAL.items() if question.kind != "counting"}
    unused = {"distance": "no_other", "direction": "no_candidate"}.get(question.kind, "")
    special.pop(unused, None)
    page = wording(__package__ or "", f"judge_{question.kind}")
    return page.fill(question=question.text, answer=question.answer, said=said, **special)


def read_verdict(reply: str) -> tuple[float | None, str]:
    """Score and confidence in a judge's reply, wherever they are plain; a score of None where it is not."""
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
