"""What the posterior says of every question of a recorded scene, and the scores of the task conditions `--abstain`,
`--odds` and `--settle` as columns of a scene.

With `--abstain` a question counts in `decided`, `open` or `unseen` by its label from the posterior, never by the
reply. With `--odds` scores are means over the parts of an answer, and an unparseable reply counts as saying nothing:
all values equally likely. With `--settle`, choices of looks are graded by their expected gain.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from statistics import fmean

from tolman.ask import Question
from tolman.ask.abstention import grade_decision, points_for
from tolman.ask.odds import OddsSlot, slots_of, true_values
from tolman.ask.odds_parsing import StatedOdds, read_odds
from tolman.ask.settling import read_letter
from tolman.benchmarks.theory_of_space.case import question_calls
from tolman.benchmarks.theory_of_space.columns import KINDS, Columns, kind_title
from tolman.benchmarks.theory_of_space.explored_turns import explored_turns
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.uncertainty.offered_looks import final_observer, offered_looks
from tolman.core.grouping import grouped
from tolman.core.reading import ParseFailure
from tolman.ideal.observer import ObserverName
from tolman.ideal.question_content import BestAnswer, Decidability, decidability, question_content
from tolman.report.table import Better, Column, Style, number, read_columns


@dataclass(frozen=True)
class Judgement:
    """What an ideal observer makes of one question, given what the model was told before it."""

    label: Decidability
    expected: float
    """Expected strict score of the best answer."""
    sure: float
    """Probability that it is right in full."""
    error: float
    """Standard error of the expected score; 0 where it is exact."""
    odds: Mapping[str, Mapping[str, float]]
    """Probabilities of what each part of the answer can be; none for a plan."""


@dataclass(frozen=True)
class JudgedScene:
    """The questions of a scene by id, and the observer that judged them."""

    questions: Mapping[str, Judgement]
    observer: ObserverName
    """`relations` where `generative` is not applicable."""


def judge_scene(logged: ScoredCase) -> JudgedScene:
    """Label the questions of a recorded scene. Kinds without a computable best answer are left out."""
    case = logged.case
    episode = rebuild(case, logged.options, logged.record.replies, logged.record.log)
    turns = explored_turns(episode)
    observer = final_observer(case, episode)
    seen = turns[-1].seen if turns else ()
    best = {question.id: observer.best_answer(question_content(question)) for question in case.questions}
    judged = {question.id: judged_question(question, best[question.id], seen) for question in case.questions}
    return JudgedScene({name: found for name, found in judged.items() if found is not None}, observer.name)


def judged_question(question: Question, best: BestAnswer | None, seen: Collection[str]) -> Judgement | None:
    """The judgement of one question, given the best answer and the names that were ever in view."""
    if best is None:
        return None
    odds = best.cases.odds() if best.cases else {}
    label = decidability(question_content(question), best, seen)
    return Judgement(label, best.expected, best.sure, best.error, odds)


_COLUMNS = read_columns("tolman.benchmarks.theory_of_space")
ABSTENTION_COLUMNS, ODDS_COLUMNS, SETTLE_COLUMNS = (_COLUMNS[condition] for condition in ("abstain", "odds", "settle"))


def _kind_column(key: str, kind: str, meaning: str, style: Style, better: Better) -> Column:
    title = kind_title(kind)
    definition = f"{meaning} questions of kind {title}."
    return Column(
        f"{key}/{kind}", title, short=title.replace(" ", "\n"), style=style, better=better, definition=definition
    )


KIND_COLUMNS = tuple(
    _kind_column("abstain/points", kind, "Mean points earned on", number(2), "higher") for kind in KINDS
)
ODDS_KIND_COLUMNS = tuple(_kind_column("odds/brier", kind, "Brier score of", number(3), "lower") for kind in KINDS)


def _gathered(values: Iterable[tuple[str, float]]) -> Columns:
    """The values of each column."""
    return {name: tuple(value for _, value in found) for name, found in grouped(values, itemgetter(0)).items()}


def settle_columns(logged: ScoredCase) -> Columns:
    """All columns of one scene."""
    return _gathered(_settling_values(logged))


def _settling_values(logged: ScoredCase) -> Iterator[tuple[str, float]]:
    case, replies = logged.case, logged.record.replies
    offered = offered_looks(case, rebuild(case, logged.options, replies, logged.record.log))
    yield "settle/asked", float(len(offered))
    for call, question in question_calls("none", case.questions):
        looks = offered.get(question.id)
        if looks is None or call not in replies:
            continue
        chosen = read_letter(replies[call], len(looks.looks))
        gain = 0.0 if isinstance(chosen, ParseFailure) else looks.gains[chosen]
        yield "settle/fraction", gain / looks.best
        yield "settle/chance", looks.chance
        yield "settle/best", float(gain == looks.best)
        yield "settle/gain", gain
        yield "settle/gain/best", looks.best
        yield "settle/unparseable", float(isinstance(chosen, ParseFailure))


def abstention_columns(logged: ScoredCase, judged: JudgedScene) -> Columns:
    """All columns of one scene."""
    return _gathered(_abstention_values(logged, judged))


def _abstention_values(logged: ScoredCase, judged: JudgedScene) -> Iterator[tuple[str, float]]:
    replies, threshold = logged.record.replies, logged.options.threshold
    for call, question in question_calls("none", logged.case.questions):
        judgement = judged.questions.get(question.id)
        if judgement is None or call not in replies:
            continue
        said = grade_decision(question, replies[call])
        abstained, decided = said.decision == "abstained", judgement.label == "decided"
        for label in ("decided", "open", "unseen"):
            yield f"abstain/is/{label}", float(judgement.label == label)
        if decided:
            yield "abstain/decided", said.score
        else:
            yield f"abstain/false/{judgement.label}", float(said.decision == "answered")
            yield "abstain/recall", float(abstained)
        if abstained:
            yield "abstain/precision", float(not decided)
        yield "abstain/share", float(abstained)
        yield "abstain/unparseable", float(said.decision == "unparseable")
        yield "abstain/points", said.points(threshold)
        yield f"abstain/points/{question.kind}", said.points(threshold)
        yield "abstain/best", max(0.0, points_for(judgement.expected, threshold))


FLOOR = 0.001
"""Least probability in a logarithm, so that no single reply costs more than 10 bits."""
Chances = Mapping[str, float]


def chance_of(slot: OddsSlot, stated: Chances, value: str) -> float:
    """The probability of a value. What an order's list leaves to 1 lies evenly on the other orders; that of a list of
    points lies thinly on all others, so none of them has any."""
    if value in stated:
        return stated[value]
    rest = max(0.0, 1.0 - sum(stated.values()))
    size = slot.size
    return 0.0 if slot.form == "choice" or size is None else rest / max(size - len(stated), 1)


def brier(slot: OddsSlot, stated: Chances, true: str) -> float:
    """The sum of squared differences to the truth: 0 for certainty that is right, 2 for certainty that is wrong."""
    return 1.0 - 2 * chance_of(slot, stated, true) + _squares(slot, stated)


def _squares(slot: OddsSlot, stated: Chances) -> float:
    rest, size = max(0.0, 1.0 - sum(stated.values())), slot.size
    left = 0 if slot.form == "choice" or size is None else max(size - len(stated), 0)
    return sum(chance**2 for chance in stated.values()) + (rest**2 / left if left else 0.0)


def log_score(slot: OddsSlot, stated: Chances, true: str) -> float:
    """Bits of surprise at the truth."""
    return -math.log2(max(chance_of(slot, stated, true), FLOOR))


def divergence(slot: OddsSlot, stated: Chances, ideal: Chances) -> float:
    """Kullback and Leibler's divergence of stated probabilities from the ideal observer's, in bits."""
    lost = sum(
        q * (math.log2(max(q, FLOOR)) - math.log2(max(chance_of(slot, stated, value), FLOOR)))
        for value, q in ideal.items()
    )
    return max(0.0, lost)


def uninformed(slot: OddsSlot) -> dict[str, float]:
    """All values equally likely; of points, none is listed."""
    return {value: 1 / len(slot.values()) for value in slot.values()}


@dataclass(frozen=True)
class StatedChance:
    """One probability that a reply states, the ideal observer's for the same, and whether it was true."""

    stated: float
    ideal: float
    true: bool


def odds_columns(logged: ScoredCase, judged: JudgedScene) -> tuple[Columns, tuple[StatedChance, ...]]:
    """All columns of one scene, and every probability that was stated."""
    found: list[tuple[str, float]] = []
    stated: list[StatedChance] = []
    replies = logged.record.replies
    for call, question in question_calls("none", logged.case.questions):
        judgement, slots = judged.questions.get(question.id), slots_of(question)
        if judgement is None or not judgement.odds or not slots or call not in replies:
            continue
        said = read_odds(replies[call], slots)
        found += _odds_values(question, slots, said, judgement.odds)
        if isinstance(said, StatedOdds):
            stated += _chances(question, slots, said, judgement.odds)
    return _gathered(found), tuple(stated)


def _odds_values(
    question: Question, slots: Sequence[OddsSlot], said: StatedOdds | ParseFailure, ideal: Mapping[str, Chances]
) -> Iterator[tuple[str, float]]:
    truth = true_values(question)
    odds: dict[str, Chances] = {slot.name: uninformed(slot) for slot in slots}
    if isinstance(said, StatedOdds):
        odds = {slot.name: said.odds.get(slot.name, {}) for slot in slots}
    loss = fmean(brier(slot, odds[slot.name], truth[slot.name]) for slot in slots)
    yield "odds/brier", loss
    yield f"odds/brier/{question.kind}", loss
    yield "odds/log", fmean(log_score(slot, odds[slot.name], truth[slot.name]) for slot in slots)
    yield "odds/best/brier", fmean(brier(slot, ideal[slot.name], truth[slot.name]) for slot in slots)
    yield "odds/best/log", fmean(log_score(slot, ideal[slot.name], truth[slot.name]) for slot in slots)
    yield "odds/kl", fmean(divergence(slot, odds[slot.name], ideal[slot.name]) for slot in slots)
    yield "odds/unparseable", float(isinstance(said, ParseFailure))
    if isinstance(said, StatedOdds):
        yield "odds/renormalised", float(said.renormalised)
        for slot in slots:
            yield from _top(odds[slot.name], truth[slot.name])


def _top(odds: Chances, true: str) -> Iterator[tuple[str, float]]:
    """The most probable value: what was stated for it, and whether it was true."""
    if odds:
        best = max(odds, key=lambda value: odds[value])
        chance, right = odds[best], float(best == true)
        yield from (("odds/top/stated", chance), ("odds/top/right", right), ("odds/top/excess", chance - right))


def _chances(
    question: Question, slots: Sequence[OddsSlot], said: StatedOdds, ideal: Mapping[str, Chances]
) -> Iterator[StatedChance]:
    """The probabilities of all choices of closed lists, and of the values listed of open ones."""
    truth = true_values(question)
    for slot in slots:
        odds = said.odds.get(slot.name, {})
        for value in slot.choices if slot.form == "choice" else odds:
            yield StatedChance(odds.get(value, 0.0), ideal[slot.name].get(value, 0.0), value == truth[slot.name])
