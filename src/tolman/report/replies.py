"""Tables of replies (which could not be parsed and why, scores with and without truncated ones) and of what they
cost: tokens, replies and US dollars per scene and in total.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import nan

from tolman.core.reading import ParseFailure
from tolman.harness.names import printable
from tolman.harness.records import ASKED, Asked, Call, GradedReply
from tolman.report.results import ShownTables
from tolman.report.statistics import UNKNOWN, Interval, joined_by_scene, pooled_interval
from tolman.report.table import (
    Cell,
    Column,
    Row,
    RowGroup,
    Table,
    amount,
    heading,
    interval_as_dict,
    number,
    one_row,
    percent,
)

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
        yield one_row(
            f"{reply.scene}, {reply.call}", map(Cell, words), section=f"{one.section}: {one.name}".lstrip(": ")
        )


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


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount per scene and in total; None where it is not known."""

    scene: Interval = UNKNOWN
    total: float | None = None

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {"scene": interval_as_dict(self.scene), "total": self.total}


@dataclass(frozen=True, slots=True)
class RunPrice:
    """Tokens and price of the finished scenes. A cached reply counts like a new one."""

    input_tokens: Amount
    output_tokens: Amount
    """Reasoning included."""
    dollars: Amount
    priced: bool
    """Whether the price of every reply is known; if not, `dollars` is a lower bound."""

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON."""
        return {
            "input_tokens": self.input_tokens.as_dict(),
            "output_tokens": self.output_tokens.as_dict(),
            "dollars": {**self.dollars.as_dict(), "complete": self.priced},
        }


def price(calls: Sequence[Sequence[Call]], scenes: Sequence[str] = ()) -> RunPrice:
    """The price of scenes, from the calls of each. Tokens are unknown where no reply has any, as in a replay.

    `scenes` names the scene of each, where one was run several times: intervals are over scenes.
    """
    names = scenes or [str(place) for place in range(len(calls))]

    def mean_tokens(tokens: Sequence[float]) -> Amount:
        return _amount(tokens, names) if any(tokens) else Amount()

    costs = [[call.cost for call in scene] for scene in calls]
    dollars = [sum(cost or 0.0 for cost in scene) for scene in costs]
    return RunPrice(
        input_tokens=mean_tokens([sum(call.input_tokens for call in scene) for scene in calls]),
        output_tokens=mean_tokens([sum(call.output_tokens for call in scene) for scene in calls]),
        dollars=_amount(dollars, names) if any(c is not None for scene in costs for c in scene) else Amount(),
        priced=all(c is not None for scene in costs for c in scene),
    )


def _amount(amounts: Sequence[float], scenes: Sequence[str]) -> Amount:
    return Amount(pooled_interval(joined_by_scene(scenes, ([one] for one in amounts))), sum(amounts))


_NOTE = "Over finished {units}; cached replies count like new ones. ≥: some prices are unknown"


@dataclass(frozen=True, slots=True)
class Paid:
    """A run and its price."""

    name: str
    price: RunPrice
    below: str = ""
    section: str = ""


def price_tables(
    runs: Iterable[Paid], first: str = "run", unit: str = "scene", *, thousands: bool = True, digits: int = 3
) -> Iterator[Table]:
    """Tokens, in thousands or not, and US dollars, per scene or other unit and in total; none where all is unknown."""
    scale = 1000 if thousands else 1
    entries = (one_row(one.name, _cells(one.price, scale, digits), one.below, section=one.section) for one in runs)
    known = tuple(entry for entry in entries if entry.known)
    if known:
        yield Table("price", "Price", first, _columns(unit, thousands), known, (_NOTE.format(units=f"{unit}s"),))


def _columns(unit: str, thousands: bool) -> tuple[Column, ...]:
    groups = ("Thousand input tokens", "Thousand output tokens") if thousands else ("Input tokens", "Output tokens")
    return tuple(heading(title, group) for group in (*groups, "US dollars") for title in (f"per {unit}", "total"))


def _cells(price: RunPrice, scale: int, digits: int) -> tuple[Cell, ...]:
    least = "" if price.priced or price.dollars.total is None else "≥ "
    dollars = number(digits)(price.dollars.scene), amount(price.dollars.total, ".2f")
    paid = tuple(Cell(least + cell.text, cell.below) for cell in dollars)
    return (*_token_cells(price.input_tokens, scale), *_token_cells(price.output_tokens, scale), *paid)


def _token_cells(taken: Amount, scale: int) -> tuple[Cell, Cell]:
    total = None if taken.total is None else taken.total / scale
    places = 1 if scale > 1 else 0
    return number(places, 1 / scale)(taken.scene), amount(total, f",.{places}f")
