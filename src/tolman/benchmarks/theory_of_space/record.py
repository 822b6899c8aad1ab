"""The record of one scene: every reply by name of its call, with what it cost. All scores and tables come from it."""

import json
from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tolman.benchmarks.call import Call
from tolman.benchmarks.theory_of_space.case import Case, case_from_dict
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.scores import SceneScores, score_scene
from tolman.errors import ReplayError, TolmanError
from tolman.rules import Rules

FORMAT: Literal["tolman.theory_of_space/1"] = "tolman.theory_of_space/1"
STORE_KEY = "tolman"
"""Where a log keeps the record, in the store of a sample."""


class _Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class SceneRecord(_Closed):
    """What a model said in one scene."""

    format: Literal["tolman.theory_of_space/1"] = FORMAT
    log: list[str] = []
    """Actions of the explorer whose log a passive model read."""
    calls: list[Call] = []

    @property
    def replies(self) -> dict[str, str]:
        return {call.name: call.reply for call in self.calls}


class ScoredCase:
    """A record with the case and options that it belongs to."""

    def __init__(self, case: Case, options: Options, record: SceneRecord) -> None:
        self.case, self.options, self.record = case, options, record

    def scores(self, rules: Rules) -> SceneScores:
        """The scores of the record under a rule set."""
        return score_scene(self.case, self.options, self.record.replies, self.record.log, rules)


def read_record(metadata: Mapping[str, object], stored: object) -> ScoredCase:
    """The record of a logged sample, from its metadata and what its store holds under `STORE_KEY`.

    Both are kept as JSON text: Inspect copies and compares what is nested, over and over.
    """
    try:
        record = SceneRecord.model_validate_json(stored) if isinstance(stored, str) else SceneRecord()
        case = case_from_dict(json.loads(str(metadata["case"])))
        options = Options(**{name: _tuple(value) for name, value in _mapping(metadata["options"]).items()})  # pyright: ignore[reportArgumentType]
    except (ValueError, KeyError, TypeError, TolmanError) as error:
        raise ReplayError(f"this sample holds no {FORMAT} record: {' '.join(str(error).split())}") from None
    return ScoredCase(case, options, record)


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, Mapping):
        raise TypeError(f"expected an object, not {type(value).__name__}")
    return value  # pyright: ignore[reportUnknownVariableType]


def _tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
