"""Replies as a page keeps them: whole, unless one is so long that nobody would wait for the page."""

from collections.abc import Iterable

from tolman.benchmarks.call import Call

LONGEST = 200_000
"""Letters of one reply."""
LONGEST_TOGETHER = 4_000_000
"""Letters of all replies of a page; beyond it the longest are cut shorter."""
_SHORTEST_CUT = 4_000
_END = 0.1


class Shortener:
    """Cuts the replies of one page. The end stays, since answers stand there."""

    def __init__(self, calls: Iterable[Call]) -> None:
        texts = (text for call in calls for text in (call.reply, call.reasoning))
        self.limit = _limit([min(len(text), LONGEST) for text in texts])

    def __call__(self, call: Call | None) -> dict[str, object] | None:
        """The text; for a cut one also its `end`, and its whole `length` in letters. Its `reasoning` is the same."""
        if call is None:
            return None
        return {**self._cut(call.reply), **({"reasoning": self._cut(call.reasoning)} if call.reasoning else {})}

    def _cut(self, text: str) -> dict[str, object]:
        if len(text) <= self.limit:
            return {"text": text}
        end = int(self.limit * _END)
        return {"text": text[: self.limit - end], "end": text[-end:], "length": len(text)}


def _limit(lengths: list[int]) -> int:
    """The longest that a reply may be for all to fit."""
    limit = LONGEST
    while limit > _SHORTEST_CUT and sum(min(length, limit) for length in lengths) > LONGEST_TOGETHER:
        limit //= 2
    return limit
