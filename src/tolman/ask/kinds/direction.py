"""Direction: where A is relative to B on a map, north up."""

from collections.abc import Mapping

import numpy as np

from tolman.ask.kinds.registry import kind
from tolman.ask.question import Json, Question, QuestionKind, question_text
from tolman.ask.relations import RelationAnswer, RelationKind, truth_of
from tolman.ask.views import shuffled
from tolman.core.bins import CardinalBin, cardinal_relation
from tolman.core.geometry import Heading, difference
from tolman.world import Scene


@kind
class Direction(RelationKind):
    name = stream = QuestionKind.DIRECTION
    directions = tuple(CardinalBin)

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        if len(scene.things) < 2:
            return None
        of, origin = (thing.name for thing in shuffled(scene.things, stream)[:2])
        text = question_text(self.name, of=of, origin=origin)
        return Question(self.name, {"of": of, "from": origin}, truth_of(_relation(scene, of, origin)), scene, text)

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        known = parts["of"] in scene and parts["origin"] in scene
        return {"of": parts["of"], "from": parts["origin"]} if known else None

    def relation(self, question: Question) -> RelationAnswer:
        return _relation(question.scene, str(question.parameters["of"]), str(question.parameters["from"]))


def _relation(scene: Scene, of: str, origin: str) -> RelationAnswer:
    apart = difference(scene.item(of).cell, scene.item(origin).cell)
    return RelationAnswer(*cardinal_relation(apart, Heading.NORTH))
