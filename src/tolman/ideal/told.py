"""What a question says to whoever is asked: its parameters, and nothing of its truth."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

from tolman.ask import Question, QuestionKind, find_kind
from tolman.ask.hear import hear_parts
from tolman.ask.kinds.action_to_view import hear_steps
from tolman.ask.question import Json
from tolman.ask.step_words import steps_in_words
from tolman.ask.views import sightings_from_json
from tolman.ask.walks import moves_from_json
from tolman.geometry import Heading
from tolman.sense import Sighting
from tolman.world import Scene


@dataclass(frozen=True)
class Told:
    """A kind of question and its parameters; steps of a plan are told by how their targets look."""

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


def told_by(question: Question) -> Told:
    """What a question says. Its scene is looked at only to word the steps of a plan."""
    asked = dict(question.parameters)
    if question.kind == QuestionKind.ACTION_TO_VIEW:
        asked["steps"] = [*steps_in_words(question.scene, moves_from_json(asked.pop("plan")))]
    return Told(question.kind, asked)


def told_in(text: str, names: Scene) -> Told | None:
    """What the question in a text says; None where there is none, or it is about names that are not in the scene."""
    for kind, parts in hear_parts(text):
        if kind == QuestionKind.ACTION_TO_VIEW:
            return Told(kind, {"steps": [*hear_steps(parts)], "of": parts["of"]}) if parts["of"] in names else None
        parameters = find_kind(kind).hear(parts, names)
        if parameters is not None:
            return Told(kind, parameters)
    return None
