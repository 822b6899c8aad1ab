"""The authors' log files as typed values. What no grader needs is left as plain JSON.

Text in these files was written by models and their tools: it is data, and nothing here acts on it.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Json = dict[str, Any]
Point = tuple[float, float]
"""Cells east and north, in the frame of the scene's mask."""


class _Logged(BaseModel):
    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class LoggedThing(_Logged):
    """An object of a logged room. `ori` means nothing where `has_orientation` is false."""

    name: str
    pos: Point
    ori: tuple[int, int]
    has_orientation: bool
    room_id: int


class LoggedGate(_Logged):
    """A door of a logged room."""

    name: str
    pos: Point


class LoggedRoom(_Logged):
    """The state of a world: `room_dict` or `room_state` in the files."""

    objects: tuple[LoggedThing, ...]
    gates: tuple[LoggedGate, ...]
    mask: tuple[tuple[int, ...], ...]


class LoggedAgent(_Logged):
    """The pose of the agent, now and where it began."""

    pos: Point
    ori: tuple[int, int]
    init_pos: Point


class RunHistory(_Logged):
    """What `history_state.json` holds: the scene, and the number it was made from."""

    seed: int
    room: Annotated[LoggedRoom, Field(alias="room_dict")]
    agent: Annotated[LoggedAgent, Field(alias="agent_dict")]


class LoggedTurn(_Logged):
    """One reply of a model while it explores or revises. `user_message` is what it had been told before."""

    turn_number: int
    user_message: str
    reply: Annotated[str, Field(alias="assistant_raw_message")]
    room: Annotated[LoggedRoom, Field(alias="room_state")]
    agent: Annotated[LoggedAgent, Field(alias="agent_state")]
    exploration_log: Json
    """Empty in the revision phase, and where the reply could not be read."""
    false_belief_log: Json
    """Empty in the exploration phase, and where the reply could not be read."""
    cogmap_log: Json = Field(default_factory=dict)
    """Map probes after this turn of the exploration; in the revision phase they are in `false_belief_log`."""


class LoggedAnswer(_Logged):
    """A model's answer to one question, and the score it was given."""

    task: str
    question_id: str
    reply: str
    score: float
    question: Json
    """Wording, truth and parameters: `evaluation_data` in the file."""
    agent: LoggedAgent


class _Evaluation(_Logged):
    user_answer: str
    score: float
    evaluation_data: Json


class _EvaluationTurn(_Logged):
    evaluation_log: _Evaluation
    agent_state: LoggedAgent


TURNS = TypeAdapter(tuple[LoggedTurn, ...])
HISTORY = TypeAdapter(RunHistory)
OBJECT = TypeAdapter(Json)
MESSAGES = TypeAdapter(tuple[Json, ...])
EVALUATIONS = TypeAdapter(dict[str, dict[str, _EvaluationTurn]])


def answers(tasks: dict[str, dict[str, _EvaluationTurn]]) -> tuple[LoggedAnswer, ...]:
    """The answers of an evaluation file, in its order."""
    return tuple(
        LoggedAnswer(
            task=task,
            question_id=question_id,
            reply=turn.evaluation_log.user_answer,
            score=turn.evaluation_log.score,
            question=turn.evaluation_log.evaluation_data,
            agent=turn.agent_state,
        )
        for task, turns in tasks.items()
        for question_id, turn in turns.items()
    )
