"""Who is where, from above: the camera below, the source straight up from it, so that front is up and left is left."""

import math
from collections.abc import Iterable
from dataclasses import replace

from tolman.benchmarks.sparrta.relations import Ground
from tolman.benchmarks.sparrta.sparrta_case import SparrtaCase
from tolman.report.site.cards import Mark, Plan

_MARGIN = 13.0
"""Percent of the plan that stay free on each side, for labels."""
_LABEL = 24.0, 12.0
"""Width and height of a label with its mark, in percent of the plan."""


def ground_plan(case: SparrtaCase) -> Plan:
    """The plan of a picture, turned and scaled to fit."""
    turned = _turned(case)
    low, high = (tuple(pick(place[i] for place in turned.values()) for i in (0, 1)) for pick in (min, max))
    side = max(high[0] - low[0], high[1] - low[1]) or 1.0
    scale = (100 - 2 * _MARGIN) / side
    middle = (low[0] + high[0]) / 2, (low[1] + high[1]) / 2
    names = {"camera": "camera", "human": "person", "source": case.source, "target": case.target}
    marks = {
        who: Mark(
            names[who],
            round(50 + (x - middle[0]) * scale, 1),
            round(50 - (y - middle[1]) * scale, 1),
            strong=who in ("source", "target"),
        )
        for who, (x, y) in turned.items()
    }
    marks = {who: replace(mark, under=_is_crowded(mark, marks.values())) for who, mark in marks.items()}
    said = ", ".join(f"{question.answer} from {question.viewpoint}" for question in case.questions)
    about = f"Plan of camera, person, {case.source} and {case.target}: {said}."
    sights = (marks["camera"], marks["source"]), (marks["human"], marks["source"])
    return Plan(tuple(marks.values()), sights, about)


def _is_crowded(mark: Mark, others: Iterable[Mark]) -> bool:
    """Whether another mark or its label is where this one's label would stand, just above it."""
    return any(abs(other.x - mark.x) < _LABEL[0] and 0 < mark.y - other.y < _LABEL[1] for other in others)


def _turned(case: SparrtaCase) -> dict[str, Ground]:
    """Places with the camera at the origin and the source on the axis of y, beyond it."""
    (x, y), (source_x, source_y) = case.places["camera"], case.places["source"]
    angle = math.pi / 2 - math.atan2(source_y - y, source_x - x)
    cos, sin = math.cos(angle), math.sin(angle)
    return {
        who: ((at[0] - x) * cos - (at[1] - y) * sin, (at[0] - x) * sin + (at[1] - y) * cos)
        for who, at in case.places.items()
    }
