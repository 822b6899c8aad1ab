"""How far a judge agrees with the rules: the share of answers graded alike, and Cohen's kappa."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tolman.benchmarks.osr_bench.osr_record import LoggedCase, question_call
from tolman.benchmarks.osr_bench.osr_rules import OsrRules
from tolman.benchmarks.osr_bench.osr_scores import score_case


@dataclass(frozen=True)
class Agreement:
    """Two graders of the same answers."""

    answers: int
    """That both graded."""
    unread: int = 0
    """Answers of which the judge's verdict could not be read."""
    share: float | None = None
    """Graded alike; None where there are no answers."""
    kappa: float | None = None
    """1 is complete agreement and 0 what chance gives; None where both gave all answers one and the same grade."""


def agreement(pairs: Sequence[tuple[bool, bool]], unread: int = 0) -> Agreement:
    """The agreement of two graders, from what each said of every answer."""
    total = len(pairs)
    if not total:
        return Agreement(0, unread)
    alike = sum(one == other for one, other in pairs) / total
    one, other = (sum(pair[i] for pair in pairs) / total for i in range(2))
    chance = one * other + (1 - one) * (1 - other)
    return Agreement(total, unread, alike, (alike - chance) / (1 - chance) if chance < 1 else None)


def judge_agreement(cases: Iterable[LoggedCase], rules: OsrRules) -> Agreement:
    """The agreement of a judge with the rules over all answers that it was asked about. To be right is to score 1."""
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
