"""One case of an evaluation (a panorama with its true map and its questions) and its record: every reply by the name
of its call, with tokens and price. All scores and tables are computed from records.

Calls are named `TURN/map` and `TURN/QUESTION`: the rotation of the camera in degrees, and the number of the question.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from tolman.benchmarks.osr_bench.maps.grid import GridMap, map_from_lists
from tolman.benchmarks.osr_bench.options import OPTIONS_OF_OLD_LOGS, Options
from tolman.benchmarks.osr_bench.questions.question import Question
from tolman.core.errors import SceneFileError
from tolman.harness import records
from tolman.harness.records import Call, CaseRecord, RecordFormat

CORNERS = ("top left", "top right", "bottom right", "bottom left")
"""Corners of the grid, clockwise."""


@dataclass(frozen=True)
class Case:
    """One scene with one set of questions."""

    id: str
    truth: GridMap
    pool: tuple[str, ...]
    """Classes that the prompt for the map names."""
    questions: tuple[Question, ...]
    seed: int | None = None
    """Seed of a generated room; None for a panorama from a file."""
    picture: str = ""
    """File of the panorama; empty for a generated room."""
    corner: str | None = CORNERS[0]
    """Corner of the grid that the room touches when the top of the map is straight ahead; None if unknown."""

    def __post_init__(self) -> None:
        if self.corner is not None and self.corner not in CORNERS:
            raise SceneFileError(f"a grid has no corner {self.corner!r}")


def case_to_dict(case: Case) -> dict[str, object]:
    """Plain values, ready for JSON."""
    return {
        "id": case.id,
        "truth": case.truth.as_lists,
        "pool": list(case.pool),
        "questions": [
            {"turn": q.turn, "kind": q.kind, "names": list(q.names), "answer": q.answer, "text": q.text}
            for q in case.questions
        ],
        "seed": case.seed,
        "picture": case.picture,
        "corner": case.corner,
    }


def case_from_dict(values: Mapping[str, object]) -> Case:
    """The case that `case_to_dict` wrote; a `SceneFileError` says what is wrong with anything else."""
    try:
        seed, corner = values["seed"], values["corner"]
        return Case(
            id=str(values["id"]),
            truth=map_from_lists(values["truth"]),
            pool=tuple(map(str, cast("Sequence[object]", values["pool"]))),
            questions=_QUESTIONS.validate_python(values["questions"]),
            seed=None if seed is None else int(cast("int", seed)),
            picture=str(values["picture"]),
            corner=None if corner is None else str(corner),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise SceneFileError(f"this is not a case of OSR-Bench: {error!r}") from None


_QUESTIONS = TypeAdapter(tuple[Question, ...])


FORMAT: Literal["tolman.osr_bench/1"] = "tolman.osr_bench/1"


def map_call(turn: int) -> str:
    """Name of the call for the map, with the camera rotated by `turn` degrees."""
    return f"{turn}/map"


def question_call(turn: int, question: Question) -> str:
    """Name of the call for a question."""
    return f"{turn}/{question.turn}"


class JudgedAnswer(BaseModel):
    """A judge's verdict on one answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    """Name of the judged call."""
    score: float | None
    """1 for right, 0 for wrong; None if the judge's reply is unparseable."""
    confidence: str = ""
    """High, middle or low."""
    reply: str = ""


class Record(CaseRecord):
    """A model's replies about one scene."""

    format: Literal["tolman.osr_bench/1"] = FORMAT
    judge: str = ""
    """The judge model, if there was one."""
    judged: list[JudgedAnswer] = Field(default=[])
    judge_calls: list[Call] = Field(default=[])
    """Calls to the judge, with tokens and price."""


LoggedCase = records.LoggedCase[Case, Options, Record]
RECORDS = RecordFormat(FORMAT, Record, Options, case_from_dict, OPTIONS_OF_OLD_LOGS)
read_record = RECORDS.read
