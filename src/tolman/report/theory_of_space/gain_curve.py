"""The curve of information gain over the turns of an exploration."""

from tolman.report.intervals import Interval, pooled_interval
from tolman.report.theory_of_space.logs import Run

_LEVELS = "▁▂▃▄▅▆▇█"


def gain_curve(run: Run) -> tuple[Interval, ...]:
    """Mean over scenes after each turn that could be read. A scene that has ended keeps its last value."""
    scenes: dict[str, list[tuple[float, ...]]] = {}
    for scene in run.cases:
        gains = scene.scores["strict"].exploration.gains
        if gains:
            scenes.setdefault(scene.id, []).append(gains)
    last = max((len(gains) for curves in scenes.values() for gains in curves), default=0)
    return tuple(
        pooled_interval([[gains[min(turn, len(gains) - 1)] for gains in curves] for curves in scenes.values()])
        for turn in range(last)
    )


def sparkline(curve: tuple[Interval, ...], width: int) -> str:
    """The curve as a row of bars, one a turn, from empty for 0 to full for 1."""
    top = len(_LEVELS) - 1
    return "".join(_LEVELS[round(max(0.0, min(1.0, point.mean)) * top)] for point in curve[:width])
