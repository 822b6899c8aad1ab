"""The prompts for maps and questions, whose texts are in `wordings/`, the replies that scripted models give to them,
and a language model as a judge of answers beside the rules, with its agreement: share of answers graded alike, and
Cohen's kappa.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, get_model

from tolman.benchmarks.osr_bench.case import CORNERS, Case, JudgedAnswer, LoggedCase, question_call
from tolman.benchmarks.osr_bench.maps.grid import GridMap
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.question import (
    DIRECTIONS,
    NO_CANDIDATE,
    NO_OTHER,
    NOT_FOUND,
    NOT_UNIQUE,
    AskedSet,
    Question,
)
from tolman.benchmarks.osr_bench.rules import Rules, find_rules
from tolman.benchmarks.osr_bench.scores import score_case
from tolman.core.errors import SettingsError, TolmanError
from tolman.core.reading import final_part
from tolman.core.rules import RuleSetName
from tolman.core.seeds import rng
from tolman.core.wording import wording
from tolman.harness.model_calls import ModelCalls, run_concurrently
from tolman.models.call_context import AnswerCallContext, CallContext

_page = partial(wording, __package__ or "")
SPECIAL_ANSWERS = {"not_found": NOT_FOUND, "not_unique": NOT_UNIQUE, "no_candidate": NO_CANDIDATE, "no_other": NO_OTHER}


def map_prompt(case: Case, options: Options, turn: int = 0) -> str:
    """The prompt for the map, sent with the pictures."""
    size, pool = case.truth.size, ", ".join(case.pool)
    if not _rules(options).true_handedness:
        return _page("map_published").fill(pictures=_pictures(options), pool=pool, size=size)
    return _page("map").fill(
        pictures=_pictures(options), pool=pool, size=size, last=size - 1, **_frame(case, options, turn)
    )


def question_prompt(question: Question, options: Options) -> str:
    """The prompt for a question. Without a map it is sent with the pictures."""
    rules, parts = _rules(options), [question.text]
    if options.mode == "none" and options.views == "blind":
        parts[:0] = [_pictures(options)]
    elif options.mode == "none":
        parts[:0] = [_page("before_question").fill()]
        if rules.special_answers_are_told or options.views != "panorama":
            parts[:0] = [_pictures(options)]
    if rules.special_answers_are_told:
        parts.append(_page("meaning").fill(**SPECIAL_ANSWERS))
    parts.append(_page("answer_thinking" if options.think else "answer_plain").fill())
    return "\n\n".join(parts)


def choice_question(question: Question, options: Options) -> str:
    """The prompt for a question whose answer is one of several choices, without these."""
    meaning = _page("meaning").fill(**SPECIAL_ANSWERS)
    if options.asked == "standard":
        meaning = meaning.partition("\nThe error messages")[0]
    return "\n\n".join((_pictures(options), _page("before_question").fill(), question.text, meaning))


def true_map(case: Case, turn: int = 0) -> GridMap:
    """The true map rotated so that its top is nearest to straight ahead of the rotated camera."""
    return case.truth if case.corner is None else case.truth.turned(-_quarters(turn))


def map_reply(world: GridMap) -> str:
    """A map in the reply format."""
    return json.dumps(world.as_coordinates)


def _rules(options: Options) -> Rules:
    return find_rules(options.rules)


def _pictures(options: Options) -> str:
    as_published = options.views == "panorama" and not _rules(options).special_answers_are_told
    return _page("pictures_published" if as_published else f"pictures_{options.views}").fill()


def _frame(case: Case, options: Options, turn: int) -> dict[str, str]:
    """The orientation of the map; left open where it is unknown or the true map is mirrored."""
    if case.corner is None or options.map_handedness != "true":
        return {"frame": _page("frame_any").fill(), "corner": ""}
    corner = CORNERS[(CORNERS.index(case.corner) - _quarters(turn)) % 4]
    return {"frame": _page("frame_ahead").fill(), "corner": _page("corner").fill(corner=corner)}


def _quarters(turn: int) -> int:
    """Quarter turns of the camera, clockwise."""
    return round(turn / 90)


_MAPS = 8
"""Number of random maps."""
_MOST = 6
"""Largest count that is guessed."""
_CONSTANT: dict[AskedSet, dict[str, str]] = {
    "standard": {"counting": "1", "direction": "Front Left"},
    "negative": {"counting": "0", "direction": NO_OTHER},
}
"""The most frequent answers of the released sets; to a question of distance it is the first candidate."""


def scripted_map(call: str, case: Case, turn: int) -> AnswerCallContext:
    """Scripted replies to the map prompt: constant puts each class in the centre, guesses put it in random cells."""
    size = case.truth.size
    constant = json.dumps({name: [[size // 2, size // 2]] for name in case.pool})
    guesses = tuple(_scattered(case.pool, size, case.id, number) for number in range(_MAPS))
    return AnswerCallContext(call, case.id, map_reply(true_map(case, turn)), constant, guesses)


def _scattered(pool: Sequence[str], size: int, case: str, number: int) -> str:
    stream = rng(number, "osr", "guessed map", case)
    return json.dumps({name: [stream.integers(size, size=2).tolist()] for name in pool})


def scripted_answer(call: str, case: Case, options: Options, question: Question) -> AnswerCallContext:
    """Scripted replies to a question."""
    constant = _CONSTANT[options.asked].get(question.kind) or question.names[1]
    return AnswerCallContext(
        call,
        case.id,
        _worded(question.answer, options),
        _worded(constant, options),
        tuple(_worded(guess, options) for guess in possible_answers(question, options.asked)),
    )


def possible_answers(question: Question, asked: AskedSet) -> Iterable[str]:
    """All answers that a guess may give; counts up to a limit."""
    absent = asked == "negative"
    match question.kind:
        case "counting":
            return map(str, range(0 if absent else 1, _MOST + 1))
        case "distance":
            return (*question.names[1:], *((NO_CANDIDATE, NOT_FOUND, NOT_UNIQUE) if absent else ()))
        case "direction":
            return (*DIRECTIONS, *((NO_OTHER, NOT_FOUND, NOT_UNIQUE) if absent else ()))


def _worded(answer: str, options: Options) -> str:
    return f"<think>This was worked out beforehand.</think>\n<answer>{answer}</answer>" if options.think else answer


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
