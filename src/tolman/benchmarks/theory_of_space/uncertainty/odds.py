"""`--odds`: stated probabilities against the truth and against the ideal observer's, as columns of a scene.

Scores are means over the parts of an answer. An unparseable reply counts as saying nothing: all values equally likely.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from tolman.ask import Question
from tolman.ask.odds import OddsSlot, slots_of, true_values
from tolman.ask.odds_parsing import StatedOdds, read_odds
from tolman.benchmarks.theory_of_space.case import question_calls
from tolman.benchmarks.theory_of_space.columns import KINDS, Columns, kind_title
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.uncertainty.judgement import JudgedScene
from tolman.core.reading import ParseFailure
from tolman.report.table import Column, number, points

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


_LOSS, _BEST, _TOP = "Against the truth", "Ideal, same evidence", "Most probable value, %"
ODDS_COLUMNS = (
    Column(
        "odds/brier",
        "Brier",
        _LOSS,
        style=number(3),
        better="lower",
        definition="Mean sum of squared differences to the truth: 0 for right and certain, 2 for wrong and certain.",
    ),
    Column(
        "odds/log",
        "log score, bits",
        _LOSS,
        "log,\nbits",
        style=number(2),
        better="lower",
        definition="Mean of −log2 of the probability stated for the truth, at least 0.001.",
    ),
    Column(
        "odds/best/brier",
        "Brier",
        _BEST,
        style=number(3),
        definition="Brier score of the ideal observer's probabilities, given the same evidence.",
    ),
    Column(
        "odds/best/log",
        "log score, bits",
        _BEST,
        "log,\nbits",
        style=number(2),
        definition="Log score of the ideal observer's probabilities, given the same evidence.",
    ),
    Column(
        "odds/kl",
        "divergence from ideal, bits",
        short="KL from\nideal,\nbits",
        style=number(2),
        better="lower",
        definition="Mean divergence (Kullback and Leibler) of the stated probabilities from the ideal observer's.",
    ),
    Column("odds/top/stated", "stated", _TOP, definition="Mean probability stated for the most probable value."),
    Column(
        "odds/top/right",
        "right",
        _TOP,
        better="higher",
        definition="How often the most probable value was true.",
    ),
    Column(
        "odds/top/excess",
        "overconfidence, points",
        short="over-\nconfi-\ndence",
        style=points,
        definition="Probability stated for the most probable value, less how often it was true; below 0: too cautious.",
    ),
    Column(
        "odds/renormalised",
        "renormalised, %",
        short="renor-\nmalised,\n%",
        better="lower",
        definition="Replies with a list that did not add up to 1 (by more than 0.02) and was divided by its sum.",
    ),
    Column(
        "odds/unparseable",
        "unparseable, %",
        short="unpar-\nseable,\n%",
        better="lower",
        definition="Replies without a probability for each part of the answer; all values then count alike.",
    ),
)
ODDS_KIND_COLUMNS = tuple(
    Column(
        f"odds/brier/{kind}",
        kind_title(kind),
        short=kind_title(kind).replace(" ", "\n"),
        style=number(3),
        better="lower",
        definition=f"Brier score of questions of kind {kind_title(kind)}.",
    )
    for kind in KINDS
)


def odds_columns(logged: ScoredCase, judged: JudgedScene) -> tuple[Columns, tuple[StatedChance, ...]]:
    """All columns of one scene, and every probability that was stated."""
    found: dict[str, list[float]] = {}
    stated: list[StatedChance] = []
    replies = logged.record.replies
    for call, question in question_calls("none", logged.case.questions):
        judgement, slots = judged.questions.get(question.id), slots_of(question)
        if judgement is None or not judgement.odds or not slots or call not in replies:
            continue
        said = read_odds(replies[call], slots)
        for name, value in _values(question, slots, said, judgement.odds):
            found.setdefault(name, []).append(value)
        if isinstance(said, StatedOdds):
            stated += _chances(question, slots, said, judgement.odds)
    return {name: tuple(values) for name, values in found.items()}, tuple(stated)


def _values(
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
