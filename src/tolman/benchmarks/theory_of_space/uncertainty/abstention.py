"""`--abstain`: what a model did with questions that it could leave open, as columns of a scene.

A question counts in `decided`, `open` or `unseen` by its label from the posterior, never by the model's reply.
"""

from collections.abc import Iterator

from tolman.ask.abstention import grade_decision, points_for
from tolman.benchmarks.theory_of_space.case import question_calls
from tolman.benchmarks.theory_of_space.columns import KINDS, Columns, kind_title
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.uncertainty.judgement import JudgedScene
from tolman.report.table import Column, number

_POINTS = number(2)
_QUESTIONS, _FALSE, _ABSTAINED, _SCORE = "Questions, %", "Answered though, %", "Cannot tell, %", "Points"
ABSTENTION_COLUMNS = (
    Column("abstain/is/decided", "decided", _QUESTIONS, "de-\ncided", definition="One answer has 99 % or more."),
    Column("abstain/is/open", "open", _QUESTIONS, definition="Not decided, and all it is about has been in view."),
    Column(
        "abstain/is/unseen",
        "unseen",
        _QUESTIONS,
        definition="Not decided, and something that it is about was never in view.",
    ),
    Column(
        "abstain/decided",
        "accuracy on decided ones, %",
        short="accuracy\non de-\ncided, %",
        better="higher",
        definition="Mean strict score on decided questions; `cannot tell` and unparseable replies count as 0.",
    ),
    Column(
        "abstain/false/open",
        "open",
        _FALSE,
        better="lower",
        definition="False confidence: share of open questions that were answered, right or wrong.",
    ),
    Column(
        "abstain/false/unseen",
        "unseen",
        _FALSE,
        better="lower",
        definition="False confidence: share of unseen questions that were answered, right or wrong.",
    ),
    Column("abstain/share", "share", _ABSTAINED, definition="Share of all questions that were left open."),
    Column(
        "abstain/precision",
        "precision",
        _ABSTAINED,
        "preci-\nsion",
        better="higher",
        definition="Share of the questions left open that are not decided.",
    ),
    Column(
        "abstain/recall",
        "recall",
        _ABSTAINED,
        better="higher",
        definition="Share of the questions that are not decided that were left open.",
    ),
    Column(
        "abstain/points",
        "earned",
        _SCORE,
        style=_POINTS,
        better="higher",
        definition="Mean of (score - t) / (1 - t) for an answer and 0 for `cannot tell`, t being the threshold told; "
        "an unparseable reply counts as a wrong answer.",
    ),
    Column(
        "abstain/best",
        "best possible",
        _SCORE,
        "best",
        style=_POINTS,
        definition="What an ideal observer expects to earn with the same evidence: it answers where that pays.",
    ),
    Column(
        "abstain/unparseable",
        "unparseable, %",
        short="unpar-\nseable,\n%",
        better="lower",
        definition="Replies that neither answer nor leave the question open.",
    ),
)
KIND_COLUMNS = tuple(
    Column(
        f"abstain/points/{kind}",
        kind_title(kind),
        short=kind_title(kind).replace(" ", "\n"),
        style=_POINTS,
        better="higher",
        definition=f"Mean points earned on questions of kind {kind_title(kind)}.",
    )
    for kind in KINDS
)


def abstention_columns(logged: ScoredCase, judged: JudgedScene) -> Columns:
    """All columns of one scene."""
    found: dict[str, list[float]] = {}
    for name, value in _values(logged, judged):
        found.setdefault(name, []).append(value)
    return {name: tuple(values) for name, values in found.items()}


def _values(logged: ScoredCase, judged: JudgedScene) -> Iterator[tuple[str, float]]:
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
