"""Tables of replies: which could not be parsed and why, and scores with and without truncated ones."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import nan

from tolman.core.reading import ParseFailure
from tolman.harness.calls import ASKED, Asked, Call, GradedReply
from tolman.harness.names import printable
from tolman.report.results import ShownTables
from tolman.report.table import Cell, Column, Interval, Row, RowGroup, Table, heading, one_row, percent

LONGEST = 200_000
"""Longest reply on a page, in characters."""
LONGEST_TOGETHER = 4_000_000
"""Characters of all replies on a page; beyond it the longest are cut shorter."""
_SHORTEST_CUT = 4_000
_END = 0.1


class Shortener:
    """Truncates the replies of one page. The end is kept, since it holds the answer."""

    def __init__(self, calls: Iterable[Call]) -> None:
        texts = (text for call in calls for text in (call.reply, call.reasoning))
        self.limit = _limit([min(len(text), LONGEST) for text in texts])

    def __call__(self, call: Call | None) -> dict[str, object] | None:
        """The text; if truncated, also its `end` and full `length` in characters. The same for its `reasoning`."""
        if call is None:
            return None
        return {**self._cut(call.reply), **({"reasoning": self._cut(call.reasoning)} if call.reasoning else {})}

    def _cut(self, text: str) -> dict[str, object]:
        if len(text) <= self.limit:
            return {"text": text}
        end = int(self.limit * _END)
        return {"text": text[: self.limit - end], "end": text[-end:], "length": len(text)}


def _limit(lengths: list[int]) -> int:
    """The greatest length of a reply with which all fit."""
    limit = LONGEST
    while limit > _SHORTEST_CUT and sum(min(length, limit) for length in lengths) > LONGEST_TOGETHER:
        limit //= 2
    return limit


LISTED = 200
"""Failures that are printed one by one; all of them are in the JSON file."""
_EXCERPT = 80
_SCORED: tuple[Asked, ...] = ("answers", "maps")


@dataclass(frozen=True)
class RepliesOf:
    """The replies of one run or model, with its name and section in other tables."""

    name: str
    section: str
    replies: Sequence[GradedReply]

    @property
    def failed(self) -> list[GradedReply]:
        return [reply for reply in self.replies if reply.reason is not None]


# ---- truncated and repaired replies ----

_TRUNCATED = (
    *(
        heading(title, group)
        for group in ("Answers, strict", "Maps, strict")
        for title in ("all", "without\ntruncated", "truncated")
    ),
    heading("repaired\nJSON"),
)
_NOTES = (
    "Mean scores in % over replies, with and without those that a length limit ended. Maps: overall score of maps of",
    "what was seen and of what is in view, or F1 on a grid. repaired JSON: trailing commas, comments, single quotes",
)


def truncation_tables(every: Sequence[RepliesOf]) -> Iterator[Table]:
    """Scores with and without truncated replies, side by side; nothing where none was truncated or repaired."""
    shown = [one for one in every if any(reply.truncated or reply.repaired for reply in one.replies)]
    entries = tuple(one_row(one.name, _with_and_without(one), section=one.section) for one in shown)
    if entries:
        yield Table("truncated", "Truncated and repaired replies", "model", _TRUNCATED, entries, _NOTES)


def _with_and_without(one: RepliesOf) -> tuple[Cell, ...]:
    cells: list[Cell] = []
    for asked in _SCORED:
        replies = [reply for reply in one.replies if reply.asked == asked]
        whole = [reply for reply in replies if not reply.truncated]
        counted = Cell(f"{len(replies) - len(whole)}/{len(replies)}") if replies else Cell()
        cells += (_mean(replies), _mean(whole), counted)
    return *cells, Cell(str(sum(reply.repaired for reply in one.replies)))


def _mean(replies: Sequence[GradedReply]) -> Cell:
    scores = [reply.score for reply in replies if reply.score is not None]
    return percent(Interval(sum(scores) / len(scores), nan, nan)) if scores else Cell()


# ---- why replies could not be parsed ----


def add_failures(shown: ShownTables, every: Sequence[RepliesOf]) -> ShownTables:
    """The same tables and numbers, with all replies that could not be parsed."""
    return ShownTables([*shown.parts, *failure_tables(every)], {**shown.numbers, "failures": as_dict(every)})


def failure_tables(every: Sequence[RepliesOf]) -> Iterator[Table]:
    """How many replies could not be parsed for which reason, and which ones."""
    reasons = [
        reason for reason in ParseFailure if any(reply.reason is reason for one in every for reply in one.replies)
    ]
    entries = tuple(
        RowGroup(
            one.name, tuple(_counts(one, asked, reasons) for asked in _asked(one)), section=one.section, apart=True
        )
        for one in every
    )
    columns = (heading("replies"), heading("unparseable"), *(_column(reason) for reason in reasons))
    notes = tuple(f"{reason.value}: {reason.sentence}" for reason in reasons) or ("Every reply could be parsed.",)
    yield Table("failures", "Unparseable replies by reason, strict", "model", columns, entries, notes)
    listed = [(one, reply) for one in every for reply in one.failed]
    if listed:
        more = len(listed) - LISTED
        rest = (f"{more} more are in the file that --json writes",) * (more > 0)
        yield Table("failed-replies", "All unparseable replies", "reply", _EACH, tuple(_each(listed[:LISTED])), rest)


_EACH = (heading("asked for", words=True), heading("reason", words=True), heading("the reply's end", words=True))


def _column(reason: ParseFailure) -> Column:
    return Column(f"unparseable/{reason.value}", reason.value, short=reason.value.replace(" ", "\n", 1))


def _asked(one: RepliesOf) -> list[Asked]:
    return [asked for asked in ASKED if any(reply.asked == asked for reply in one.replies)]


def _counts(one: RepliesOf, asked: Asked, reasons: Sequence[ParseFailure]) -> Row:
    replies = [reply for reply in one.replies if reply.asked == asked]
    counts = Counter(reply.reason for reply in replies if reply.reason is not None)
    cells = (len(replies), counts.total(), *(counts[reason] for reason in reasons))
    return Row(tuple(Cell(str(count)) for count in cells), asked)


def _each(failed: Sequence[tuple[RepliesOf, GradedReply]]) -> Iterator[RowGroup]:
    for one, reply in failed:
        words = (reply.asked, reply.reason.value if reply.reason else "", excerpt(reply.text))
        row = Row(tuple(Cell(word) for word in words))
        yield RowGroup(f"{reply.scene}, {reply.call}", (row,), section=f"{one.section}: {one.name}".lstrip(": "))


def excerpt(text: str | None) -> str:
    """The end of a reply on one line, since it holds the answer."""
    shown = printable(" ".join((text or "")[-4 * _EXCERPT :].split()))
    return shown if len(shown) <= _EXCERPT else f"…{shown[-_EXCERPT:]}"


def as_dict(every: Sequence[RepliesOf]) -> list[dict[str, object]]:
    """All failures and counts as plain values, ready for JSON."""
    return [
        {
            "name": one.name,
            "section": one.section,
            "replies": dict(Counter(reply.asked for reply in one.replies)),
            "truncated": dict(Counter(reply.asked for reply in one.replies if reply.truncated)),
            "repaired_json": sum(reply.repaired for reply in one.replies),
            "reasons": dict(Counter(reply.reason.value for reply in one.failed if reply.reason)),
            "unparseable": [
                {
                    "scene": reply.scene,
                    "call": reply.call,
                    "asked": reply.asked,
                    "reason": reply.reason.value,
                    "sentence": reply.reason.sentence,
                    "truncated": reply.truncated,
                    "end": excerpt(reply.text),
                }
                for reply in one.failed
                if reply.reason
            ],
        }
        for one in every
    ]
