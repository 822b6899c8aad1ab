"""The record of one scene: every reply by the name of its call, with tokens and price. All scores and tables are
computed from it.

Calls are named `TURN/map` and `TURN/QUESTION`: the rotation of the camera in degrees, and the number of the
question."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from tolman.benchmarks.osr_bench.case import Case, case_from_dict
from tolman.benchmarks.osr_bench.options import OPTIONS_OF_OLD_LOGS, Options
from tolman.benchmarks.osr_bench.questions.question import Question
from tolman.harness import records
from tolman.harness.calls import Call
from tolman.harness.records import CaseRecord, RecordFormat

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
