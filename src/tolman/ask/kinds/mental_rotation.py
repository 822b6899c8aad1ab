"""Mental rotation: the order in which objects come straight ahead during one full rotation at the start."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations
from typing import cast

import numpy as np

from tolman.ask.kinds.registry import Kind, kind
from tolman.ask.name_answers import find_names, format_names, parse_names, published_names
from tolman.ask.question import UNPARSEABLE, Grade, Json, Question, QuestionKind, question_text, unparseable
from tolman.ask.views import shuffled
from tolman.core.geometry import bearing, difference, distance
from tolman.core.reading import ParseFailure
from tolman.core.rules import Rules
from tolman.world import Scene, Thing

TURNS = ("clockwise", "counterclockwise")
GAPS = (30.0, 15.0, 7.5, 1.0)
"""Smallest angle between any two things of a question in degrees; the largest feasible one is used."""
TRIES = 5
FEWEST, MOST = 3, 5
STRAIGHT_AHEAD = 1e-3


@kind
class MentalRotation(Kind):
    """The valid answers are all orders of the things listed."""

    name = stream = QuestionKind.MENTAL_ROTATION

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        turn = TURNS[int(stream.integers(2))]
        angles = {thing: angle for thing in scene.things if (angle := _angle(scene, thing, turn)) is not None}
        kept = _spread(angles, stream)
        if kept is None:
            return None
        count = int(stream.integers(FEWEST, min(len(kept), MOST) + 1))
        order = [thing.name for thing in kept[:count]]
        text = question_text(self.name, turn=turn, things=format_names(sorted(order)))
        return Question(self.name, {"turn": turn, "things": [*sorted(order)]}, {"order": [*order]}, scene, text)

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        names = parse_names(parts["things"], scene)
        return {"turn": parts["turn"], "things": [*names]} if names and parts["turn"] in TURNS else None

    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        pool = _things(question)
        said = find_names(reply, pool) if rules.forgiving_answers else published_names(reply)
        if isinstance(said, ParseFailure):
            return unparseable(said)
        if not rules.forgiving_answers and not set(said) & set(pool):
            return UNPARSEABLE
        return Grade(float(list(said) == question.truth["order"]), False, ", ".join(said))

    def oracle(self, question: Question) -> str:
        scene, turn = question.scene, str(question.parameters["turn"])
        things = [thing for thing in scene.things if thing.name in _things(question)]
        return ", ".join(thing.name for thing in sorted(things, key=lambda thing: _when(scene, thing, turn)))

    def wrong(self, question: Question) -> str:
        return ", ".join(cast("list[str]", question.truth["order"])[::-1])

    def answers(self, question: Question) -> Sequence[str]:
        return [", ".join(order) for order in permutations(_things(question))]

    def constant(self, question: Question) -> str:
        return ", ".join(_things(question))

    def distractors(self, question: Question, stream: np.random.Generator) -> Iterator[str]:
        """Random orders of the things listed."""
        while True:
            yield format_names(shuffled(_things(question), stream))


def _angle(scene: Scene, thing: Thing, turn: str) -> float | None:
    """Degrees to rotate from north until a thing is straight ahead; None for one that is so from the start."""
    degrees = bearing(*difference(thing.cell, scene.start))
    angle = (degrees if turn == "clockwise" else -degrees) % 360.0
    return None if min(angle, 360.0 - angle) <= STRAIGHT_AHEAD else angle


def _when(scene: Scene, thing: Thing, turn: str) -> tuple[float, float]:
    return round(_angle(scene, thing, turn) or 0.0, 6), distance(difference(thing.cell, scene.start))


def _spread(angles: dict[Thing, float], stream: np.random.Generator) -> list[Thing] | None:
    """At least three things with a minimum angle between any two, in the order of their angles."""
    for gap in GAPS:
        for _ in range(TRIES):
            kept: list[Thing] = []
            for thing in shuffled(angles, stream):
                if all(abs(angles[thing] - angles[other]) > gap for other in kept):
                    kept.append(thing)
            if len(kept) >= FEWEST:
                return sorted(kept, key=lambda thing: angles[thing])
    return None


def _things(question: Question) -> tuple[str, ...]:
    return tuple(map(str, cast("list[str]", question.parameters["things"])))
