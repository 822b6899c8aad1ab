"""Perspective decision: the object from whose position and facing a listed view, or an image of it, is seen."""

from collections.abc import Iterator, Sequence

import numpy as np

from tolman.ask.kinds.perspective_taking import pose_of
from tolman.ask.kinds.registry import kind
from tolman.ask.name_answers import find_name, published_name
from tolman.ask.question import Grade, Json, Question, QuestionKind, pose_from_json, pose_to_json, unparseable
from tolman.ask.views import ViewKind, choose_pose, shuffled, view_fits
from tolman.core.geometry import Heading
from tolman.core.reading import ParseFailure
from tolman.core.rules import Rules
from tolman.sense import visible
from tolman.world import Door, Pose, Scene


@kind
class PerspectiveDecision(ViewKind):
    """The valid answers are all things that have a front."""

    name = stream = QuestionKind.PERSPECTIVE_DECISION

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        fronted = shuffled((thing for thing in scene.things if thing.front is not None), stream)
        poses = [pose for thing in fronted if (pose := pose_of(thing))]
        chosen = choose_pose(scene, poses, 1, stream)
        if chosen is None:
            return None
        truth: dict[str, Json] = {"name": fronted[chosen.number].name, "pose": pose_to_json(scene, chosen.pose)}
        return self.ask(scene, chosen, truth)

    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        names = question.scene.names
        said = find_name(reply, names) if rules.forgiving_answers else published_name(reply)
        if isinstance(said, ParseFailure) or not said:
            return unparseable(said if isinstance(said, ParseFailure) else ParseFailure.EMPTY)
        right = said == question.truth["name"] or (said in names and self.accepts(question, said, rules))
        unknown = not rules.forgiving_answers and said not in names
        return Grade(float(right), unknown, said, ParseFailure.UNKNOWN_NAME if unknown else None)

    def accepts(self, question: Question, said: str, rules: Rules) -> bool:
        """Whether the listed view is also seen from another thing."""
        pose = _standing_at(question.scene, said)
        if pose is None:
            return False
        if not rules.any_consistent_answer:
            true = pose_from_json(question.scene, question.truth["pose"])
            pose = Pose(pose.cell, pose.heading, true.rooms)
        elif isinstance(question.scene.item(said), Door):
            return False
        return view_fits(question.scene, pose, self.shown(question))

    def oracle(self, question: Question) -> str:
        shown = self.shown(question)
        for thing in question.scene.things:
            pose = pose_of(thing)
            if pose and view_fits(question.scene, pose, shown):
                return thing.name
        raise ValueError("no object in the scene has the view that the question lists")

    def wrong(self, question: Question) -> str:
        """An object in the listed view: an observer does not see what it stands on."""
        return self.shown(question)[0].name

    def answers(self, question: Question) -> Sequence[str]:
        return [thing.name for thing in question.scene.things if thing.front is not None]

    def constant(self, question: Question) -> str:
        return question.scene.things[0].name

    def blind(self, question: Question, stream: np.random.Generator) -> str:
        names = [thing.name for thing in question.scene.things if thing.name not in question.text]
        names = names or [thing.name for thing in question.scene.things]
        return names[int(stream.integers(len(names)))]

    def choice(self, question: Question) -> str:
        return str(question.truth["name"])

    def distractors(self, question: Question, stream: np.random.Generator) -> Iterator[str]:
        """Things with a front that the question does not name, drawn like the right one."""
        fronted = [
            thing for thing in question.scene.things if (pose := pose_of(thing)) and visible(question.scene, pose)
        ]
        things = [thing for thing in fronted if thing.name not in question.text]
        sights = [len(visible(question.scene, pose)) for thing in things if (pose := pose_of(thing))]
        while things:
            yield things[int(stream.choice(len(things), p=np.array(sights) / sum(sights)))].name


def _standing_at(scene: Scene, name: str) -> Pose | None:
    """The pose at a thing that has a front, or in a doorway facing east or north, as in the released scorer."""
    item = scene.item(name)
    if isinstance(item, Door):
        return Pose(item.cell, Heading.EAST if item.axis == "x" else Heading.NORTH, item.rooms)
    return pose_of(item)


@kind
class PerspectiveDecisionVision(PerspectiveDecision):
    """An image shows the whole view, so only the true name is right."""

    name = QuestionKind.PERSPECTIVE_DECISION_VISION
    in_pictures = True

    def accepts(self, question: Question, said: str, rules: Rules) -> bool:
        del question, said, rules
        return False

    def oracle(self, question: Question) -> str:
        pose = question.image
        return next(thing.name for thing in question.scene.things if pose and thing.cell == pose.cell)

    def wrong(self, question: Question) -> str:
        return next(name for name in question.scene.names if name != question.truth["name"])
