"""One reply of a model as every record keeps it, and the same with its grade or why it could not be parsed."""

from dataclasses import dataclass
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tolman.core.reading import ParseFailure, failure_reason


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
