"""Questions as plain values: truth, reply, what was read from it, and where the points were lost."""

from collections.abc import Iterator, Mapping
from typing import Literal, cast

from tolman.ask import Question, grade
from tolman.benchmarks.theory_of_space.calls import question_calls
from tolman.benchmarks.theory_of_space.insight import QuestionInsight
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.benchmarks.theory_of_space.telling import tell_question
from tolman.explore.actions import Goto, Rotate
from tolman.report.theory_of_space.plain import Plain
from tolman.report.theory_of_space.replay.frames import Reel
from tolman.rules import STRICT, RuleSetName
from tolman.seeds import canonical_json

Verdict = Literal["right", "partly", "reasoning", "exploration", "unread"]
_ALL = 0.999


def asked(reel: Reel, scores: Mapping[RuleSetName, SceneScores]) -> Iterator[Plain]:
    """Every question that was answered, in the order of the case, once for each way in which it was asked."""
    insights = {insight.call: insight for insight in reel.insight.questions}
    replies, options, case = reel.replies, reel.logged.options, reel.logged.case
    calls = [(mode, *named) for mode in options.maps for named in question_calls(mode, case.questions)]
    answered = [of_one for of_one in calls if of_one[1] in replies]
    graded = zip(answered, scores["strict"].answers, scores["published"].answers, strict=True)
    for (mode, call, question), strict, published in graded:
        yield {
            "call": call,
            "kind": question.kind,
            "mode": mode,
            "text": question.text,
            "pictures": reel.album.of(tell_question(question)),
            "truth": truth_words(question),
            "reply": reel.said(call),
            "read": grade(question, replies[call], STRICT).read,
            **({"why": reel.reasons[call]} if call in reel.reasons else {}),
            "strict": round(strict.score, 3),
            "published": round(published.score, 3),
            **(_known(insights[call]) if call in insights else {}),
        }


def verdict(insight: QuestionInsight) -> Verdict:
    """A whole point, part of one, or what most of it was lost to."""
    if insight.unread:
        return "unread"
    if insight.score >= _ALL:
        return "right"
    if insight.score > 0:
        return "partly"
    return "reasoning" if insight.reasoning >= insight.exploration else "exploration"


def truth_words(question: Question) -> str:
    """The right answer, or one of several, as a model would have to write it."""
    truth = question.truth
    if "direction" in truth:
        return f"{truth['direction']}, {truth['distance']}"
    if "points" in truth:
        return "; ".join(_point(point) for point in cast("list[list[float]]", truth["points"]))
    if "order" in truth:
        return ", ".join(map(str, cast("list[str]", truth["order"])))
    if "name" in truth:
        return str(truth["name"])
    if "plan" in truth:
        steps = cast("list[str | int]", truth["plan"])
        return ", ".join(str(Rotate(step) if isinstance(step, int) else Goto(str(step))) for step in steps)
    if "cell" in truth:
        return _point(cast("list[float]", truth["cell"]))
    return canonical_json(truth)


def _point(point: list[float]) -> str:
    return f"({point[0]:g}, {point[1]:g})"


def _known(insight: QuestionInsight) -> Plain:
    return {
        "verdict": verdict(insight),
        "ceiling": round(insight.ceiling, 3),
        "best": insight.best,
        "reasoning": round(insight.reasoning, 3),
        "exploration": round(insight.exploration, 3),
        "form": round(insight.form, 3),
    }
