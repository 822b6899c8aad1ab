"""Replies as a page keeps them: whole, unless one is so long that nobody would wait for the page."""

from collections.abc import Iterable

LONGEST = 200_000
"""Letters of one reply."""
LONGEST_TOGETHER = 4_000_000
"""Letters of all replies of a page; beyond it the longest are cut shorter."""
_SHORTEST_CUT = 4_000
_END = 0.1


class Shortener:
    """Cuts the replies of one page. The end stays, since answers stand there."""

    def __init__(self, replies: Iterable[str]) -> None:
        self.limit = _limit([min(len(reply), LONGEST) for reply in replies])

    def __call__(self, reply: str | None) -> dict[str, object] | None:
        """The text; for a cut one also its `end`, and its whole `length` in letters."""
        if reply is None:
            return None
        if len(reply) <= self.limit:
            return {"text": reply}
        end = int(self.limit * _END)
        return {"text": reply[: self.limit - end], "end": reply[-end:], "length": len(reply)}


def _limit(lengths: list[int]) -> int:
    """The longest that a reply may be for all to fit."""
    limit = LONGEST
    while limit > _SHORTEST_CUT and sum(min(length, limit) for length in lengths) > LONGEST_TOGETHER:
        limit //= 2
    return limit
