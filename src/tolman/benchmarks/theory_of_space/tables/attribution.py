"""Attribution of lost points to exploration, reasoning and format by the ideal observer, and its tables."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from statistics import fmean

from tolman.ask import kind_names
from tolman.benchmarks.theory_of_space.ideal_observer import QuestionInsight, SceneInsight, scene_insight
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.comparison_tables import scene_contents
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, run_table
from tolman.core.parallel import parallel_map
from tolman.harness.runs import Track
from tolman.report.statistics import Interval, mean_interval, pooled_interval
from tolman.report.table import Cell, Row, RowGroup, Table, heading, number, percent, points

Insights = Mapping[int, Sequence[SceneInsight]]
"""By place of the run, from 0: what could be known in each of its scenes, in order."""


def insights_of(runs: Sequence[TheoryOfSpaceRun], track: Track) -> Insights:
    """What could be known in every scene."""
    work = [(place, scene) for place, run in enumerate(runs) for scene in run.cases]
    done = parallel_map(_insight_of, [scene for _, scene in work])
    found: dict[int, list[SceneInsight]] = {place: [] for place in range(len(runs))}
    for place, _ in track(work, "ceilings"):
        found[place].append(next(done))
    return found


def _insight_of(scene: ScoredScene) -> SceneInsight:
    return scene_insight(scene.logged, scene.scores["strict"])


ALL_QUESTIONS = "all"
"""Stands for the nine kinds of question together."""


@dataclass(frozen=True)
class PointShares:
    """Mean shares of one point with intervals over scenes: they add up to 1, and score + reasoning + form = ceiling."""

    score: Interval
    reasoning: Interval
    form: Interval
    exploration: Interval
    ceiling: Interval


@dataclass(frozen=True)
class Attribution:
    """One run's answers without a map in hand (`none`), by kind of question; under `ALL_QUESTIONS`, all of them."""

    run: TheoryOfSpaceRun
    shares: Mapping[str, PointShares]


@dataclass(frozen=True)
class ActivePassiveGap:
    """How much better a model answers from another explorer's log than from its own: passive less active.

    Over scenes common to both. The three parts add up to `total`: what the other explorer saw and this model did not,
    what it made more of, and what it put in a form that can be read.
    """

    active: TheoryOfSpaceRun
    passive: TheoryOfSpaceRun
    total: Interval
    exploration: Interval
    reasoning: Interval
    form: Interval
    scenes: int


LossPart = Callable[[QuestionInsight], float]
_WITHOUT_MAP = "none"


def attribution(run: TheoryOfSpaceRun, insights: Sequence[SceneInsight]) -> Attribution | None:
    """Where a run lost its points; `insights` are of its cases, in order. None where no question was asked."""
    scenes = [_answers_without_map(insight) for insight in insights]
    kinds = [kind for kind in kind_names() if any(answer.kind == kind for scene in scenes for answer in scene)]
    shares = {kind: _point_shares([[a for a in scene if a.kind == kind] for scene in scenes]) for kind in kinds}
    return Attribution(run, {ALL_QUESTIONS: _point_shares(scenes), **shares}) if kinds else None


def _answers_without_map(insight: SceneInsight) -> list[QuestionInsight]:
    return [answer for answer in insight.questions if answer.mode == _WITHOUT_MAP]


def _point_shares(scenes: Sequence[Sequence[QuestionInsight]]) -> PointShares:
    def pooled(part: LossPart) -> Interval:
        return pooled_interval([list(map(part, scene)) for scene in scenes])

    return PointShares(
        score=pooled(attrgetter("score")),
        reasoning=pooled(attrgetter("reasoning")),
        form=pooled(attrgetter("form")),
        exploration=pooled(attrgetter("exploration")),
        ceiling=pooled(attrgetter("ceiling")),
    )


def active_passive_gaps(
    runs: Sequence[TheoryOfSpaceRun], insights: Sequence[Sequence[SceneInsight]]
) -> list[ActivePassiveGap]:
    """The gap of every model that both explored by itself and read another's log, in one world."""
    known = list(zip(runs, insights, strict=True))
    pairs = [
        (one, other)
        for one in known
        for other in known
        if (one[0].mode, other[0].mode) == ("active", "passive")
        and (one[0].model, one[0].world) == (other[0].model, other[0].world)
    ]
    return [gap for one, other in pairs if (gap := _gap_between(*one, *other)) is not None]


def _gap_between(
    active: TheoryOfSpaceRun, seen: Sequence[SceneInsight], passive: TheoryOfSpaceRun, read: Sequence[SceneInsight]
) -> ActivePassiveGap | None:
    first, second = _answers_by_scene(active, seen), _answers_by_scene(passive, read)
    both = [(answers, second[scene]) for scene, answers in first.items() if answers and second.get(scene)]
    if not both:
        return None

    def lost(part: LossPart) -> Interval:
        """When active, less what is lost when passive."""
        return mean_interval([fmean(map(part, one)) - fmean(map(part, other)) for one, other in both])

    return ActivePassiveGap(
        active=active,
        passive=passive,
        total=lost(lambda answer: 1 - answer.score),
        exploration=lost(attrgetter("exploration")),
        reasoning=lost(attrgetter("reasoning")),
        form=lost(attrgetter("form")),
        scenes=len(both),
    )


def _answers_by_scene(
    run: TheoryOfSpaceRun, insights: Sequence[SceneInsight]
) -> dict[frozenset[str], list[QuestionInsight]]:
    """Answers by what a scene is and what is asked there; of a scene that was run more than once, all."""
    content = scene_contents(run)
    found: dict[frozenset[str], list[QuestionInsight]] = {}
    for case, insight in zip(run.cases, insights, strict=True):
        found.setdefault(content[case.id], []).extend(_answers_without_map(insight))
    return found


_LOST_COLUMNS = (
    *(heading(title, "Answers, %") for title in ("score", "ceiling")),
    *(heading(title, "lost to") for title in ("explo-\nration", "reason-\ning", "form")),
    heading("ceiling", "Last map, %"),
)
_LOST_NOTES = (
    "ceiling: expected score of the best reply, given what that agent had been told",
    "exploration: never observed; reasoning: observed, and not used; form: not readable",
)
_STATED_COLUMNS = (
    *(heading(title, "Positions, %") for title in ("right", "unlucky", "impos-\nsible")),
    heading("over-\nwritten", "a scene"),
)
_STATED_NOTES = (
    "unlucky: wrong, but not ruled out; impossible: contradicts what had been told",
    "overwritten: right in one map, wrong or gone in the next",
)
_GAP_COLUMNS = (
    heading("gap"),
    *(heading(title, "due to") for title in ("explo-\nration", "reason-\ning", "form")),
    heading("scenes"),
)


def ceiling_tables(shown: Sequence[NamedRun], insights: Insights) -> Iterator[Table]:
    """Strict scores against what could have been known; `insights` of the runs in the order shown."""
    known = {id(one): insights[place] for place, one in enumerate(shown)}

    def lost(one: NamedRun) -> tuple[Row, ...]:
        return (Row(_lost_cells(one, known[id(one)])),)

    def stated(one: NamedRun) -> tuple[Row, ...]:
        return (Row(_stated_cells(known[id(one)])),)

    yield from run_table("lost", "Never looked, or not understood? (strict)", _LOST_COLUMNS, shown, lost, _LOST_NOTES)
    yield from run_table("evidence", "Stated maps against the evidence", _STATED_COLUMNS, shown, stated, _STATED_NOTES)
    found = active_passive_gaps([one.figures.run for one in shown], [insights[place] for place in range(len(shown))])
    if found:
        title = "Reading another's log (passive) less exploring oneself (active), percentage points"
        entries = sorted(map(_gap_entry, found), key=lambda entry: entry.section)
        yield Table("gap", title, "run", _GAP_COLUMNS, tuple(entries))


def _lost_cells(one: NamedRun, insights: Sequence[SceneInsight]) -> tuple[Cell, ...]:
    found = attribution(one.figures.run, insights)
    finals = [insight.final_ceiling for insight in insights if insight.final_ceiling is not None]
    last = percent(mean_interval(finals)) if finals else Cell()
    if found is None:
        return *(Cell(),) * 5, last
    all_of = found.shares[ALL_QUESTIONS]
    shares = (all_of.score, all_of.ceiling, all_of.exploration, all_of.reasoning, all_of.form)
    return *map(percent, shares), last


def _stated_cells(insights: Sequence[SceneInsight]) -> tuple[Cell, ...]:
    """Verdicts on stated positions, and right beliefs overwritten a scene."""
    stated = [[turn.stated for turn in insight.turns if turn.stated] for insight in insights]
    if not any(stated):
        return (Cell(),) * 4
    verdicts = [[position.verdict for known in scene for position in known.positions] for scene in stated]
    shares = (
        pooled_interval([[float(verdict == wanted) for verdict in scene] for scene in verdicts])
        for wanted in ("right", "unlucky", "impossible")
    )
    lost = [float(sum(len(known.overwritten) for known in scene)) for scene in stated]
    return *map(percent, shares), number(1)(mean_interval(lost))


def _gap_entry(gap: ActivePassiveGap) -> RowGroup:
    cells = map(points, (gap.total, gap.exploration, gap.reasoning, gap.form))
    return RowGroup(
        gap.active.name,
        (Row((*cells, Cell(str(gap.scenes)))),),
        section=f"{gap.active.world.capitalize()} world",
    )
