"""View to location: the coordinates from which a listed view, or an image of it, is seen."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import cast

import numpy as np

from tolman.ask.coordinate_answers import Point, find_point, format_points, published_points
from tolman.ask.kinds.registry import kind
from tolman.ask.question import Grade, Json, Question, QuestionKind, pose_from_json, unparseable
from tolman.ask.views import (
    ViewKind,
    choose_pose,
    consistent_cells,
    describe_origin,
    origin_cell,
    parse_origin,
    random_origin,
    random_poses,
)
from tolman.core.geometry import Heading, difference, distance
from tolman.core.reading import ParseFailure
from tolman.core.rules import Rules
from tolman.world import Pose, Scene

FAR_AWAY = 1e6
TRIES = 60


@kind
class ViewToLocation(ViewKind):
    """The valid answers are all free floor cells."""

    name = stream = QuestionKind.VIEW_TO_LOCATION

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        chosen = choose_pose(scene, random_poses(scene, stream), 2, stream)
        if chosen is None:
            return None
        origin, heading = random_origin(scene, chosen.pose, stream), chosen.pose.heading.word
        truth: dict[str, Json] = {"cell": list(difference(chosen.pose.cell, origin_cell(scene, origin)))}
        about: dict[str, Json] = {"origin": origin, "heading": heading}
        return self.ask(scene, chosen, truth, about, origin=describe_origin(origin), heading=heading)

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        shown, origin = super().parse_parameters(parts, scene), parse_origin(parts["origin"], scene)
        if shown is None or origin is None or parts["heading"].upper() not in Heading.__members__:
            return None
        return {"origin": origin, "heading": parts["heading"], **shown}

    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        said = (
            find_point(reply)
            if rules.forgiving_answers
            else next(iter(published_points(reply)), ParseFailure.NO_ANSWER)
        )
        if isinstance(said, ParseFailure):
            return unparseable(said)
        right = self.right(question) if rules.any_consistent_answer else [_truth(question)]
        return Grade(closeness(said, right, _truth(question)), False, format_points([said]))

    def right(self, question: Question) -> list[Point]:
        """Every point consistent with the listed view, relative to the question's origin."""
        heading = Heading[str(question.parameters["heading"]).upper()]
        cells = consistent_cells(question.scene, heading, self.shown(question))
        zero = origin_cell(question.scene, str(question.parameters["origin"]))
        return [(float(x - zero[0]), float(y - zero[1])) for x, y in cells]

    def oracle(self, question: Question) -> str:
        return format_points(self.right(question)[:1])

    def wrong(self, question: Question) -> str:
        del question
        return format_points([(FAR_AWAY, FAR_AWAY)])

    def answers(self, question: Question) -> Sequence[str]:
        scene, zero = question.scene, origin_cell(question.scene, str(question.parameters["origin"]))
        taken = {thing.cell for thing in scene.things}
        cells = (cell for room in scene.rooms for cell in room.cells if cell not in taken)
        return [format_points([difference(cell, zero)]) for cell in cells]

    def constant(self, question: Question) -> str:
        del question
        return "(0, 0)"

    def blind(self, question: Question, stream: np.random.Generator) -> str:
        del question
        return format_points([(float(stream.integers(-8, 9)), float(stream.integers(-8, 9)))])

    def choice(self, question: Question) -> str:
        return format_points([_truth(question)])

    def distractors(self, question: Question, stream: np.random.Generator) -> Iterator[str]:
        """Free cells of the same room, drawn like that of the question and with its heading."""
        scene, heading = question.scene, Heading[str(question.parameters["heading"]).upper()]
        zero = origin_cell(scene, str(question.parameters["origin"]))
        x, y = (int(value) for value in _truth(question))
        rooms = tuple(room.id for room in scene.rooms if room.holds((zero[0] + x, zero[1] + y)))
        for _ in range(TRIES):
            poses = [
                Pose(pose.cell, heading, pose.rooms) for pose in random_poses(scene, stream) if pose.rooms == rooms
            ]
            chosen = choose_pose(scene, poses, 2, stream)
            if chosen is not None:
                yield format_points([difference(chosen.pose.cell, zero)])


def closeness(said: Point, right: Sequence[Point], truth: Point) -> float:
    """exp(-d / |truth|) with d the distance to the nearest right point; for a truth at the origin, 1 only for d = 0."""
    apart = min((distance((said[0] - x, said[1] - y)) for x, y in right), default=math.inf)
    scale = distance(truth)
    return math.exp(-apart / scale) if scale > 0 else float(apart == 0)


def _truth(question: Question) -> Point:
    x, y = cast("list[float]", question.truth["cell"])
    return float(x), float(y)


@kind
class ViewToLocationVision(ViewToLocation):
    """An image shows the whole view, so only the exact cell is right."""

    name = QuestionKind.VIEW_TO_LOCATION_VISION
    in_pictures = True

    def right(self, question: Question) -> list[Point]:
        pose = pose_from_json(question.scene, question.parameters["image"])
        x, y = difference(pose.cell, origin_cell(question.scene, str(question.parameters["origin"])))
        return [(float(x), float(y))]
