"""How a scene is told: what a look shows, in words or by a picture's mark."""

from tolman.ask import Question
from tolman.belief.probes import ask_unexplored, ask_unexplored_picture
from tolman.belief.unexplored import Points, point_map
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.picture_marks import Look, PointPlan, mark
from tolman.explore.actions import Phase
from tolman.explore.words import SayLook
from tolman.sense import Observation, say_observation
from tolman.sense.words import YOU_SEE
from tolman.world import Pose, Scene


def in_pictures(case: Case, options: Options) -> bool:
    """Whether looks are told by pictures. Released runs are not: what they were shown then can't be rendered here."""
    return options.world == "vision" and not case.released


def telling(case: Case, options: Options, scene: Scene, phase: Phase) -> SayLook:
    """How a look is told in a phase, in which the world is `scene`."""
    if not in_pictures(case, options):
        return say_observation

    def say(observation: Observation) -> str:
        pose = scene.pose_at(observation.standing_on, observation.heading)
        return f"{YOU_SEE}\n{mark(Look(phase, pose.cell, pose.heading))}"

    return say


def tell_question(question: Question) -> str:
    """A question as it is put: where it comes with a view, the view's mark is in it."""
    pose = question.image
    return question.text if pose is None else question.text.replace("<image>", _view(pose))


def tell_points(case: Case, options: Options, pose: Pose, points: Points) -> str:
    """The request for unexplored points, with a plan of the place in characters or as a picture."""
    if not in_pictures(case, options):
        return ask_unexplored(point_map(case.scene, pose, points))
    return ask_unexplored_picture(mark(PointPlan(pose.cell, pose.heading, points.cells)))


def _view(pose: Pose) -> str:
    return mark(Look("explore", pose.cell, pose.heading))
