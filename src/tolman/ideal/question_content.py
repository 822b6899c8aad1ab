"""A question as the ideal observer receives it, without its truth, the answer of highest expected score, and whether
what an agent was told decides it.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, cast, get_args

import numpy as np

from tolman.ask import Question, QuestionKind, find_kind
from tolman.ask.kinds.action_to_view import parse_steps
from tolman.ask.kinds.registry import parse_parts
from tolman.ask.plans import describe_steps, moves_from_json
from tolman.ask.question import Json
from tolman.ask.views import sightings_from_json
from tolman.core.geometry import Heading
from tolman.ideal.labels import Floats, Ints
from tolman.sense import Sighting
from tolman.world import START, Scene


@dataclass(frozen=True)
class QuestionContent:
    """A kind of question and its parameters; the targets of a plan's steps are described, not named."""

    kind: str
    parameters: Mapping[str, Json]

    def name(self, parameter: str) -> str:
        return str(self.parameters[parameter])

    def names(self, parameter: str) -> tuple[str, ...]:
        return tuple(map(str, cast("list[str]", self.parameters[parameter])))

    def heading(self, parameter: str) -> Heading:
        return Heading[self.name(parameter).upper()]

    def cell(self, parameter: str) -> tuple[int, int]:
        x, y = cast("list[int]", self.parameters[parameter])
        return x, y

    @property
    def shown(self) -> tuple[Sighting, ...]:
        return sightings_from_json(self.parameters["shown"])


def question_content(question: Question) -> QuestionContent:
    """The content of a question. Its scene is used only to describe the steps of a plan."""
    asked = dict(question.parameters)
    if question.kind == QuestionKind.ACTION_TO_VIEW:
        asked["steps"] = [*describe_steps(question.scene, moves_from_json(asked.pop("plan")))]
    return QuestionContent(question.kind, asked)


def parse_question_content(text: str, scene: Scene) -> QuestionContent | None:
    """The content of the question in a text; None where there is none, or it has names that are not in the scene."""
    for kind, parts in parse_parts(text):
        if kind == QuestionKind.ACTION_TO_VIEW:
            return (
                QuestionContent(kind, {"steps": [*parse_steps(parts)], "of": parts["of"]})
                if parts["of"] in scene
                else None
            )
        parameters = find_kind(kind).parse_parameters(parts, scene)
        if parameters is not None:
            return QuestionContent(kind, parameters)
    return None


@dataclass(frozen=True)
class BestAnswer:
    """A reply, and its expected score under the strict rules."""

    reply: str
    expected: float
    exact: bool
    """Whether the expectation is over all worlds; else it is over samples."""
    error: float = 0.0
    """Standard error of the expected score, where the observer states one."""
    sure: float = 0.0
    """Probability that the reply is right in full."""
    cases: "AnswerCases | None" = field(default=None, compare=False, repr=False)
    """The right answer in every possible world; None for plans, which can't be listed."""


Slot = tuple[Ints, tuple[str, ...] | None]
"""Codes of one part of the right answer in each case, with their labels; without labels the codes are cells (x, y)."""


@dataclass(frozen=True, eq=False)
class AnswerCases:
    """The right answer, part by part, in each of some possible cases, with weights that need not add up to 1."""

    rows: Ints
    """The world of each case, by row."""
    weights: Floats
    slots: Mapping[str, Slot]
    """By part of the answer: `direction` and `distance`, `order`, `object`, `position`, or the names of things."""

    def odds(self) -> dict[str, dict[str, float]]:
        """For every part of the answer, the probabilities of what it can be."""
        total = float(self.weights.sum())
        if total <= 0:
            return {}
        return {name: self._odds(*slot, total) for name, slot in self.slots.items()}

    def _odds(self, codes: Ints, labels: tuple[str, ...] | None, total: float) -> dict[str, float]:
        values, which = np.unique(codes, axis=0, return_inverse=True)
        sums = np.bincount(which.ravel(), self.weights, len(values)) / total
        listed = zip(values.tolist(), sums.tolist(), strict=True)
        return {_label(value, labels): chance for value, chance in listed if chance > 0}

    def joint(self) -> Ints:
        """One code for the whole answer in each case."""
        columns = [codes.reshape(len(self.weights), -1) for codes, _ in self.slots.values()]
        return np.unique(np.concatenate(columns, axis=1), axis=0, return_inverse=True)[1].ravel()


def _label(value: int | list[int], labels: tuple[str, ...] | None) -> str:
    if isinstance(value, list):
        return f"({value[0]}, {value[1]})"
    return str(value) if labels is None else labels[value]


def most_probable(codes: Ints, weights: Floats) -> tuple[int, float]:
    """The most probable of some integers (of ties the lowest), and its probability."""
    values, which = np.unique(codes, return_inverse=True)
    sums = np.bincount(which, weights, len(values))
    best = int(np.argmax(np.round(sums, 12)))
    return int(values[best]), float(sums[best] / sums.sum())


def order_slot(names: Sequence[str], codes: Ints) -> Slot:
    """Orders of some names as a part of an answer. A code has the index of each name as a digit, the first lowest."""
    values, which = np.unique(codes, return_inverse=True)
    found: list[int] = values.tolist()
    return which.ravel(), tuple(order_of(names, code) for code in found)


def order_of(names: Sequence[str], code: int) -> str:
    """The order of some names that a code stands for."""
    count = len(names)
    return ", ".join(names[code // int(count**place) % count] for place in range(count))


Decidability = Literal["decided", "open", "unseen"]
DECIDABILITIES: tuple[Decidability, ...] = get_args(Decidability)
LEAST_SURE = 0.99
"""Least probability of the most probable answer to a question that is decided."""
_ONE_NAME = ("of", "from", "at", "origin")


def names_asked(content: QuestionContent) -> tuple[str, ...]:
    """The things and doors that a question is about: those it asks for, counts from, or lists as being in view.

    The steps of a plan describe their targets, and do not name them.
    """
    asked = [content.name(key) for key in _ONE_NAME if key in content.parameters]
    asked += content.names("things") if "things" in content.parameters else ()
    asked += [seen.name for seen in content.shown] if "shown" in content.parameters else ()
    return tuple(dict.fromkeys(name for name in asked if name != START))


def decidability(content: QuestionContent, best: BestAnswer, seen: Collection[str]) -> Decidability:
    """The label of a question, given an observer's best answer to it and the names that were ever in view.

    Decided: one answer is right with a probability of `LEAST_SURE` or more. Unseen: not decided, and a name that the
    question is about was never in view. Open: all others.
    """
    if best.sure >= LEAST_SURE:
        return "decided"
    return "open" if set(names_asked(content)) <= set(seen) else "unseen"
