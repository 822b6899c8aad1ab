"""Where points were lost: never observed, observed and not used, or not in a form that can be read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean

from tolman.ask import kind_names
from tolman.benchmarks.theory_of_space.insight import QuestionInsight, SceneInsight
from tolman.report.intervals import Interval, mean_interval, pooled_interval
from tolman.report.theory_of_space.logs import Run
from tolman.report.theory_of_space.pairs import contents

ALL = "all"
"""Stands for the nine kinds of question together."""


@dataclass(frozen=True)
class Shares:
    """Mean shares of one point with intervals over scenes: they add up to 1, and score + reasoning + form = ceiling."""

    score: Interval
    reasoning: Interval
    form: Interval
    exploration: Interval
    ceiling: Interval


@dataclass(frozen=True)
class Attribution:
    """One run's answers without a map in hand (`none`), by kind of question; under `ALL`, all of them."""

    run: Run
    shares: Mapping[str, Shares]


@dataclass(frozen=True)
class Gap:
    """How much better a model answers from another explorer's log than from its own: passive less active.

    Over scenes common to both. The three parts add up to `total`: what the other explorer saw and this model did not,
    what it made more of, and what it put in a form that can be read.
    """

    active: Run
    passive: Run
    total: Interval
    exploration: Interval
    reasoning: Interval
    form: Interval
    scenes: int


Part = Callable[[QuestionInsight], float]
_UNAIDED = "none"


def attribution(run: Run, insights: Sequence[SceneInsight]) -> Attribution | None:
    """Where a run lost its points; `insights` are of its cases, in order. None where no question was asked."""
    scenes = [_unaided(insight) for insight in insights]
    kinds = [kind for kind in kind_names() if any(answer.kind == kind for scene in scenes for answer in scene)]
    shares = {kind: _shares([[a for a in scene if a.kind == kind] for scene in scenes]) for kind in kinds}
    return Attribution(run, {ALL: _shares(scenes), **shares}) if kinds else None


def _unaided(insight: SceneInsight) -> list[QuestionInsight]:
    return [answer for answer in insight.questions if answer.mode == _UNAIDED]


def _shares(scenes: Sequence[Sequence[QuestionInsight]]) -> Shares:
    def pooled(part: Part) -> Interval:
        return pooled_interval([list(map(part, scene)) for scene in scenes])

    return Shares(
        score=pooled(attrgetter("score")),
        reasoning=pooled(attrgetter("reasoning")),
        form=pooled(attrgetter("form")),
        exploration=pooled(attrgetter("exploration")),
        ceiling=pooled(attrgetter("ceiling")),
    )


def gaps(runs: Sequence[Run], insights: Sequence[Sequence[SceneInsight]]) -> list[Gap]:
    """The gap of every model that both explored by itself and read another's log, in one world."""
    known = list(zip(runs, insights, strict=True))
    pairs = [
        (one, other)
        for one in known
        for other in known
        if (one[0].mode, other[0].mode) == ("active", "passive")
        and (one[0].model, one[0].world) == (other[0].model, other[0].world)
    ]
    return [gap for one, other in pairs if (gap := _gap(*one, *other)) is not None]


def _gap(active: Run, seen: Sequence[SceneInsight], passive: Run, read: Sequence[SceneInsight]) -> Gap | None:
    first, second = _by_scene(active, seen), _by_scene(passive, read)
    both = [(answers, second[scene]) for scene, answers in first.items() if answers and second.get(scene)]
    if not both:
        return None

    def lost(part: Part) -> Interval:
        """When active, less what is lost when passive."""
        return mean_interval([fmean(map(part, one)) - fmean(map(part, other)) for one, other in both])

    return Gap(
        active=active,
        passive=passive,
        total=lost(lambda answer: 1 - answer.score),
        exploration=lost(attrgetter("exploration")),
        reasoning=lost(attrgetter("reasoning")),
        form=lost(attrgetter("form")),
        scenes=len(both),
    )


def _by_scene(run: Run, insights: Sequence[SceneInsight]) -> dict[frozenset[str], list[QuestionInsight]]:
    """Answers by what a scene is and what is asked there; of a scene that was run more than once, all."""
    content = contents(run)
    found: dict[frozenset[str], list[QuestionInsight]] = {}
    for case, insight in zip(run.cases, insights, strict=True):
        found.setdefault(content[case.id], []).extend(_unaided(insight))
    return found
