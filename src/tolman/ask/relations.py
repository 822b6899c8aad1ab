"""What the four kinds have in common that ask for a direction and a distance."""

from collections.abc import Sequence
from itertools import product
from typing import ClassVar

from tolman.ask.kinds.registry import Kind
from tolman.ask.question import Grade, Json, Question
from tolman.ask.relation_answers import Relation, grade_relation, relation
from tolman.bins import CardinalBin, DistanceBin, EgoBin, ego_relation
from tolman.geometry import difference
from tolman.rules import Rules
from tolman.world import Pose, Scene

DISTANCES = tuple(distance for distance in DistanceBin if distance is not DistanceBin.SAME)
SEEN_DIRECTIONS = tuple(direction for direction in EgoBin if direction is not EgoBin.BEYOND_FOV)


class RelationKind(Kind):
    """A kind whose answer is `<direction>, <distance>`.

    The valid answers are all pairs of a direction and a distance other than zero; for views, of a direction in sight.
    """

    directions: ClassVar[Sequence[CardinalBin | EgoBin]] = SEEN_DIRECTIONS

    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        truth = relation(question.truth["direction"], question.truth["distance"])
        return grade_relation(truth, reply, rules, question.scene.names)

    def oracle(self, question: Question) -> str:
        return str(self.relation(question))

    def relation(self, question: Question) -> Relation:
        """The relation that is asked for, found in the scene."""
        raise NotImplementedError

    def wrong(self, question: Question) -> str:
        truth = relation(question.truth["direction"], question.truth["distance"])
        direction = next(d for d in self.directions if d != truth.direction)
        return str(Relation(direction, next(d for d in DISTANCES if d != truth.distance)))

    def answers(self, question: Question) -> Sequence[str]:
        del question
        return [str(Relation(*pair)) for pair in product(self.directions, DISTANCES)]

    def constant(self, question: Question) -> str:
        del question
        usual = EgoBin.FRONT if EgoBin.FRONT in self.directions else CardinalBin.NORTH
        return str(Relation(usual, DistanceBin.SLIGHTLY_FAR))


def seen_from(scene: Scene, pose: Pose, name: str) -> Relation:
    """Where a thing or door is for someone at a pose."""
    return Relation(*ego_relation(difference(scene.item(name).cell, pose.cell), pose.heading))


def truth_of(told: Relation) -> dict[str, Json]:
    """A relation as plain values."""
    return {"direction": str(told.direction), "distance": str(told.distance)}
