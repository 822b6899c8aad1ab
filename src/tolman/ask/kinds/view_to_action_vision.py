"""View to action with an image: a plan from the start to the pose from which it was rendered."""

from collections.abc import Sequence

from tolman.ask.kinds.registry import kind
from tolman.ask.kinds.view_to_action import ViewToAction
from tolman.ask.plans import format_plan, plan_to
from tolman.ask.question import Json, Question, QuestionKind, pose_from_json, pose_to_json, question_text
from tolman.core.rules import Rules
from tolman.sense import Sighting
from tolman.world import Pose, Scene


@kind
class ViewToActionVision(ViewToAction):
    """An image shows the whole view, so a plan must end in the exact pose."""

    name = QuestionKind.VIEW_TO_ACTION_VISION
    in_pictures = True

    def ask(self, scene: Scene, pose: Pose, shown: Sequence[Sighting], truth: dict[str, Json]) -> Question:
        del shown
        return Question(self.name, {"image": pose_to_json(scene, pose)}, truth, scene, question_text(self.name))

    def accepts(self, question: Question, end: Pose, rules: Rules) -> bool:
        del rules
        true = pose_from_json(question.scene, question.truth["pose"])
        return (end.cell, end.heading) == (true.cell, true.heading)

    def oracle(self, question: Question) -> str:
        return self._plan(question, 0)

    def wrong(self, question: Question) -> str:
        """The right position with the opposite heading."""
        return self._plan(question, 180)

    def _plan(self, question: Question, turn: int) -> str:
        pose, scene = pose_from_json(question.scene, question.parameters["image"]), question.scene
        name = next(item.name for item in scene.items if item.cell == pose.cell)
        return format_plan(plan_to(scene, name, pose.heading.turned(turn)) or ())
