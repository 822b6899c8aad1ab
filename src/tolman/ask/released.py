"""Questions of the authors' released runs, from the entries of their `evaluation_turn_logs*.json`.

An entry holds the question's words, its true answer and the state of the room; from these comes a `Question` that
grades like any other. What only the words tell, such as who is asked about, is read from them.
"""

import re
from collections.abc import Mapping
from typing import Literal, cast

from pydantic import BaseModel, ValidationError

from tolman.ask.question import Json, Question, QuestionKind, pose_to_json
from tolman.ask.step_words import plan_of_steps
from tolman.ask.walks import moves_to_json
from tolman.errors import SceneFileError
from tolman.geometry import Cell, heading_of
from tolman.world import START, Door, Pose, Scene, Thing
from tolman.world.grid import door_spots, rooms_of

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


class _Thing(BaseModel):
    name: str
    pos: tuple[float, float]
    ori: tuple[int, int]
    has_orientation: bool
    room_id: int


class _Gate(BaseModel):
    name: str
    pos: tuple[float, float]


class _Room(BaseModel):
    objects: list[_Thing]
    gates: list[_Gate]
    mask: list[list[int]]


class _Agent(BaseModel):
    init_pos: tuple[float, float]
    init_ori: tuple[Literal[0], Literal[1]]
    """Always north: the frame in which all is told."""


class _Sighting(BaseModel):
    name: str
    direction: str
    distance: str
    orientation: str | None


class _Truth(BaseModel):
    """The true answer of a backward question."""

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


class _Log(BaseModel):
    task_type: str
    evaluation_data: _Data


class _Entry(BaseModel):
    evaluation_log: _Log
    room_state: _Room
    agent_state: _Agent


def released_question(entry: Mapping[str, object]) -> Question | None:
    """The question of one log entry, or None for a task that is not one of ours."""
    log = entry.get("evaluation_log")
    task = cast("Mapping[str, object]", log).get("task_type") if isinstance(log, Mapping) else None
    if isinstance(task, str) and task not in KIND_OF_TASK:
        return None
    try:
        read = _Entry.model_validate(entry)
        return _question(read, _scene(read))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise SceneFileError(f"this is not an entry of a released evaluation log: {place}: {first['msg']}") from None
    except ValueError as error:
        raise SceneFileError(f"this entry of a released evaluation log makes no sense: {error}") from None


def _question(entry: _Entry, scene: Scene) -> Question:
    data = entry.evaluation_log.evaluation_data
    kind = KIND_OF_TASK[entry.evaluation_log.task_type]
    if isinstance(data.answer, _Truth):
        parameters, truth = _backward(kind, data.question, data.answer, scene)
    else:
        parameters, truth = _asked(kind, data.question, scene), _forward_truth(kind, data.answer)
    return Question(kind, parameters, truth, scene, data.question.strip())


# ---- the world ----


def _scene(entry: _Entry) -> Scene:
    gates = {_cell(gate.pos): gate.name for gate in entry.room_state.gates}
    mask = entry.room_state.mask
    doors = tuple(Door(gates.get(cell, "door"), cell, rooms, axis) for cell, rooms, axis in door_spots(mask))
    things = tuple(_thing(thing) for thing in entry.room_state.objects)
    return Scene(rooms_of(mask), doors, things, _cell(entry.agent_state.init_pos))


def _thing(thing: _Thing) -> Thing:
    front = heading_of(thing.ori) if thing.has_orientation else None
    return Thing(thing.name, thing.name, _cell(thing.pos), front, thing.room_id)


def _cell(point: tuple[float, float]) -> Cell:
    return round(point[0]), round(point[1])


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
    """What a forward question asks, as far as its words tell."""
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
        raise SceneFileError(f"the question does not tell what it asks: {words[:200]!r}")
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
    """Parameters and truth of a question that shows a view."""
    rooms = tuple(answer.room_id) if isinstance(answer.room_id, list) else (answer.room_id,)
    pose = pose_to_json(scene, Pose(_cell(answer.final_pos), heading_of(answer.final_ori), rooms))
    shown = [{"detail" if k == "orientation" else k: v for k, v in s} for s in answer.final_observation]
    asked: dict[str, Json] = {"image": pose} if kind.endswith("_vision") else {"shown": cast("list[Json]", shown)}
    if kind.startswith(QuestionKind.PERSPECTIVE_DECISION):
        return asked, {"name": answer.answer, "pose": pose}
    if kind.startswith(QuestionKind.VIEW_TO_ACTION):
        return asked, {"pose": pose, "plan": [argument for _, argument in answer.minimal_plan]}
    heading = heading_of(answer.final_ori).word
    return {**asked, "origin": _origin(words), "heading": heading}, {"cell": list(answer.coord)}
