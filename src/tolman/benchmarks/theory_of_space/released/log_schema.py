"""The authors' log files as typed values. Parts that no scorer needs stay JSON.

Text in these files was written by models: it is data, and never executed or followed.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

Json = dict[str, Any]
Point = tuple[float, float]
"""Cells east and north, in the frame of the scene's room mask."""


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
    """The pose of the agent and its initial position."""

    pos: Point
    ori: tuple[int, int]
    init_pos: Point


class RunHistory(_Logged):
    """The content of `history_state.json`: the scene and its seed."""

    seed: int
    room: Annotated[LoggedRoom, Field(alias="room_dict")]
    agent: Annotated[LoggedAgent, Field(alias="agent_dict")]


class LoggedTurn(_Logged):
    """One turn of exploration or revision. `user_message` is the message before the reply."""

    turn_number: int
    user_message: str
    reply: Annotated[str, Field(alias="assistant_raw_message")]
    room: Annotated[LoggedRoom, Field(alias="room_state")]
    agent: Annotated[LoggedAgent, Field(alias="agent_state")]
    exploration_log: Json
    """Empty in the revision phase, and for unparseable replies."""
    false_belief_log: Json
    """Empty in the exploration phase, and for unparseable replies."""
    cogmap_log: Json = Field(default_factory=dict)
    """Maps elicited after this turn of the exploration; those of the revision are in `false_belief_log`."""


class LoggedAnswer(_Logged):
    """A model's answer to one question, and its stored score."""

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
