"""Answers as probabilities: what can be stated for each kind of question, the request, and parsing a reply.

Every answer has one or several parts (slots). A slot is a closed list of choices, or open: the orders of some names, or
points of the grid. Plans can't be listed, so `view_to_action` has no slots and is not asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Literal, cast

from tolman.ask.question import Json, Question, QuestionKind
from tolman.ask.relations import DISTANCES, SEEN_DIRECTIONS
from tolman.core.bins import CardinalBin
from tolman.core.wording import Wording, wording

SlotForm = Literal["choice", "order", "cell"]
_RELATIONS = (QuestionKind.PERSPECTIVE_TAKING, QuestionKind.ACTION_TO_VIEW, QuestionKind.LOCATION_TO_VIEW)


@dataclass(frozen=True)
class OddsSlot:
    """One part of an answer, and what it can be."""

    name: str
    form: SlotForm
    choices: tuple[str, ...] = ()
    """All choices, or for an order the names to put in order; empty for points."""

    @property
    def size(self) -> int | None:
        """Number of possible values; None for points."""
        return {"choice": len(self.choices), "order": factorial(len(self.choices)), "cell": None}[self.form]

    def values(self) -> tuple[str, ...]:
        """All values, in a fixed order; none for points."""
        if self.form == "order":
            return tuple(", ".join(order) for order in permutations(self.choices))
        return self.choices


Odds = Mapping[str, Mapping[str, float]]
"""By slot, the probability of each value that has any. What is missing to 1 lies on values that are not listed."""


def odds_slots(kind: str, parameters: Mapping[str, Json], things: Sequence[str]) -> tuple[OddsSlot, ...]:
    """The parts of the answer to a question about a world with these things; none where they can't be listed."""
    if kind == QuestionKind.DIRECTION:
        return _relation(tuple(map(str, CardinalBin)))
    if kind in _RELATIONS:
        return _relation(tuple(map(str, SEEN_DIRECTIONS)))
    if kind == QuestionKind.PERSPECTIVE_DECISION:
        return (OddsSlot("object", "choice", tuple(things)),)
    if kind == QuestionKind.MENTAL_ROTATION:
        return (OddsSlot("order", "order", _names(parameters)),)
    if kind == QuestionKind.VIEW_TO_LOCATION:
        return (OddsSlot("position", "cell"),)
    if kind == QuestionKind.ALLOCENTRIC_MAPPING:
        return tuple(OddsSlot(name, "cell") for name in _names(parameters))
    return ()


def slots_of(question: Question) -> tuple[OddsSlot, ...]:
    """The parts of the answer to a question."""
    return odds_slots(question.kind, question.parameters, [thing.name for thing in question.scene.things])


def _names(parameters: Mapping[str, Json]) -> tuple[str, ...]:
    return tuple(map(str, cast("list[str]", parameters["things"])))


def _relation(directions: tuple[str, ...]) -> tuple[OddsSlot, ...]:
    return (
        OddsSlot("direction", "choice", directions),
        OddsSlot("distance", "choice", tuple(map(str, DISTANCES))),
    )


def true_values(question: Question) -> dict[str, str]:
    """The true value of every slot of a question."""
    truth = question.truth
    match question.kind:
        case QuestionKind.PERSPECTIVE_DECISION:
            return {"object": str(truth["name"])}
        case QuestionKind.MENTAL_ROTATION:
            return {"order": ", ".join(map(str, cast("list[str]", truth["order"])))}
        case QuestionKind.VIEW_TO_LOCATION:
            return {"position": _cell(truth["cell"])}
        case QuestionKind.ALLOCENTRIC_MAPPING:
            cells = cast("list[Json]", truth["points"])
            return dict(zip(_names(question.parameters), map(_cell, cells), strict=True))
        case _:
            return {slot.name: str(truth[slot.name]) for slot in slots_of(question)}


def _cell(value: Json) -> str:
    x, y = (round(axis) for axis in cast("list[float]", value))
    return f"({x}, {y})"


# ---- request and reply ----


def odds_request(slots: Sequence[OddsSlot]) -> str:
    """The text below a question whose answer is to be stated as probabilities."""
    lists = "\n".join(f"- {slot.name}: {_possible(slot)}" for slot in slots)
    example = {slot.name: _example(slot) for slot in slots}
    return _request().fill(lists=lists, example=format_odds(example))


def is_odds_request(text: str) -> bool:
    """Whether a message holds `odds_request`."""
    return _request().read(text) is not None


def _request() -> Wording:
    return wording("tolman.ask", "odds")


def _possible(slot: OddsSlot) -> str:
    if slot.form == "cell":
        return "points (x, y) of the grid with whole numbers, as many as you deem possible"
    if slot.form == "order":
        return f"orders of {', '.join(slot.choices)}, each with commas, as many as you deem possible"
    return f"one of {', '.join(slot.choices)}"


def _example(slot: OddsSlot) -> dict[str, float]:
    if slot.form == "cell":
        return {"(3, -1)": 0.6, "(2, -1)": 0.4}
    first, second = slot.values()[:2] if slot.form == "choice" else (slot.values()[0], slot.values()[-1])
    return {first: 0.6, second: 0.4}


def format_odds(odds: Odds) -> str:
    """Probabilities in the form that is asked for."""
    return "\n".join(
        f"{name}: {'; '.join(f'{value} {100 * chance:.4g}%' for value, chance in values.items())}"
        for name, values in odds.items()
    )
