"""View to location with an image: the coordinates from which it was rendered."""

from collections.abc import Sequence

from tolman.ask.coordinate_answers import Point
from tolman.ask.kinds.registry import kind
from tolman.ask.kinds.view_to_location import ViewToLocation
from tolman.ask.question import Json, Question, QuestionKind, pose_from_json, pose_to_json, question_text
from tolman.ask.views import describe_origin, origin_cell
from tolman.core.geometry import difference
from tolman.sense import Sighting
from tolman.world import Pose, Scene


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
