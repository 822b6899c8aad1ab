"""A question as the ideal observer receives it, without its truth, and the answer of highest expected score."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

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
from tolman.world import Scene


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


def most_probable(codes: Ints, weights: Floats) -> tuple[int, float]:
    """The most probable of some integers (of ties the lowest), and its probability."""
    values, which = np.unique(codes, return_inverse=True)
    sums = np.bincount(which, weights, len(values))
    best = int(np.argmax(np.round(sums, 12)))
    return int(values[best]), float(sums[best] / sums.sum())
