"""Attribution of lost points to exploration, reasoning and format by the ideal observer, and the regret of
explorations, with their tables.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from operator import attrgetter
from statistics import fmean

from tolman.ask import PAPER_KINDS
from tolman.benchmarks.theory_of_space.columns import CHEAPEST_COLUMN, COST_COLUMN, LEFT_COLUMN, REGRET_COLUMN
from tolman.benchmarks.theory_of_space.ideal_observer import QuestionInsight, SceneInsight, scene_insight
from tolman.benchmarks.theory_of_space.runs import ScoredScene, TheoryOfSpaceRun
from tolman.benchmarks.theory_of_space.tables.comparison_tables import scene_contents
from tolman.benchmarks.theory_of_space.tables.layout import NamedRun, explorers_of, run_table
from tolman.core.parallel import Track, tracked_groups
from tolman.explore.cheapest import Regret
from tolman.harness.names import counted
from tolman.ideal.observer import ObserverName
from tolman.report.statistics import Interval, joined_by_scene, mean_interval, pooled_interval
from tolman.report.table import Cell, Column, Row, RowGroup, Table, heading, number, one_row, percent, points

_VALUES: tuple[tuple[Column, Callable[[Regret], int]], ...] = (
    (COST_COLUMN, lambda found: found.cost),
    (CHEAPEST_COLUMN, lambda found: found.best.lower),
    (LEFT_COLUMN, lambda found: found.left.upper),
    (REGRET_COLUMN, lambda found: found.value),
)
_COLUMNS = tuple(replace(column, group="") for column, _ in _VALUES)
_NOTES = (
    "Action cost per scene. cheapest: of any exploration after which every position is certain, the scene being known",
    "left: cheapest way to go on until then. regret: cost + left − cheapest, what was wasted; ending early is in left",
)


def regret_tables(runs: Sequence[NamedRun], insights: Mapping[int, Sequence[SceneInsight]]) -> Iterator[Table]:
    """The regret of runs, and of scripted explorers whose logs were read; `insights` by identity of the summary."""

    def rows(named: NamedRun) -> tuple[Row, ...]:
        found = [[] if one.regret is None else [one.regret] for one in insights[id(named.summary)]]
        scenes = [scene for scene in joined_by_scene(named.summary.run.case_ids, found) if scene]
        if not scenes:
            return (Row((Cell(),) * len(_VALUES)),)
        means = (mean_interval([fmean(map(value, scene)) for scene in scenes]) for _, value in _VALUES)
        return (Row(tuple(column.style(mean) for column, mean in zip(_COLUMNS, means, strict=True))),)

    found = [one.regret for named in runs for one in insights[id(named.summary)] if one.regret is not None]
    open_ones = sum(not one.exact for one in found)
    unproven = (
        f"in {open_ones} of {counted(len(found), 'scene')} the bounds do not meet: regret is the largest that it can be"
    )
    notes = (*_NOTES, *[unproven] * (open_ones > 0))
    yield from run_table("regret", "How far from the cheapest exploration", _COLUMNS, explorers_of(runs), rows, notes)


Insights = Mapping[int, Sequence[SceneInsight]]
"""By index of the run: the ideal observer's results for its scenes, in order."""


def insights_of(runs: Sequence[TheoryOfSpaceRun], track: Track, observer: ObserverName | None = None) -> Insights:
    """An ideal observer's results for all scenes of the runs (`scene_insight`)."""
    found = tracked_groups(partial(_insight_of, observer), [run.cases for run in runs], track, "ceilings")
    return dict(enumerate(found))


def _insight_of(observer: ObserverName | None, scene: ScoredScene) -> SceneInsight:
    return scene_insight(scene.logged, scene.scores["strict"], observer)


ALL_QUESTIONS = "all"
"""Key for the nine kinds of question together."""


@dataclass(frozen=True)
class PointShares:
    """Mean shares of one point with intervals over scenes; score, reasoning and format errors add up to the ceiling."""

    score: Interval
    reasoning: Interval
    format_errors: Interval
    exploration: Interval
    ceiling: Interval


@dataclass(frozen=True)
class Attribution:
    """Attribution of a run's answers in map mode `none`, by kind of question, and for `ALL_QUESTIONS`."""

    run: TheoryOfSpaceRun
    shares: Mapping[str, PointShares]


@dataclass(frozen=True)
class ActivePassiveGap:
    """Difference in the scores of a model's answers, passive minus active, on shared scenes.

    `total` is the sum of three parts: more evidence in the log of the scripted explorer (`exploration`), better use of
    the evidence (`reasoning`), and fewer unparseable replies (`format_errors`).
    """

    active: TheoryOfSpaceRun
    passive: TheoryOfSpaceRun
    total: Interval
    exploration: Interval
    reasoning: Interval
    format_errors: Interval
    scenes: int


LossPart = Callable[[QuestionInsight], float]
_WITHOUT_MAP = "none"


def attribution(run: TheoryOfSpaceRun, insights: Sequence[SceneInsight]) -> Attribution | None:
    """Attribution of a run; `insights` are of its cases, in order. None if no question was asked."""
    scenes = joined_by_scene(run.case_ids, map(_answers_without_map, insights))
    kinds = [kind for kind in PAPER_KINDS if any(answer.kind == kind for scene in scenes for answer in scene)]
    shares = {kind: _point_shares([[a for a in scene if a.kind == kind] for scene in scenes]) for kind in kinds}
    return Attribution(run, {ALL_QUESTIONS: _point_shares(scenes), **shares}) if kinds else None


def _answers_without_map(insight: SceneInsight) -> list[QuestionInsight]:
    return [answer for answer in insight.questions if answer.mode == _WITHOUT_MAP]


def _point_shares(scenes: Sequence[Sequence[QuestionInsight]]) -> PointShares:
    def pooled(part: LossPart) -> Interval:
        return pooled_interval([list(map(part, scene)) for scene in scenes])

    return PointShares(**{part.name: pooled(attrgetter(part.name)) for part in fields(PointShares)})


def active_passive_gaps(
    runs: Sequence[TheoryOfSpaceRun], insights: Sequence[Sequence[SceneInsight]]
) -> list[ActivePassiveGap]:
    """The gap of every model with both an active and a passive run in one world."""
    studied = list(zip(runs, insights, strict=True))
    gaps = (
        _gap_between(active, active_insights, passive, passive_insights)
        for active, active_insights in studied
        for passive, passive_insights in studied
        if (active.mode, passive.mode) == ("active", "passive")
        and (active.model, active.world) == (passive.model, passive.world)
    )
    return [gap for gap in gaps if gap is not None]


def _gap_between(
    active: TheoryOfSpaceRun,
    active_insights: Sequence[SceneInsight],
    passive: TheoryOfSpaceRun,
    passive_insights: Sequence[SceneInsight],
) -> ActivePassiveGap | None:
    first, second = _answers_by_scene(active, active_insights), _answers_by_scene(passive, passive_insights)
    both = [(answers, second[scene]) for scene, answers in first.items() if answers and second.get(scene)]
    if not both:
        return None

    def lost(part: LossPart) -> Interval:
        """Mean loss when active minus mean loss when passive."""
        return mean_interval([fmean(map(part, first)) - fmean(map(part, second)) for first, second in both])

    return ActivePassiveGap(
        active=active,
        passive=passive,
        total=lost(lambda answer: 1 - answer.score),
        **{part: lost(attrgetter(part)) for part in ("exploration", "reasoning", "format_errors")},
        scenes=len(both),
    )


def _answers_by_scene(
    run: TheoryOfSpaceRun, insights: Sequence[SceneInsight]
) -> dict[frozenset[str], list[QuestionInsight]]:
    """Answers by content of the scene (`scene_contents`); repeated runs of a scene are pooled."""
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
    "ceiling: expected score of the best reply, given the evidence of that run",
    "exploration: never observed; reasoning: observed, and not used; form: unparseable",
)


def observer_note(insights: Iterable[SceneInsight]) -> str:
    """Which ideal observer the ceilings are of."""
    used = Counter(insight.observer for insight in insights)
    if set(used) <= {"relations"}:
        return "ideal observer: relations, which knows the relations told and nothing else"
    note = (
        "ideal observer: generative, which also knows what was not in view, walls, and, what no prompt tells, sizes of "
        "rooms and how things are placed (--observer relations knows the relations told alone)"
    )
    return (
        f"{note}; in {used['relations']} of {counted(used.total(), 'scene')} relations in its place"
        if used["relations"]
        else note
    )


def _map_bound_note(insights: Sequence[SceneInsight]) -> list[str]:
    """How far the ceiling of the last map may be from that of the best of all maps."""
    lost = [insight.final_lost for insight in insights if insight.final_lost is not None]
    if not lost or max(lost) < _NEGLIGIBLE:
        return []
    return [f"last map: on average no map is expected to score more than {100 * fmean(lost):.1f} points above this one"]


_NEGLIGIBLE = 0.0005
_STATED_COLUMNS = (
    *(heading(title, "Positions, %") for title in ("right", "unlucky", "impos-\nsible")),
    heading("over-\nwritten", "per scene"),
)
_STATED_NOTES = (
    "unlucky: wrong, but consistent with the evidence; impossible: contradicts it",
    "overwritten: right in one map, wrong or missing in the next",
)
_GAP_COLUMNS = (
    heading("gap"),
    *(heading(title, "due to") for title in ("explo-\nration", "reason-\ning", "form")),
    heading("scenes"),
)


def ceiling_tables(runs: Sequence[NamedRun], insights: Insights) -> Iterator[Table]:
    """Strict scores against the ideal observer; `insights` by index of the run."""
    by_run = {id(named): insights[place] for place, named in enumerate(runs)}

    def lost(named: NamedRun) -> tuple[Row, ...]:
        return (Row(_lost_cells(named, by_run[id(named)])),)

    every = [insight for found in insights.values() for insight in found]
    notes = (*_LOST_NOTES, observer_note(every), *_map_bound_note(every))

    def stated(named: NamedRun) -> tuple[Row, ...]:
        return (Row(_stated_cells(named.summary.run.case_ids, by_run[id(named)])),)

    yield from run_table("lost", "Never looked, or not understood? (strict)", _LOST_COLUMNS, runs, lost, notes)
    yield from run_table("evidence", "Stated maps against the evidence", _STATED_COLUMNS, runs, stated, _STATED_NOTES)
    found = active_passive_gaps([named.summary.run for named in runs], [insights[place] for place in range(len(runs))])
    if found:
        title = "Passive (reading a log) minus active (exploring), percentage points"
        entries = sorted(map(_gap_entry, found), key=lambda entry: entry.section)
        yield Table("gap", title, "run", _GAP_COLUMNS, tuple(entries))
    yield from regret_tables(runs, {id(named.summary): insights[place] for place, named in enumerate(runs)})


def _lost_cells(named: NamedRun, insights: Sequence[SceneInsight]) -> tuple[Cell, ...]:
    found = attribution(named.summary.run, insights)
    final = ([] if insight.final_ceiling is None else [insight.final_ceiling] for insight in insights)
    finals = [fmean(scene) for scene in joined_by_scene(named.summary.run.case_ids, final) if scene]
    last = percent(mean_interval(finals)) if finals else Cell()
    if found is None:
        return *(Cell(),) * 5, last
    all_of = found.shares[ALL_QUESTIONS]
    shares = (all_of.score, all_of.ceiling, all_of.exploration, all_of.reasoning, all_of.format_errors)
    return *map(percent, shares), last


def _stated_cells(scenes: Sequence[str], insights: Sequence[SceneInsight]) -> tuple[Cell, ...]:
    """Verdicts on stated positions, and right beliefs overwritten per scene."""
    stated = [[turn.stated for turn in insight.turns if turn.stated] for insight in insights]
    if not any(stated):
        return (Cell(),) * 4
    verdicts = [[position.verdict for stated_map in scene for position in stated_map.positions] for scene in stated]
    shares = (
        pooled_interval(joined_by_scene(scenes, ([float(each == wanted) for each in run] for run in verdicts)))
        for wanted in ("right", "unlucky", "impossible")
    )
    lost = [float(sum(len(stated_map.overwritten) for stated_map in scene)) for scene in stated]
    by_scene = [fmean(scene) for scene in joined_by_scene(scenes, ([one] for one in lost))]
    return *map(percent, shares), number(1)(mean_interval(by_scene))


def _gap_entry(gap: ActivePassiveGap) -> RowGroup:
    cells = map(points, (gap.total, gap.exploration, gap.reasoning, gap.format_errors))
    return one_row(gap.active.name, (*cells, Cell(str(gap.scenes))), section=f"{gap.active.world.capitalize()} world")
