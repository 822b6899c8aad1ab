"""The record of one case: every reply by the name of its call, and the same with its grade or why it could not be
parsed. All scores and tables come from records.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict

from tolman.core.errors import ReplayError, TolmanError
from tolman.core.reading import ParseFailure, failure_reason
from tolman.harness.options import OptionsClass, from_record


class Call(BaseModel):
    """One reply of a model. `stop` says why it ended: `stop`, `max_tokens`, `content_filter`, ..."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    reply: str
    stop: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    """Reasoning included."""
    reasoning: str = ""
    """Reasoning before the reply, as far as the provider returns it. Recorded for readers, never graded."""
    reasoning_tokens: int = 0
    """As far as the provider counts them."""
    cost: float | None = None
    """US dollars, where the price is known."""


Asked = Literal["turns", "maps", "points", "answers"]
"""What a reply is asked for: a turn, a map, unexplored points, the answer to a question."""
ASKED: tuple[Asked, ...] = ("turns", "maps", "points", "answers")


@dataclass(frozen=True)
class GradedReply:
    """One reply under the strict rules."""

    scene: str
    call: str
    asked: Asked
    text: str | None
    """None where no reply came."""
    score: float | None
    """None for a turn, and where there was nothing to compare."""
    reason: ParseFailure | None
    """Why it could not be parsed; None for a reply that was."""
    truncated: bool
    """Whether a length limit ended it."""
    repaired: bool = False
    """Whether its JSON had to be repaired to be read."""


def graded_reply(
    scene: str,
    name: str,
    call: Call | None,
    asked: Asked,
    score: float | None,
    reason: ParseFailure | None,
    *,
    repaired: bool = False,
) -> GradedReply:
    """A reply with its score, or the most informative reason why it has none. A call of None was never answered."""
    text, stop = (None, "stop") if call is None else (call.reply, call.stop)
    why = None if reason is None else failure_reason(text, reason, stop)
    truncated = stop in ("max_tokens", "model_length")
    return GradedReply(scene, name, asked, text, score, why, truncated, repaired)


STORE_KEY = "tolman"
"""Where a log keeps the record of a case, as JSON text, in the store of a sample."""

VERSION_KEY = "tolman"
"""Under which the metadata of a log hold the version of Tolman that wrote it."""
COMMIT_KEY = "tolman commit"
"""Under which the metadata of a log hold the commit from which Tolman ran; empty where it was no checkout."""
IMPORTED_KEY = "imported"
"""Under which the metadata of a log of another harness's replies hold the set that was exported to it."""
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
