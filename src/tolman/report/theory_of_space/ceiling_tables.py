"""Tables of what could have been known: where points were lost, beliefs and evidence, active against passive."""

from collections.abc import Iterator, Mapping, Sequence

from tolman.benchmarks.theory_of_space.insight import SceneInsight
from tolman.report.intervals import mean_interval, pooled_interval
from tolman.report.theory_of_space.attribution import ALL, attribution, gaps
from tolman.report.theory_of_space.cells import number, percent, points
from tolman.report.theory_of_space.layout import Shown, sheet
from tolman.report.theory_of_space.sheet import Cell, Entry, Head, Part, Row, Sheet

Insights = Mapping[int, Sequence[SceneInsight]]
"""By place of the run, from 0: what could be known in each of its scenes, in order."""

_LOST = (
    *(Head(title, "Answers, %") for title in ("score", "ceiling")),
    *(Head(title, "lost to") for title in ("explo-\nration", "reason-\ning", "form")),
    *(Head(title, "Last map, %") for title in ("ceiling",)),
    *(Head(title, "Stated positions, %") for title in ("right", "unlucky", "impos-\nsible")),
    Head("over-\nwritten", "a scene"),
)
_LOST_NOTES = (
    "ceiling: expected score of the best reply, given what that agent had been told",
    "lost to exploration: 1 − ceiling, never observed; to reasoning: observed, and not",
    "used; to form: the reply could not be read. Score and losses add up to 100",
    "unlucky: wrong but possible; impossible: contradicts what had been told",
    "overwritten: right in one map, wrong or gone in the next",
)
_GAP = (Head("gap"), *(Head(title, "due to") for title in ("explo-\nration", "reason-\ning", "form")), Head("scenes"))


def ceiling_sheets(shown: Sequence[Shown], insights: Insights) -> Iterator[Sheet]:
    """Strict scores against what could have been known; `insights` of the runs in the order shown."""
    place = {id(one): i for i, one in enumerate(shown)}
    yield from sheet(
        "Never looked, or not understood? (strict)",
        _LOST,
        shown,
        lambda one: (Row("", _lost(one, insights[place[id(one)]])),),
        _LOST_NOTES,
    )
    found = gaps([one.figures.run for one in shown], [insights[i] for i in range(len(shown))])
    entries = tuple(
        Entry(
            gap.active.name,
            (
                Row(
                    "",
                    (*map(points, (gap.total, gap.exploration, gap.reasoning, gap.form)), Cell(str(gap.scenes))),
                ),
            ),
        )
        for gap in found
    )
    if entries:
        parts = [(gap.active.world, entry) for gap, entry in zip(found, entries, strict=True)]
        worlds = dict.fromkeys(world for world, _ in parts)
        grouped = tuple(
            Part(f"{world.capitalize()} world", tuple(entry for of, entry in parts if of == world)) for world in worlds
        )
        yield Sheet("Reading another's log (passive) less exploring oneself (active), percent points", _GAP, grouped)


def _lost(one: Shown, insights: Sequence[SceneInsight]) -> tuple[Cell, ...]:
    found = attribution(one.figures.run, insights)
    if found is None:
        return (Cell(),) * 5 + _beliefs(insights)
    all_of = found.shares[ALL]
    shares = (all_of.score, all_of.ceiling, all_of.exploration, all_of.reasoning, all_of.form)
    return (*map(percent, shares), *_beliefs(insights))


def _beliefs(insights: Sequence[SceneInsight]) -> tuple[Cell, ...]:
    """The best last map, verdicts on stated positions, and right beliefs overwritten a scene."""
    finals = [insight.final_ceiling for insight in insights if insight.final_ceiling is not None]
    stated = [[turn.stated for turn in insight.turns if turn.stated] for insight in insights]
    if not any(stated):
        return (percent(mean_interval(finals)) if finals else Cell(), *(Cell(),) * 4)
    verdicts = [[position.verdict for known in scene for position in known.positions] for scene in stated]
    shares = (
        pooled_interval([[float(verdict == wanted) for verdict in scene] for scene in verdicts])
        for wanted in ("right", "unlucky", "impossible")
    )
    lost = [float(sum(len(known.overwritten) for known in scene)) for scene in stated]
    return (percent(mean_interval(finals)), *map(percent, shares), number(1)(mean_interval(lost)))
