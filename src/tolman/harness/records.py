"""The record of one case: every reply by the name of its call. All scores and tables come from records."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from tolman.core.errors import ReplayError, TolmanError
from tolman.harness.calls import Call
from tolman.harness.options import OptionsClass, from_record

STORE_KEY = "tolman"
"""Where a log keeps the record of a case, as JSON text, in the store of a sample."""

VERSION_KEY = "tolman"
"""Under which the metadata of a log hold the version of Tolman that wrote it."""
WORDINGS_KEY = "wordings"
"""Where the metadata of a log and of its samples keeps the digest of the texts that prompts were made of."""


class CaseRecord(BaseModel):
    """The replies of a model to one case. Each benchmark adds its `format` and further fields."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    calls: list[Call] = []

    @property
    def replies(self) -> dict[str, str]:
        return {call.name: call.reply for call in self.calls}


C = TypeVar("C")
O = TypeVar("O", bound=OptionsClass)  # noqa: E741
R = TypeVar("R", bound=CaseRecord)


@dataclass(frozen=True, eq=False)
class LoggedCase(Generic[C, O, R]):
    """A record with the case and the options that it belongs to."""

    case: C
    options: O
    record: R


@dataclass(frozen=True)
class RecordFormat(Generic[C, O, R]):
    """How a benchmark writes its cases and records into logs, and reads them back."""

    name: str
    """Such as `tolman.osr_bench/1`."""
    record: type[R]
    options: type[O]
    case_from_dict: Callable[[Mapping[str, object]], C]
    unrecorded: Mapping[str, object] | None = None
    """Values of options for logs written before these options existed."""

    def read(self, metadata: Mapping[str, object], stored: object) -> LoggedCase[C, O, R]:
        """The record of a logged sample, from its metadata and what its store holds under `STORE_KEY`.

        Both are JSON text, since Inspect copies and compares nested values many times.
        """
        try:
            record = self.record.model_validate_json(stored) if isinstance(stored, str) else self.record()
            case = self.case_from_dict(json.loads(str(metadata["case"])))
            options = self.read_options(metadata["options"])
        except (ValueError, KeyError, TypeError, TolmanError) as error:
            raise ReplayError(f"this sample holds no {self.name} record: {' '.join(str(error).split())}") from None
        return LoggedCase(case, options, record)

    def read_options(self, values: object) -> O:
        """The options that a log holds."""
        if not isinstance(values, Mapping):
            raise TypeError(f"expected an object, not {type(values).__name__}")
        return from_record(self.options, cast("Mapping[str, object]", values), self.unrecorded)
