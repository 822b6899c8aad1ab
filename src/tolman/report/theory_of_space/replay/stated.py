"""A stated map as plain values: where each name was put, and what the evidence says of it."""

import math
from collections.abc import Mapping

from tolman.belief.revision import Place, PlainMap
from tolman.benchmarks.theory_of_space.insight import Overwritten, StatedMap, StatedPosition
from tolman.benchmarks.theory_of_space.stated_maps import plain_map
from tolman.geometry import Cell
from tolman.report.theory_of_space.plain import Plain
from tolman.rules import STRICT
from tolman.world import AGENT, Scene


def said_in(reply: str, scene: Scene) -> PlainMap | None:
    """The map in a reply as the strict rules read it; None for no map."""
    return plain_map(reply, scene, STRICT)


def stated(said: PlainMap | None, truth: Scene, insight: StatedMap | None) -> Plain:
    """One map in cells east and north of the start, against the world as it was. `said` is None for no map."""
    if said is None:
        return {"said": None}
    judged = {} if insight is None else {position.name: position for position in insight.positions}
    values: Plain = {"said": placed(said, truth, judged), "agent": _agent(said)}
    if insight is not None:
        values["score"], values["ceiling"] = _rounded(insight.score), _rounded(insight.ceiling)
        values["over"] = [_overwritten(lost, truth) for lost in insight.overwritten]
    return values


def placed(said: PlainMap, truth: Scene, judged: Mapping[str, StatedPosition]) -> list[list[object]]:
    """For each name: its place in the scene, x, y, facing, verdict and probability.

    Without the evidence at hand, what is not right is `wrong`, and has no probability.
    """
    rows: list[list[object]] = []
    for i, name in enumerate(truth.names):
        if name in said:
            verdict, chance = _verdict(name, said[name], truth, judged.get(name))
            rows.append([i, *_place(said[name]), verdict, chance])
    return rows


def is_at(place: Place, cell: Cell) -> bool:
    """Whether a stated position lies in a cell."""
    return cell_of(place) == cell


def cell_of(place: Place) -> Cell:
    """The cell that holds a stated position."""
    (x, y), _ = place
    return math.floor(x + 0.5), math.floor(y + 0.5)


def _verdict(name: str, place: Place, truth: Scene, judged: StatedPosition | None) -> tuple[str, float | None]:
    if judged is not None:
        return judged.verdict, _rounded(judged.chance)
    return ("right" if is_at(place, truth.from_start(name)) else "wrong"), None


def _agent(said: PlainMap) -> list[object] | None:
    return list(_place(said[AGENT])) if AGENT in said else None


def _place(place: Place) -> tuple[float, float, int | None]:
    (x, y), facing = place
    return round(x, 2), round(y, 2), None if facing is None else int(facing)


def _overwritten(lost: Overwritten, truth: Scene) -> Plain:
    return {
        "item": truth.names.index(lost.name),
        "before": [round(at, 2) for at in lost.before],
        "after": None if lost.after is None else [round(at, 2) for at in lost.after],
        "verdict": lost.verdict,
        "inView": lost.in_view,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 3)
