"""Tables of how the runs went, and what they took."""

from collections.abc import Iterator, Sequence

from tolman.report.cells import amount, number, share
from tolman.report.price import Amount, price
from tolman.report.sheet import Cell, Entry, Head, Part, Row, Sheet
from tolman.report.sparrta_questions.accuracy_tables import RUNS
from tolman.report.sparrta_questions.question_figures import QuestionFigures

_RELIABILITY = (
    *(Head(title, "Pictures") for title in ("done", "failed", "not\ndone")),
    Head("replies"),
    Head("not\nread"),
    Head("cut\nreplies"),
)
_PRICE = tuple(
    Head(title, group) for group in ("Input tokens", "Output tokens", "US dollars") for title in ("a picture", "in all")
)


def reliability_sheets(runs: Sequence[QuestionFigures]) -> Iterator[Sheet]:
    """How smoothly the runs went."""
    entries = tuple(Entry(run.name, (Row("", _reliability(run)),)) for run in runs)
    failed = tuple(
        f"{run.name}: picture {picture} failed: {reason}" for run in runs for picture, reason in run.run.failed
    )
    notes = (
        "not read: names no relation, or several, and counts as wrong. cut replies: ended by a limit or a filter",
        *failed,
    )
    yield Sheet("Reliability", _RELIABILITY, (Part(RUNS, entries),), notes)


def _reliability(known: QuestionFigures) -> tuple[Cell, ...]:
    run = known.run
    calls = [call for case in run.cases for call in case.logged.record.calls]
    counts = (len(run.cases), len(run.failed), run.not_done, len(calls))
    unread = sum(answer.said is None for answer in known.answers)
    cut = sum(call.stop != "stop" for call in calls)
    return (*(Cell(str(count)) for count in counts), share(unread, len(known.answers)), share(cut, len(calls)))


def price_sheets(runs: Sequence[QuestionFigures]) -> Iterator[Sheet]:
    """What the runs took."""
    entries = [Entry(run.name, (row,)) for run in runs if (row := Row("", _price(run))).known]
    notes = ("Of finished pictures; replies from a cache count as if asked for anew. ≥: some prices are unknown",)
    if entries:
        yield Sheet("Price", _PRICE, (Part(RUNS, tuple(entries)),), notes)


def _price(known: QuestionFigures) -> tuple[Cell, ...]:
    taken = price([case.logged.record.calls for case in known.run.cases])
    least = "" if taken.priced or taken.dollars.total is None else "≥ "
    dollars = number(4)(taken.dollars.scene), amount(taken.dollars.total, ".2f")
    paid = tuple(Cell(least + cell.text, cell.below) for cell in dollars)
    return (*_tokens(taken.input_tokens), *_tokens(taken.output_tokens), *paid)


def _tokens(taken: Amount) -> tuple[Cell, ...]:
    return number(0)(taken.scene), amount(taken.total, ",.0f")
