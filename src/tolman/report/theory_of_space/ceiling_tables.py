"""Tables of what could have been known: where points were lost, beliefs and evidence, active against passive."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.theory_of_space.insight import SceneInsight
from tolman.report.intervals import mean_interval, pooled_interval
from tolman.report.table import Cell, Entry, Row, Table, heading, number, percent, points
from tolman.report.theory_of_space.attribution import ALL, Gap, attribution, gaps
from tolman.report.theory_of_space.insights import Insights
from tolman.report.theory_of_space.layout import Shown, run_table

_LOST = (
    *(heading(title, "Answers, %") for title in ("score", "ceiling")),
    *(heading(title, "lost to") for title in ("explo-\nration", "reason-\ning", "form")),
    heading("ceiling", "Last map, %"),
)
_LOST_NOTES = (
    "ceiling: expected score of the best reply, given what that agent had been told",
    "exploration: never observed; reasoning: observed, and not used; form: not readable",
)
_STATED = (
    *(heading(title, "Positions, %") for title in ("right", "unlucky", "impos-\nsible")),
    heading("over-\nwritten", "a scene"),
)
_STATED_NOTES = (
    "unlucky: wrong, but not ruled out; impossible: contradicts what had been told",
    "overwritten: right in one map, wrong or gone in the next",
)
_GAP = (
    heading("gap"),
    *(heading(title, "due to") for title in ("explo-\nration", "reason-\ning", "form")),
    heading("scenes"),
)


def ceiling_tables(shown: Sequence[Shown], insights: Insights) -> Iterator[Table]:
    """Strict scores against what could have been known; `insights` of the runs in the order shown."""
    known = {id(one): insights[place] for place, one in enumerate(shown)}

    def lost(one: Shown) -> tuple[Row, ...]:
        return (Row(_lost(one, known[id(one)])),)

    def stated(one: Shown) -> tuple[Row, ...]:
        return (Row(_stated(known[id(one)])),)

    yield from run_table("lost", "Never looked, or not understood? (strict)", _LOST, shown, lost, _LOST_NOTES)
    yield from run_table("evidence", "Stated maps against the evidence", _STATED, shown, stated, _STATED_NOTES)
    found = gaps([one.figures.run for one in shown], [insights[place] for place in range(len(shown))])
    if found:
        title = "Reading another's log (passive) less exploring oneself (active), percentage points"
        entries = sorted(map(_gap, found), key=lambda entry: entry.section)
        yield Table("gap", title, "run", _GAP, tuple(entries))


def _lost(one: Shown, insights: Sequence[SceneInsight]) -> tuple[Cell, ...]:
    found = attribution(one.figures.run, insights)
    finals = [insight.final_ceiling for insight in insights if insight.final_ceiling is not None]
    last = percent(mean_interval(finals)) if finals else Cell()
    if found is None:
        return *(Cell(),) * 5, last
    all_of = found.shares[ALL]
    shares = (all_of.score, all_of.ceiling, all_of.exploration, all_of.reasoning, all_of.form)
    return *map(percent, shares), last


def _stated(insights: Sequence[SceneInsight]) -> tuple[Cell, ...]:
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


def _gap(gap: Gap) -> Entry:
    cells = map(points, (gap.total, gap.exploration, gap.reasoning, gap.form))
    return Entry(
        gap.active.name,
        (Row((*cells, Cell(str(gap.scenes)))),),
        section=f"{gap.active.world.capitalize()} world",
    )
