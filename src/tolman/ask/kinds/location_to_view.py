"""Location to view: where an object is for an observer at given coordinates with a given heading."""

import re
from collections.abc import Mapping
from typing import cast

import numpy as np

from tolman.ask.kinds.registry import kind
from tolman.ask.question import Json, Question, QuestionKind, question_text
from tolman.ask.relations import RelationAnswer, RelationKind, seen_from, truth_of
from tolman.ask.views import choose_pose, describe_origin, origin_cell, parse_origin, random_origin, random_poses
from tolman.core.geometry import Heading, difference
from tolman.world import Pose, Scene

_WHOLE = re.compile(r"-?[0-9]{1,4}")


@kind
class LocationToView(RelationKind):
    name = stream = QuestionKind.LOCATION_TO_VIEW

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        chosen = choose_pose(scene, random_poses(scene, stream), 2, stream)
        if chosen is None:
            return None
        pose, of = chosen.pose, chosen.shown[0].name
        origin = random_origin(scene, pose, stream)
        x, y = difference(pose.cell, origin_cell(scene, origin))
        text = question_text(self.name, origin=describe_origin(origin), x=x, y=y, heading=pose.heading.word, of=of)
        truth = truth_of(seen_from(scene, pose, of))
        asked: dict[str, Json] = {"origin": origin, "cell": [x, y], "heading": pose.heading.word, "of": of}
        return Question(self.name, asked, truth, scene, text)

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        origin, heading, of = parse_origin(parts["origin"], scene), parts["heading"], parts["of"]
        if origin is None or heading.upper() not in Heading.__members__ or of not in scene:
            return None
        if not _WHOLE.fullmatch(parts["x"]) or not _WHOLE.fullmatch(parts["y"]):
            return None
        return {"origin": origin, "cell": [int(parts["x"]), int(parts["y"])], "heading": heading, "of": of}

    def relation(self, question: Question) -> RelationAnswer:
        asked = question.parameters
        x, y = cast("list[int]", asked["cell"])
        zero = origin_cell(question.scene, str(asked["origin"]))
        pose = Pose((zero[0] + x, zero[1] + y), Heading[str(asked["heading"]).upper()], ())
        return seen_from(question.scene, pose, str(asked["of"]))
