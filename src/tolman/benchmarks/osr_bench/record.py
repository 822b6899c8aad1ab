"""The record of one scene: every reply by the name of its call, with tokens and price. All scores and tables are
computed from it.

Calls are named `TURN/map` and `TURN/QUESTION`: the rotation of the camera in degrees, and the number of the
question."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, cast

from pydantic import BaseModel, ConfigDict

from tolman.benchmarks.osr_bench.case import Case, case_from_dict
from tolman.benchmarks.osr_bench.options import OPTIONS_OF_OLD_LOGS, Options
from tolman.benchmarks.osr_bench.questions.question import Question
from tolman.core.errors import ReplayError, TolmanError
from tolman.harness.calls import Call

FORMAT: Literal["tolman.osr_bench/1"] = "tolman.osr_bench/1"
STORE_KEY = "tolman"
"""Where a log keeps the record, in the store of a sample."""


def map_call(turn: int) -> str:
    """The reply that states the map, with the camera turned so many degrees."""
    return f"{turn}/map"


def question_call(turn: int, question: Question) -> str:
    """The reply to a question."""
    return f"{turn}/{question.turn}"


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class JudgedAnswer(_Closed):
    """What a judge said of one answer."""

    name: str
    """Of the call that was judged."""
    score: float | None
    """1 for right, 0 for wrong; None where the judge's own reply could not be read."""
    confidence: str = ""
    """High, middle or low."""
    reply: str = ""


class Record(_Closed):
    """What a model said about one scene."""

    format: Literal["tolman.osr_bench/1"] = FORMAT
    calls: list[Call] = []
    judge: str = ""
    """The model that was asked for its judgement, if one was."""
    judged: list[JudgedAnswer] = []
    judge_calls: list[Call] = []
    """What the judgements cost."""

    @property
    def replies(self) -> dict[str, str]:
        return {call.name: call.reply for call in self.calls}


@dataclass(frozen=True)
class LoggedCase:
    """A record with the case and options that it belongs to."""

    case: Case
    options: Options
    record: Record


def read_record(metadata: Mapping[str, object], stored: object) -> LoggedCase:
    """The record of a logged sample, from its metadata and what its store holds under `STORE_KEY`, both JSON text."""
    try:
        record = Record.model_validate_json(stored) if isinstance(stored, str) else Record()
        case = case_from_dict(json.loads(str(metadata["case"])))
        given = {**OPTIONS_OF_OLD_LOGS, **cast("Mapping[str, object]", metadata["options"])}
        options = Options(**{name: tuple(v) if isinstance(v, list) else v for name, v in given.items()})  # pyright: ignore[reportArgumentType, reportUnknownArgumentType]
    except (ValueError, KeyError, TypeError, TolmanError) as error:
        raise ReplayError(f"this sample holds no {FORMAT} record: {' '.join(str(error).split())}") from None
    return LoggedCase(case, options, record)
