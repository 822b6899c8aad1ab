"""Tables of how the runs of each model went, and what they took: all ways of asking together."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.call import Call
from tolman.report.cells import amount, number, share, thousands
from tolman.report.osr_bench.osr_layout import Rules
from tolman.report.osr_bench.subjects import Subject
from tolman.report.osr_bench.way_names import way_title
from tolman.report.price import Amount, price
from tolman.report.sheet import Cell, Entry, Head, Part, Row, Sheet
from tolman.rules import RuleSetName

_ALL = "All ways of asking together"
_RELIABILITY = (
    Head("runs"),
    *(Head(title, "Scenes") for title in ("done", "failed", "not\ndone")),
    Head("replies"),
    *(Head(title, "Replies not read") for title in ("maps", "answers")),
    Head("cut\nreplies"),
)
_PRICE = tuple(
    Head(title, group)
    for group in ("Thousand input tokens", "Thousand output tokens", "US dollars")
    for title in ("a scene", "in all")
)


def reliability_sheets(subjects: Sequence[Subject], rules: Rules) -> Iterator[Sheet]:
    """How smoothly the runs went."""
    entries = [
        Entry(subject.name, tuple(Row(name, _reliability(subject, name, first=name == rules[0])) for name in rules))
        for subject in subjects
    ]
    failed = tuple(
        f"{subject.name}, {way_title(known.run.way).lower()}: scene {scene} failed: {reason}"
        for subject in subjects
        for known in subject.runs
        for scene, reason in known.run.failed
    )
    notes = ("cut replies: ended by a limit or a filter. A reply that never came counts as not read", *failed)
    yield Sheet("Reliability", _RELIABILITY, (Part(_ALL, tuple(entries)),), notes)


def _reliability(subject: Subject, rules: RuleSetName, *, first: bool) -> tuple[Cell, ...]:
    """Counts; those that no rule set changes stand in the first row only."""
    runs = [known.run for known in subject.runs]
    turns = [scores for run in runs for case in run.cases for scores in case.scores[rules]]
    maps = [scores.map.read for scores in turns if scores.map is not None]
    answers = [answer.said is not None for scores in turns for answer in scores.answers]
    unread = share(maps.count(False), len(maps)), share(answers.count(False), len(answers))
    if not first:
        return (*[Cell("")] * 5, *unread, Cell(""))
    calls = [call for run in runs for case in run.cases for call in case.logged.record.calls]
    scenes = (sum(len(run.cases) for run in runs), sum(len(run.failed) for run in runs), sum(r.not_done for r in runs))
    counts = [Cell(str(count)) for count in (len(runs), *scenes, len(calls))]
    return (*counts, *unread, share(sum(call.stop != "stop" for call in calls), len(calls)))


def price_sheets(subjects: Sequence[Subject]) -> Iterator[Sheet]:
    """What the runs took."""
    entries = [Entry(subject.name, (row,)) for subject in subjects if (row := Row("", _price(subject))).known]
    notes = ("Of finished scenes; replies from a cache count as if asked for anew. ≥: some prices are unknown",)
    if entries:
        yield Sheet("Price", _PRICE, (Part(_ALL, tuple(entries)),), notes)


def _price(subject: Subject) -> tuple[Cell, ...]:
    calls: dict[str, list[Call]] = {}
    for known in subject.runs:
        for case in known.run.cases:
            calls.setdefault(case.id, []).extend(case.logged.record.calls)
    taken = price(list(calls.values()))
    least = "" if taken.priced or taken.dollars.total is None else "≥ "
    dollars = number(3)(taken.dollars.scene), amount(taken.dollars.total, ".2f")
    paid = tuple(Cell(least + cell.text, cell.below) for cell in dollars)
    return (*_tokens(taken.input_tokens), *_tokens(taken.output_tokens), *paid)


def _tokens(taken: Amount) -> tuple[Cell, ...]:
    total = None if taken.total is None else taken.total / 1000
    return thousands(taken.scene), amount(total, ",.1f")
