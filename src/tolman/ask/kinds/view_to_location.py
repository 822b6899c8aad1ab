"""View to location: the coordinates from which a listed view, or an image of it, is seen."""

import math
from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from tolman.ask.coordinate_answers import Point, find_point, format_points, published_points
from tolman.ask.kinds.registry import Kind, kind
from tolman.ask.question import (
    Grade,
    Json,
    Question,
    QuestionKind,
    pose_from_json,
    pose_to_json,
    question_text,
    unparseable,
)
from tolman.ask.views import (
    choose_pose,
    consistent_cells,
    describe_origin,
    describe_sightings,
    origin_cell,
    parse_origin,
    parse_shown_view,
    random_origin,
    random_poses,
    shown_at,
    sightings_from_json,
    sightings_to_json,
)
from tolman.core.geometry import Heading, difference, distance
from tolman.core.reading import ParseFailure
from tolman.core.rules import Rules
from tolman.sense import Sighting
from tolman.world import Pose, Scene

FAR_AWAY = 1e6


@kind
class ViewToLocation(Kind):
    """The valid answers are all free floor cells."""

    name = stream = QuestionKind.VIEW_TO_LOCATION

    def sample(self, scene: Scene, stream: np.random.Generator) -> Question | None:
        chosen = choose_pose(scene, random_poses(scene, stream), 2, stream)
        if chosen is None:
            return None
        origin = random_origin(scene, chosen.pose, stream)
        cell = difference(chosen.pose.cell, origin_cell(scene, origin))
        return self.ask(scene, chosen.pose, shown_at(scene, chosen), origin, {"cell": list(cell)})

    def ask(self, scene: Scene, pose: Pose, shown: Sequence[Sighting], origin: str, truth: dict[str, Json]) -> Question:
        """The question in text; the image variant overrides it."""
        heading = pose.heading.word
        text = question_text(self.name, origin=describe_origin(origin), heading=heading, view=describe_sightings(shown))
        asked: dict[str, Json] = {"origin": origin, "heading": heading, "shown": sightings_to_json(shown)}
        return Question(self.name, asked, truth, scene, text)

    def parse_parameters(self, parts: Mapping[str, str], scene: Scene) -> dict[str, Json] | None:
        shown, origin = parse_shown_view(parts["view"], scene), parse_origin(parts["origin"], scene)
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
        shown = sightings_from_json(question.parameters["shown"])
        cells = consistent_cells(question.scene, Heading[str(question.parameters["heading"]).upper()], shown)
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

    def ask(self, scene: Scene, pose: Pose, shown: Sequence[Sighting], origin: str, truth: dict[str, Json]) -> Question:
        del shown
        heading = pose.heading.word
        text = question_text(self.name, origin=describe_origin(origin), heading=heading)
        asked: dict[str, Json] = {"origin": origin, "heading": heading, "image": pose_to_json(scene, pose)}
        return Question(self.name, asked, truth, scene, text)

    def right(self, question: Question) -> list[Point]:
        pose = pose_from_json(question.scene, question.parameters["image"])
        x, y = difference(pose.cell, origin_cell(question.scene, str(question.parameters["origin"])))
        return [(float(x), float(y))]
