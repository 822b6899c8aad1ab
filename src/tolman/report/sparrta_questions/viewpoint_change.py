"""What the viewpoint changes: pictures that were asked about from the camera and from the person."""

from collections.abc import Sequence
from dataclasses import dataclass

from tolman.report.intervals import Interval
from tolman.report.sparrta_questions.accuracy import share
from tolman.report.sparrta_questions.answered import Answered


@dataclass(frozen=True)
class ViewpointChange:
    """Shares of pictures."""

    pictures: int
    both_right: Interval
    same_said: Interval
    """The same was said from both viewpoints."""
    same_true: Interval
    """The same is right from both."""
    as_camera: Interval
    """Of pictures where another answer is right, those where what is right from the camera is said of the person."""


def viewpoint_change(answers: Sequence[Answered]) -> ViewpointChange:
    """Of a picture that was asked about repeatedly, the last time counts."""
    ego = {answer.picture: answer for answer in answers if answer.viewpoint == "ego"}
    allo = {answer.picture: answer for answer in answers if answer.viewpoint == "allo"}
    both = [(ego[picture], allo[picture]) for picture in ego if picture in allo]
    apart = [(camera, person) for camera, person in both if camera.answer != person.answer]
    count = len(both)
    return ViewpointChange(
        pictures=count,
        both_right=share(sum(camera.right and person.right for camera, person in both), count),
        same_said=share(sum(camera.said is not None and camera.said == person.said for camera, person in both), count),
        same_true=share(count - len(apart), count),
        as_camera=share(sum(person.said == camera.answer for camera, person in apart), len(apart)),
    )
