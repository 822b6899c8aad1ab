"""A question about a world as a value, the published kinds of question, and the grade of a reply.

Coordinates in a question are in the agent's frame (origin at the start, x east, y north, in cells); only the scene is
in world coordinates.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import cast

from tolman.belief.map_parsing import Json
from tolman.core.errors import SceneFileError
from tolman.core.geometry import Heading, difference
from tolman.core.reading import ParseFailure
from tolman.core.seeds import digest
from tolman.core.wording import wording
from tolman.world import Pose, Scene, scene_from_dict, scene_to_dict


class QuestionKind(StrEnum):
    """The nine kinds of the paper, three of them again with an image for the view, and the report of changes."""

    DIRECTION = "direction"
    PERSPECTIVE_TAKING = "perspective_taking"
    PERSPECTIVE_DECISION = "perspective_decision"
    ACTION_TO_VIEW = "action_to_view"
    VIEW_TO_ACTION = "view_to_action"
    ALLOCENTRIC_MAPPING = "allocentric_mapping"
    MENTAL_ROTATION = "mental_rotation"
    LOCATION_TO_VIEW = "location_to_view"
    VIEW_TO_LOCATION = "view_to_location"
    PERSPECTIVE_DECISION_VISION = "perspective_decision_vision"
    VIEW_TO_ACTION_VISION = "view_to_action_vision"
    VIEW_TO_LOCATION_VISION = "view_to_location_vision"
    CHANGE_REPORT = "change_report"


PAPER_KINDS: tuple[str, ...] = (
    QuestionKind.ACTION_TO_VIEW,
    QuestionKind.ALLOCENTRIC_MAPPING,
    QuestionKind.DIRECTION,
    QuestionKind.LOCATION_TO_VIEW,
    QuestionKind.MENTAL_ROTATION,
    QuestionKind.PERSPECTIVE_DECISION,
    QuestionKind.PERSPECTIVE_TAKING,
    QuestionKind.VIEW_TO_ACTION,
    QuestionKind.VIEW_TO_LOCATION,
)
"""The nine kinds of the paper, in the order in which they are asked. A kind that others register is no part of it."""
VISION_KINDS: tuple[str, ...] = (
    QuestionKind.PERSPECTIVE_DECISION_VISION,
    QuestionKind.VIEW_TO_ACTION_VISION,
    QuestionKind.VIEW_TO_LOCATION_VISION,
)
"""The kinds with an image of the view."""


@dataclass(frozen=True)
class Question:
    """One question: its `parameters`, the right answer (`truth`), and the scene that it is about.

    `text` is its wording, on which `id` does not depend.
    """

    kind: str
    parameters: dict[str, Json]
    truth: dict[str, Json]
    scene: Scene
    text: str = field(default="", compare=False)

    @cached_property
    def id(self) -> str:
        """16 hexadecimal digits, a digest of the kind, the parameters, the truth and the scene's content."""
        return digest([self.kind, self.parameters, self.truth, self.scene.digest])[:16]

    @property
    def image(self) -> Pose | None:
        """The pose whose view is the image of the question; None for a question in text only."""
        return pose_from_json(self.scene, self.parameters["image"]) if "image" in self.parameters else None


@dataclass(frozen=True, slots=True)
class Grade:
    """The score of a reply. An unparseable reply is a format failure, not a wrong answer."""

    score: float
    format_failure: bool
    read: str
    """The answer as parsed, for display; empty where none was."""
    reason: ParseFailure | None = None
    """Why the reply could not be parsed; None if it could."""


UNPARSEABLE = Grade(0.0, True, "", ParseFailure.NO_ANSWER)
"""The grade of a reply in which no answer, or more than one, was found."""


def unparseable(reason: ParseFailure) -> Grade:
    """The grade of a reply that could not be parsed, and why."""
    return Grade(0.0, True, "", reason)


def pose_to_json(scene: Scene, pose: Pose) -> dict[str, Json]:
    """A pose in the agent's frame, as JSON values."""
    return {
        "cell": list(difference(pose.cell, scene.start)),
        "heading": pose.heading.word,
        "rooms": list(pose.rooms),
    }


def pose_from_json(scene: Scene, values: Json) -> Pose:
    """The pose that `pose_to_json` wrote."""
    pose = cast("dict[str, list[int]]", values)
    x, y = pose["cell"]
    heading = Heading[str(pose["heading"]).upper()]
    return Pose((x + scene.start[0], y + scene.start[1]), heading, tuple(pose["rooms"]))


def question_to_dict(question: Question) -> dict[str, object]:
    """A question as JSON values, with everything that is needed to grade replies."""
    return {
        "id": question.id,
        "kind": question.kind,
        "text": question.text,
        "parameters": question.parameters,
        "truth": question.truth,
        "scene": scene_to_dict(question.scene),
    }


def question_from_dict(values: Mapping[str, object]) -> Question:
    """The question that `question_to_dict` wrote; raises `SceneFileError` for anything else."""
    try:
        kind, text = str(values["kind"]), str(values["text"])
        parameters = dict(cast("Mapping[str, Json]", values["parameters"]))
        truth = dict(cast("Mapping[str, Json]", values["truth"]))
        question = Question(kind, parameters, truth, scene_from_dict(values["scene"]), text)
    except (KeyError, TypeError, ValueError) as error:
        raise SceneFileError(f"this is not a question: {error}") from None
    if question.id != values.get("id"):
        raise SceneFileError(f"question {values.get('id')!r} was altered: its content does not match its id")
    return question


def question_text(kind: str, **parts: object) -> str:
    """The text of a question. Parts are inserted literally, even if they look like placeholders."""
    return wording("tolman.ask", kind).fill(**parts)
