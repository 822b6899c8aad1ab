"""Perspective decision with an image: the object from whose position and facing it was rendered."""

from collections.abc import Sequence

from tolman.ask.kinds.perspective_decision import PerspectiveDecision
from tolman.ask.kinds.registry import kind
from tolman.ask.question import Json, Question, QuestionKind, pose_to_json, question_text
from tolman.core.rules import Rules
from tolman.sense import Sighting
from tolman.world import Pose, Scene


@kind
class PerspectiveDecisionVision(PerspectiveDecision):
    """An image shows the whole view, so only the true name is right."""

    name = QuestionKind.PERSPECTIVE_DECISION_VISION
    in_pictures = True

    def ask(self, scene: Scene, pose: Pose, shown: Sequence[Sighting], truth: dict[str, Json]) -> Question:
        del shown
        return Question(self.name, {"image": pose_to_json(scene, pose)}, truth, scene, question_text(self.name))

    def accepts(self, question: Question, said: str, rules: Rules) -> bool:
        del question, said, rules
        return False

    def oracle(self, question: Question) -> str:
        pose = question.image
        return next(thing.name for thing in question.scene.things if pose and thing.cell == pose.cell)

    def wrong(self, question: Question) -> str:
        return next(name for name in question.scene.names if name != question.truth["name"])
