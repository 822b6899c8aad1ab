"""The best answer to any question, from what someone was told."""

from collections.abc import Callable

from tolman.ask import QuestionKind
from tolman.ideal.answers.coordinates import allocentric_mapping
from tolman.ideal.answers.locations import view_to_location
from tolman.ideal.answers.orders import mental_rotation
from tolman.ideal.answers.relations import direction, location_to_view, perspective_taking
from tolman.ideal.answers.views import perspective_decision, view_to_action
from tolman.ideal.answers.walks import action_to_view
from tolman.ideal.best import Best
from tolman.ideal.told import Told
from tolman.ideal.worlds import Worlds

_ANSWERS: dict[str, Callable[[Told, Worlds], Best]] = {
    QuestionKind.DIRECTION: direction,
    QuestionKind.PERSPECTIVE_TAKING: perspective_taking,
    QuestionKind.PERSPECTIVE_DECISION: perspective_decision,
    QuestionKind.ACTION_TO_VIEW: action_to_view,
    QuestionKind.VIEW_TO_ACTION: view_to_action,
    QuestionKind.ALLOCENTRIC_MAPPING: allocentric_mapping,
    QuestionKind.MENTAL_ROTATION: mental_rotation,
    QuestionKind.LOCATION_TO_VIEW: location_to_view,
    QuestionKind.VIEW_TO_LOCATION: view_to_location,
}


def best_answer(told: Told, worlds: Worlds) -> Best | None:
    """The reply of highest expected score over some worlds; None for a kind of question that has no ceiling yet."""
    answer = _ANSWERS.get(told.kind)
    return None if answer is None else answer(told, worlds)
