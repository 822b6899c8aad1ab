"""Action to view: where an object is after a list of moves, whose targets are described and not named."""

import re
from collections.abc import Mapping

import numpy as np

from tolman.ask.kinds.registry import kind
from tolman.ask.plans import describe_steps, moves_from_json, moves_to_json, plan_of_steps, walk
from tolman.ask.question import Json, Question, QuestionKind, question_text
from tolman.ask.relations import RelationAnswer, RelationKind, seen_from, truth_of
from tolman.ask.views import choose_plan, shuffled
from tolman.core.rules import STRICT
from tolman.world import Scene

JUMPS = 2
_NUMBER = re.compile(r"^\d+\. ")


@kind
class ActionToView(RelationKind):
    name = stream = QuestionKind.ACTION_TO_VIEW

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        planned = choose_plan(scene, JUMPS, stream)
        if planned is None:
            return None
        moves, chosen = planned
        of = shuffled(chosen.shown, stream)[0].name
        steps = "\n".join(f"{i}. {step}" for i, step in enumerate(describe_steps(scene, moves), start=1))
        truth = truth_of(seen_from(scene, chosen.pose, of))
        text = question_text(self.name, steps=steps, of=of)
        return Question(self.name, {"plan": moves_to_json(moves), "of": of}, truth, scene, text)

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        plan = plan_of_steps(scene, parse_steps(parts))
        return {"plan": moves_to_json(plan), "of": parts["of"]} if plan and parts["of"] in scene else None

    def relation(self, question: Question) -> RelationAnswer:
        plan = moves_from_json(question.parameters["plan"])
        pose = walk(question.scene, plan, STRICT)
        if pose is None:
            raise ValueError("the plan of the question can't be carried out")
        return seen_from(question.scene, pose, str(question.parameters["of"]))


def parse_steps(parts: Mapping[str, str]) -> list[str]:
    """The steps of the wording, without their numbers."""
    return [_NUMBER.sub("", step) for step in parts["steps"].split("\n")]
