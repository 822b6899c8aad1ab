"""Cases of the authors' released runs: their scenes before and after the change, and their questions.

A logged question has its text and its true answer; with the scene, these make a `Question` that is graded like any
other. Parameters that are not logged separately are parsed from the text.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import cast

from pydantic import BaseModel, ValidationError

from tolman.ask import find_kind
from tolman.ask.plans import moves_to_json, plan_of_steps
from tolman.ask.question import Json, Question, QuestionKind, pose_to_json
from tolman.belief.map_scores import MapScale
from tolman.benchmarks.theory_of_space.case import Case, turn_call
from tolman.benchmarks.theory_of_space.options import PASSIVE_EXPLORERS, Options
from tolman.benchmarks.theory_of_space.released.rescore_maps import OldBelief, old_belief
from tolman.benchmarks.theory_of_space.released.run_files import (
    LoggedAnswer,
    LoggedRoom,
    LoggedThing,
    LoggedTurn,
    Point,
    ReleasedRun,
    ReleasedRunError,
    find_runs,
)
from tolman.core.errors import SceneFileError
from tolman.core.geometry import Cell, Heading, heading_of
from tolman.core.rules import PUBLISHED
from tolman.explore.actions import Actions, Phase, Query
from tolman.explore.grammar import read_actions
from tolman.world import START, Door, Pose, Scene, Thing, changes_between
from tolman.world.files import door_spots, rooms_of

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


def scene_of(run: ReleasedRun) -> Scene:
    """The scene of a run before the change."""
    history = run.history
    return _scene_from_log(run, history.room, history.agent.init_pos)


def changed_scene_of(run: ReleasedRun) -> Scene | None:
    """The scene after the change; None if the revision phase was not run."""
    return _first_revision_scene(run, run.revision_turns)


def _first_revision_scene(run: ReleasedRun, revised: Sequence[LoggedTurn]) -> Scene | None:
    return _scene_from_log(run, revised[0].room, revised[0].agent.init_pos) if revised else None


def _scene_from_log(run: ReleasedRun, room: LoggedRoom, start: Point) -> Scene:
    names = {_cell(gate.pos): gate.name for gate in room.gates}
    try:
        spots = door_spots(room.mask)
        if {cell for cell, *_ in spots} != set(names):
            raise SceneFileError("its list of doors does not match its mask")
        return Scene(
            rooms=rooms_of(room.mask),
            doors=tuple(Door(names[cell], cell, sides, axis) for cell, sides, axis in spots),
            things=tuple(map(_thing, room.objects)),
            start=_cell(start),
            label=run.scene_hash,
        )
    except (SceneFileError, ValueError) as error:
        raise ReleasedRunError(f"the scene of the run {run} can't be rebuilt: {error}") from None


def _thing(thing: LoggedThing) -> Thing:
    front: Heading | None = heading_of(thing.ori) if thing.has_orientation else None
    return Thing(thing.name, thing.name, _cell(thing.pos), front, thing.room_id)


def _cell(point: Point) -> Cell:
    return round(point[0]), round(point[1])


def released_cases(source: str, options: Options) -> list[Case] | None:
    """The cases of a model's released runs in the world and mode of the options; None for any other source."""
    runs = released_runs(source)
    if runs is None:
        return None
    cases = [
        released_case(run, options) for run in runs if (run.world, run.exploration) == (options.world, options.mode)
    ]
    if not cases:
        raise ReleasedRunError(f"{source} holds no {options.mode} run in the {options.world} world")
    return cases


def released_runs(source: str) -> tuple[ReleasedRun, ...] | None:
    """The runs of one model, by scene; None if the source is not of the form `RUNS:MODEL`."""
    path, colon, model = source.rpartition(":")
    if not colon or not Path(path).exists():
        return None
    runs = [run for run in _all_runs(path) if run.model == model]
    if not runs:
        known = ", ".join(sorted({run.model for run in _all_runs(path)}))
        raise ReleasedRunError(f"{path} holds no run of {model!r}; it has {known}")
    return tuple(sorted(runs, key=lambda run: run.seed))


@lru_cache(maxsize=2)
def _all_runs(path: str) -> tuple[ReleasedRun, ...]:
    return tuple(find_runs(Path(path)))


def case_id(run: ReleasedRun) -> str:
    """Id of the case of a run, including settings that differ from the default."""
    unusual = run.proxy if run.proxy != PASSIVE_EXPLORERS[run.world] else None
    parts = (f"{run.seed:02}", run.world, run.exploration, unusual, None if run.thinking else "nothink")
    return "-".join(filter(None, parts))


QuestionId = tuple[str, str]
"""The authors' name of the kind of question, and their id of the question."""


def asked_questions(run: ReleasedRun, kinds: tuple[str, ...] = ()) -> list[tuple[QuestionId, Question]]:
    """The questions of a run in all map modes, each once; without `kinds`, those that need no picture."""
    scene = scene_of(run)
    answers = (answer for mode in run.evaluation_modes for answer in run.answers(mode))
    logged: dict[QuestionId, LoggedAnswer] = {}
    for answer in answers:
        logged.setdefault((answer.task, answer.question_id), answer)
    asked = ((key, released_question(answer.task, answer.question, scene)) for key, answer in logged.items())
    return [
        (key, question)
        for key, question in asked
        if question is not None and (question.kind in kinds if kinds else not find_kind(question.kind).in_pictures)
    ]


def released_case(run: ReleasedRun, options: Options) -> Case:
    """The case of a released run."""
    scene, changed = scene_of(run), changed_scene_of(run) if options.revises else None
    old = None if changed is None else _old_belief(run, scene, changed)
    questions = asked_questions(run, options.kinds) if "ask" in options.phases else []
    return Case(
        id=case_id(run),
        seed=run.seed,
        scene=scene,
        changed=changed,
        questions=tuple(question for _, question in questions),
        explorer=run.proxy if run.proxy and run.proxy in PASSIVE_EXPLORERS.values() else "",
        released=True,
        refused=tuple(_refused(run)),
        old_positions={} if old is None else old.positions,
        old_is_lost=old is not None and old.is_lost,
    )


def _old_belief(run: ReleasedRun, scene: Scene, changed: Scene) -> OldBelief:
    replies = (turn.cogmap_log.get("global", {}).get("original_response") for turn in reversed(run.exploration_turns))
    last = next((reply for reply in replies if reply is not None), None)
    return old_belief(scene, changes_between(scene, changed), last, run.revision_turns, MapScale.of(scene).length)


def _refused(run: ReleasedRun) -> Iterator[str]:
    """Calls of turns whose query was refused according to the log."""
    phases: tuple[tuple[Phase, tuple[LoggedTurn, ...]], ...] = (
        ("explore", run.exploration_turns),
        ("revise", run.revision_turns),
    )
    for phase, turns in phases:
        for number, (turn, answer) in enumerate(pairwise(turns), start=1):
            asked = read_actions(turn.reply, PUBLISHED, phase)
            if isinstance(asked, Actions) and isinstance(asked.final, Query) and "Cannot query" in answer.user_message:
                yield turn_call(phase, number)
