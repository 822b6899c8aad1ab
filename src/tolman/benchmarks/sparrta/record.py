"""The record of one picture: the reply from each viewpoint, with tokens and price. All scores and tables are
computed from it.

Calls are named after their viewpoints, `ego` and `allo`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from pydantic import BaseModel, ConfigDict

from tolman.benchmarks.sparrta.case import Case, case_from_dict
from tolman.benchmarks.sparrta.options import Options
from tolman.core.errors import ReplayError, TolmanError
from tolman.harness.calls import Call

FORMAT: Literal["tolman.sparrta/1"] = "tolman.sparrta/1"
STORE_KEY = "tolman"
"""Where a log keeps the record, in the store of a sample."""


class Record(BaseModel):
    """What a model said about one picture."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    format: Literal["tolman.sparrta/1"] = FORMAT
    calls: list[Call] = []

    @property
    def replies(self) -> dict[str, str]:
        return {call.name: call.reply for call in self.calls}


@dataclass(frozen=True)
class LoggedCase:
    """A record with the case and options that it belongs to."""

    case: Case
    options: Options
    record: Record


def options_from_dict(values: Mapping[str, object]) -> Options:
    """The options that a log holds."""
    plain: dict[str, Any] = dict(values)
    plain["viewpoints"] = tuple(plain["viewpoints"])
    return Options(**plain)


def read_record(metadata: Mapping[str, object], stored: object) -> LoggedCase:
    """The record of a logged sample, from its metadata and what its store holds under `STORE_KEY`, both JSON text."""
    try:
        record = Record.model_validate_json(stored) if isinstance(stored, str) else Record()
        case = case_from_dict(json.loads(str(metadata["case"])))
        options = options_from_dict(cast("Mapping[str, object]", metadata["options"]))
    except (ValueError, KeyError, TypeError, TolmanError) as error:
        raise ReplayError(f"this sample holds no {FORMAT} record: {' '.join(str(error).split())}") from None
    return LoggedCase(case, options, record)
