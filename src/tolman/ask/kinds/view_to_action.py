"""View to action: a plan from the start that leads to a listed view, or to an image of it."""

from collections.abc import Iterator, Sequence

import numpy as np

from tolman.ask.kinds.registry import kind
from tolman.ask.plans import find_plan, format_plan, moves_to_json, plan_to, published_plan, walk
from tolman.ask.question import Grade, Json, Question, QuestionKind, pose_from_json, pose_to_json, unparseable
from tolman.ask.views import ViewKind, choose_plan, view_fits
from tolman.core.geometry import Heading
from tolman.core.reading import ParseFailure
from tolman.core.rules import Rules
from tolman.world import Pose, Scene

JUMPS = 3
TRIES = 60


@kind
class ViewToAction(ViewKind):
    """A valid answer is a plan that can be carried out. Only its final pose counts, so there is one for each thing or
    door and each heading."""

    name = stream = QuestionKind.VIEW_TO_ACTION

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        planned = choose_plan(scene, JUMPS, stream)
        if planned is None:
            return None
        moves, chosen = planned
        truth: dict[str, Json] = {"pose": pose_to_json(scene, chosen.pose), "plan": moves_to_json(moves)}
        return self.ask(scene, chosen, truth)

    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        plan = find_plan(reply) if rules.forgiving_answers else published_plan(reply) or ParseFailure.NO_ANSWER
        if isinstance(plan, ParseFailure):
            return unparseable(plan)
        end = walk(question.scene, plan, rules)
        right = end is not None and self.accepts(question, end, rules)
        return Grade(float(right), False, format_plan(plan))

    def accepts(self, question: Question, end: Pose, rules: Rules) -> bool:
        """Whether the listed view is seen from the final pose of a plan."""
        if not rules.any_consistent_answer:
            true = pose_from_json(question.scene, question.truth["pose"])
            end = Pose(end.cell, end.heading, true.rooms)
        return view_fits(question.scene, end, self.shown(question))

    def oracle(self, question: Question) -> str:
        scene, shown = question.scene, self.shown(question)
        for item in scene.items:
            for heading in Heading:
                if view_fits(scene, Pose(item.cell, heading, item.rooms), shown):
                    return format_plan(plan_to(scene, item.name, heading) or ())
        raise ValueError("no pose in the scene has the view that the question lists")

    def wrong(self, question: Question) -> str:
        """A plan that ends on an object in the listed view: an observer does not see what it stands on."""
        target = self.shown(question)[0].name
        return format_plan(plan_to(question.scene, target, Heading.NORTH) or ())

    def answers(self, question: Question) -> Sequence[str]:
        scene = question.scene
        plans = (plan_to(scene, item.name, heading) for item in scene.items for heading in Heading)
        return [format_plan(plan) for plan in plans if plan]

    def constant(self, question: Question) -> str:
        del question
        return "Rotate(180)"

    def blind(self, question: Question, stream: np.random.Generator) -> str:
        names = question.scene.names
        turns = [90 * int(quarters) for quarters in stream.integers(4, size=2)]
        return f"Rotate({turns[0]}), Goto({names[int(stream.integers(len(names)))]}), Rotate({turns[1]})"

    def choice(self, question: Question) -> str:
        """The shortest plan to the pose of the question."""
        return _shortest(question.scene, pose_from_json(question.scene, question.truth["pose"]))

    def distractors(self, question: Question, stream: np.random.Generator) -> Iterator[str]:
        """The shortest plans to other poses, drawn like that of the question; none ends on what its view lists."""
        scene = question.scene
        listed = {thing.cell for thing in scene.items if thing.name in question.text}
        for _ in range(TRIES):
            planned = choose_plan(scene, JUMPS, stream)
            if planned is not None and planned[1].pose.cell not in listed:
                yield _shortest(scene, planned[1].pose)


def _shortest(scene: Scene, pose: Pose) -> str:
    name = next(item.name for item in scene.items if item.cell == pose.cell)
    return format_plan(plan_to(scene, name, pose.heading) or ())


@kind
class ViewToActionVision(ViewToAction):
    """An image shows the whole view, so a plan must end in the exact pose."""

    name = QuestionKind.VIEW_TO_ACTION_VISION
    in_pictures = True

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
        pose = pose_from_json(question.scene, question.parameters["image"])
        return _shortest(question.scene, Pose(pose.cell, pose.heading.turned(turn), pose.rooms))
