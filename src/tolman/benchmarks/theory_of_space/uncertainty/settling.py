"""`--settle`: which look would settle it? Choices of looks, graded by their expected gain, as columns of a scene."""

from collections.abc import Iterator

from tolman.ask.settling import read_letter
from tolman.benchmarks.theory_of_space.case import question_calls
from tolman.benchmarks.theory_of_space.columns import Columns
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.uncertainty.offered_looks import offered_looks
from tolman.core.reading import ParseFailure
from tolman.report.table import Column, number

_GAIN = "Expected gain, bits"
SETTLE_COLUMNS = (
    Column(
        "settle/fraction",
        "share of the best gain, %",
        short="share\nof best\ngain, %",
        better="higher",
        definition="Expected gain of the look that was chosen, as a share of the best look's; 0 where none was chosen.",
    ),
    Column(
        "settle/chance",
        "by chance, %",
        short="by\nchance,\n%",
        definition="What a random choice among the same looks expects.",
    ),
    Column(
        "settle/best",
        "best look chosen, %",
        short="best\nchosen,\n%",
        better="higher",
        definition="How often the best look was chosen.",
    ),
    Column(
        "settle/gain",
        "chosen",
        _GAIN,
        style=number(2),
        better="higher",
        definition="Bits about the answer that the look that was chosen is expected to give.",
    ),
    Column("settle/gain/best", "best", _GAIN, style=number(2), definition="The same of the best look."),
    Column(
        "settle/unparseable",
        "unparseable, %",
        short="unpar-\nseable,\n%",
        better="lower",
        definition="Replies that choose no look, or several.",
    ),
    Column(
        "settle/asked",
        "questions per scene",
        short="ques-\ntions per\nscene",
        style=number(1),
        definition="Questions that are not decided and that a look tells at least 0.1 bits about.",
    ),
)


def settle_columns(logged: ScoredCase) -> Columns:
    """All columns of one scene."""
    found: dict[str, list[float]] = {}
    for name, value in _values(logged):
        found.setdefault(name, []).append(value)
    return {name: tuple(values) for name, values in found.items()}


def _values(logged: ScoredCase) -> Iterator[tuple[str, float]]:
    case, replies = logged.case, logged.record.replies
    offered = offered_looks(case, rebuild(case, logged.options, replies, logged.record.log))
    yield "settle/asked", float(len(offered))
    for call, question in question_calls("none", case.questions):
        looks = offered.get(question.id)
        if looks is None or call not in replies:
            continue
        chosen = read_letter(replies[call], len(looks.looks))
        gain = 0.0 if isinstance(chosen, ParseFailure) else looks.gains[chosen]
        yield "settle/fraction", gain / looks.best
        yield "settle/chance", looks.chance
        yield "settle/best", float(gain == looks.best)
        yield "settle/gain", gain
        yield "settle/gain/best", looks.best
        yield "settle/unparseable", float(isinstance(chosen, ParseFailure))
