"""Questions of the authors' released runs, converted to ours.

A logged question has its text and its true answer; with the scene, these make a `Question` that is graded like any
other. Parameters that are not logged separately are parsed from the text.
"""

import re
from typing import cast

from pydantic import BaseModel, ValidationError

from tolman.ask.plans import moves_to_json, plan_of_steps
from tolman.ask.question import Json, Question, QuestionKind, pose_to_json
from tolman.benchmarks.theory_of_space.released.run_files import ReleasedRunError
from tolman.core.geometry import heading_of
from tolman.world import START, Pose, Scene

KIND_OF_TASK = {
    "DirectionEvaluationTask": QuestionKind.DIRECTION,
    "PovEvaluationTask": QuestionKind.PERSPECTIVE_TAKING,
    "BackwardPovTextEvaluationTask": QuestionKind.PERSPECTIVE_DECISION,
    "BackwardPovVisionEvaluationTask": QuestionKind.PERSPECTIVE_DECISION_VISION,
    "Action2ViewEvaluationTask": QuestionKind.ACTION_TO_VIEW,
    "View2ActionTextEvaluationTask": QuestionKind.VIEW_TO_ACTION,
    "View2ActionVisionEvaluationTask": QuestionKind.VIEW_TO_ACTION_VISION,
    "AlloMappingEvaluationTask": QuestionKind.ALLOCENTRIC_MAPPING,
    "RotEvaluationTask": QuestionKind.MENTAL_ROTATION,
    "Location2ViewEvaluationTask": QuestionKind.LOCATION_TO_VIEW,
    "Action2LocationEvaluationTask": QuestionKind.LOCATION_TO_VIEW,
    "View2LocationTextEvaluationTask": QuestionKind.VIEW_TO_LOCATION,
    "Location2ActionTextEvaluationTask": QuestionKind.VIEW_TO_LOCATION,
    "View2LocationVisionEvaluationTask": QuestionKind.VIEW_TO_LOCATION_VISION,
    "Location2ActionVisionEvaluationTask": QuestionKind.VIEW_TO_LOCATION_VISION,
}
"""Our kind for each class name in the logs. One unused task, `RotDualEvaluationTask`, has none."""


class _Sighting(BaseModel):
    name: str
    direction: str
    distance: str
    orientation: str | None


class _Truth(BaseModel):
    """The true answer of a question that gives a view."""

    answer: str = ""
    coord: tuple[int, int] = (0, 0)
    final_pos: tuple[float, float]
    final_ori: tuple[int, int]
    room_id: int | list[int]
    final_observation: list[_Sighting]
    minimal_plan: list[tuple[str, int | str]] = []


class _Data(BaseModel):
    question: str
    answer: str | list[str] | list[tuple[float, float]] | _Truth


def released_question(task: str, data: Json, scene: Scene) -> Question | None:
    """The question of a logged answer (`evaluation_data` of its entry); None for an unsupported task."""
    kind = KIND_OF_TASK.get(task)
    if kind is None:
        return None
    try:
        read = _Data.model_validate(data)
        if isinstance(read.answer, _Truth):
            parameters, truth = _backward(kind, read.question, read.answer, scene)
        else:
            parameters, truth = _asked(kind, read.question, scene), _forward_truth(kind, read.answer)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ReleasedRunError(f"not a question of a released log: {place}: {first['msg']}") from None
    except ValueError as error:
        raise ReleasedRunError(f"a question of a released log is invalid: {error}") from None
    return Question(kind, parameters, truth, scene, read.question.strip())


# ---- what is asked ----

_WORDS: dict[str, tuple[re.Pattern[str], tuple[str, ...]]] = {
    QuestionKind.DIRECTION: (re.compile(r"where (.+) is relative to (.+)\."), ("of", "from")),
    QuestionKind.PERSPECTIVE_TAKING: (
        re.compile(r"jump to (.+)'s (?:direction|position),[^\n]*\n[^\n]*where (.+) is relative"),
        ("at", "of"),
    ),
    QuestionKind.ACTION_TO_VIEW: (re.compile(r"ego relation of (.+) relative to you"), ("of",)),
    QuestionKind.LOCATION_TO_VIEW: (re.compile(r"egocentric relation of (.+)\?"), ("of",)),
    QuestionKind.MENTAL_ROTATION: (re.compile(r"turning (\w+)"), ("turn",)),
}
_POSE = re.compile(r"move to \((-?\d+), (-?\d+)\) and face (\w+)")
_ORIGIN = re.compile(r"[Tt]reat the (.+) as the new 'origin'")
_LISTED = re.compile(r"(?:set of objects|Objects): ([^\n]+)\.")
_STEP = re.compile(r"^\d+\. (.+?)\.?$", re.MULTILINE)


def _asked(kind: str, words: str, scene: Scene) -> dict[str, Json]:
    """Parameters of a question that gives no view, parsed from its text."""
    asked: dict[str, Json] = {}
    if kind in _WORDS:
        pattern, names = _WORDS[kind]
        asked |= dict(zip(names, _found(pattern, words), strict=True))
    if kind in (QuestionKind.MENTAL_ROTATION, QuestionKind.ALLOCENTRIC_MAPPING):
        asked["things"] = [name.strip() for name in _found(_LISTED, words)[0].split(",")]
    if kind == QuestionKind.ACTION_TO_VIEW:
        asked["plan"] = moves_to_json(plan_of_steps(scene, _STEP.findall(words)) or ())
    if kind == QuestionKind.LOCATION_TO_VIEW:
        x, y, heading = _found(_POSE, words)
        asked |= {"origin": _origin(words), "cell": [int(x), int(y)], "heading": heading}
    return asked


def _found(pattern: re.Pattern[str], words: str) -> tuple[str, ...]:
    found = pattern.search(words)
    if found is None:
        raise ReleasedRunError(f"can't parse the text of a question: {words[:200]!r}")
    return found.groups()


def _origin(words: str) -> str:
    door = _ORIGIN.search(words)
    return door[1] if door else START


def _forward_truth(kind: str, answer: str | list[str] | list[tuple[float, float]]) -> dict[str, Json]:
    if isinstance(answer, str):
        direction, _, distance = answer.partition(", ")
        return {"direction": direction, "distance": distance}
    values = cast("list[Json]", [item if isinstance(item, str) else list(item) for item in answer])
    return {"order" if kind == QuestionKind.MENTAL_ROTATION else "points": values}


def _backward(kind: str, words: str, answer: _Truth, scene: Scene) -> tuple[dict[str, Json], dict[str, Json]]:
    """Parameters and truth of a question that gives a view."""
    x, y = answer.final_pos
    rooms = tuple(answer.room_id) if isinstance(answer.room_id, list) else (answer.room_id,)
    pose = pose_to_json(scene, Pose((round(x), round(y)), heading_of(answer.final_ori), rooms))
    shown = [{"detail" if k == "orientation" else k: v for k, v in s} for s in answer.final_observation]
    asked: dict[str, Json] = {"image": pose} if kind.endswith("_vision") else {"shown": cast("list[Json]", shown)}
    if kind.startswith(QuestionKind.PERSPECTIVE_DECISION):
        return asked, {"name": answer.answer, "pose": pose}
    if kind.startswith(QuestionKind.VIEW_TO_ACTION):
        return asked, {"pose": pose, "plan": [argument for _, argument in answer.minimal_plan]}
    heading = heading_of(answer.final_ori).word
    return {**asked, "origin": _origin(words), "heading": heading}, {"cell": list(answer.coord)}
