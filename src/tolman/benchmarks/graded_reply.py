"""One reply of a model with what became of it, in any benchmark: its score, or why it could not be parsed."""

from dataclasses import dataclass
from typing import Literal

from tolman.benchmarks.call import Call
from tolman.reading import Unread, why_unread

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
    reason: Unread | None
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
    reason: Unread | None,
    *,
    repaired: bool = False,
) -> GradedReply:
    """A reply with its score, or the reason that tells most about why it has none. A call of None never came."""
    text, stop = (None, "stop") if call is None else (call.reply, call.stop)
    why = None if reason is None else why_unread(text, reason, stop)
    truncated = stop in ("max_tokens", "model_length")
    return GradedReply(scene, name, asked, text, score, why, truncated, repaired)
