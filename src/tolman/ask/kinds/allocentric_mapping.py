"""Allocentric mapping: the coordinates of several objects relative to the start, north up."""

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import cast

import numpy as np

from tolman.ask.coordinate_answers import Point, find_points, format_points, published_points
from tolman.ask.kinds.registry import Kind, kind
from tolman.ask.name_answers import format_names, parse_names
from tolman.ask.question import Grade, Json, Question, QuestionKind, question_text, unparseable
from tolman.ask.views import shuffled
from tolman.core.bins import cardinal_bin
from tolman.core.geometry import bearing, difference, distance
from tolman.core.reading import ParseFailure
from tolman.core.rules import Rules
from tolman.core.seeds import rng
from tolman.world import Scene

FEWEST, MOST = 3, 5
GUESSES = 200
FAR_AWAY = -1000.0


@kind
class AllocentricMapping(Kind):
    """A valid answer puts the things on different floor cells; the chance level is the mean over 200 random ones."""

    name = stream = QuestionKind.ALLOCENTRIC_MAPPING

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        if len(scene.things) < FEWEST:
            return None
        things = shuffled(scene.things, stream)
        count = int(stream.integers(FEWEST, min(MOST, len(things)) + 1))
        names = [thing.name for thing in things[:count]]
        truth = [list(scene.from_start(name)) for name in names]
        text = question_text(self.name, things=format_names(names))
        return Question(self.name, {"things": list(names)}, {"points": [list(point) for point in truth]}, scene, text)

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        names = parse_names(parts["things"], scene)
        return None if names is None else {"things": [*names]}

    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        truth, names = _truth(question), _things(question)
        points = find_points(reply, names) if rules.forgiving_answers else published_points(reply)
        if isinstance(points, ParseFailure) or len(points) != len(truth):
            return unparseable(points if isinstance(points, ParseFailure) else ParseFailure.INCOMPLETE)
        return Grade(map_similarity(points, truth), False, format_points(points))

    def oracle(self, question: Question) -> str:
        return format_points([question.scene.from_start(name) for name in _things(question)])

    def wrong(self, question: Question) -> str:
        """Everything opposite the truth and very far away: no direction agrees, and exp(-1001) is 0."""
        return format_points([(x * FAR_AWAY, y * FAR_AWAY) for x, y in _truth(question)])

    def answers(self, question: Question) -> Sequence[str]:
        stream = rng(0, "ask", "chance", question.id)
        floor = [difference(cell, question.scene.start) for room in question.scene.rooms for cell in room.cells]
        count = len(_things(question))
        draws = (stream.choice(len(floor), size=count, replace=False) for _ in range(GUESSES))
        return [format_points([floor[int(i)] for i in draw]) for draw in draws]

    def constant(self, question: Question) -> str:
        return format_points([(0.0, 0.0)] * len(_things(question)))

    def blind(self, question: Question, stream: np.random.Generator) -> str:
        return format_points(
            [(float(stream.integers(-8, 9)), float(stream.integers(-8, 9))) for _ in _things(question)]
        )

    def distractors(self, question: Question, stream: np.random.Generator) -> Iterator[str]:
        """The true positions, each given to another thing: no choice stands out by its coordinates."""
        while True:
            yield format_points(shuffled(_truth(question), stream))


def map_similarity(points: Sequence[Point], truth: Sequence[Point]) -> float:
    """Mean of closeness and of the share of pairs, the origin included, whose direction falls in the right bin."""
    squared = [distance((x - u, y - v)) ** 2 for (x, y), (u, v) in zip(points, truth, strict=True)]
    error = math.sqrt(sum(squared) / len(squared))
    scale = math.sqrt(sum(distance(point) ** 2 for point in truth) / len(truth))
    close = math.exp(-error / scale) if scale > 0 else float(error == 0)
    pairs = list(combinations(range(len(truth) + 1), 2))
    said, true = [*points, (0.0, 0.0)], [*truth, (0.0, 0.0)]
    agree = sum(_direction(said[i], said[j]) == _direction(true[i], true[j]) for i, j in pairs)
    return (close + agree / len(pairs)) / 2


def _direction(a: Point, b: Point) -> str:
    return cardinal_bin(bearing(a[0] - b[0], a[1] - b[1]))


def _things(question: Question) -> tuple[str, ...]:
    return tuple(map(str, cast("list[str]", question.parameters["things"])))


def _truth(question: Question) -> list[Point]:
    return [(float(x), float(y)) for x, y in cast("list[list[float]]", question.truth["points"])]
