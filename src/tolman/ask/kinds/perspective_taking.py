"""Perspective taking: where an object is for an observer at the position and facing of another object."""

from collections.abc import Mapping

import numpy as np

from tolman.ask.kinds.registry import kind
from tolman.ask.question import Json, Question, QuestionKind, question_text
from tolman.ask.relations import RelationAnswer, RelationKind, seen_from, truth_of
from tolman.ask.views import shuffled
from tolman.sense import visible
from tolman.world import Pose, Scene, Thing


@kind
class PerspectiveTaking(RelationKind):
    name = stream = QuestionKind.PERSPECTIVE_TAKING

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        for at in shuffled((thing for thing in scene.things if thing.front is not None), stream):
            pose = pose_of(at)
            seen = [item for item in visible(scene, pose) if isinstance(item, Thing)] if pose else []
            if pose and seen:
                of = seen[int(stream.integers(len(seen)))].name
                text = question_text(self.name, at=at.name, of=of)
                truth = truth_of(seen_from(scene, pose, of))
                return Question(self.name, {"at": at.name, "of": of}, truth, scene, text)
        return None

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        known = parts["at"] in scene and parts["of"] in scene
        return {"at": parts["at"], "of": parts["of"]} if known else None

    def relation(self, question: Question) -> RelationAnswer:
        at = question.scene.item(str(question.parameters["at"]))
        pose = pose_of(at) if isinstance(at, Thing) else None
        if pose is None:
            raise ValueError(f"{at.name} has no front")
        return seen_from(question.scene, pose, str(question.parameters["of"]))


def pose_of(thing: Thing) -> Pose | None:
    """The pose at the position and facing of a thing; None for a thing without a front."""
    return None if thing.front is None else Pose(thing.cell, thing.front, thing.rooms)
