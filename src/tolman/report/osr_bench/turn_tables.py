"""Tables of what should not matter: which way the camera was turned, and who grades."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.osr_bench.agreement import Agreement
from tolman.benchmarks.osr_bench.question import QUESTION_KINDS
from tolman.report.osr_bench.osr_columns import ALWAYS_RIGHT, SAME
from tolman.report.osr_bench.osr_layout import Line, Rules, run_numbers, scenes_done, score_table
from tolman.report.osr_bench.osr_logs import Run
from tolman.report.osr_bench.subjects import Subject
from tolman.report.osr_bench.way_names import way_title
from tolman.report.table import Cell, Column, Entry, Row, Table, amount, heading

_SAME = (
    Column(SAME, "all", "Same answer", better="higher"),
    *(Column(f"{SAME}/{kind}", kind, "Same answer", better="higher") for kind in QUESTION_KINDS),
    Column(ALWAYS_RIGHT, "every turn", "Right at", "every\nturn", better="higher"),
)
_JUDGED = (heading("answers"), heading("alike,\n%"), heading("kappa"), heading("verdicts\nunread"))


def turn_tables(subjects: Sequence[Subject], rules: Rules) -> Iterator[Table]:
    """Whether answers stay the same when the camera is turned, as they should."""
    lines = [
        Line(
            subject.name, way_title(known.run.way), run_numbers(known), f"{scenes_done([known])} · {_turns(known.run)}"
        )
        for subject in subjects
        for known in subject.runs
    ]
    note = "The panorama is turned by these degrees, and everything asked again. What can't be read is never the same"
    yield from score_table("turns", "Consistency over turns of the camera, %", _SAME, lines, (note,), rules)


def _turns(run: Run) -> str:
    return ", ".join(f"{turn}°" for turn in run.options.turns)


def judge_tables(subjects: Sequence[Subject], rules: Rules) -> Iterator[Table]:
    """How far a judge agrees with the rules, where one was asked."""
    entries: list[Entry] = []
    for subject in subjects:
        for known in subject.runs:
            judges = {case.logged.record.judge for case in known.run.cases} - {""}
            if judges:
                rows = tuple(Row(_agreement(known.agreement[name]), name) for name in rules)
                below = f"judged by {', '.join(sorted(judges))}"
                entries.append(Entry(subject.name, rows, below, section=way_title(known.run.way)))
    if entries:
        notes = ("alike: answers that the judge and the rules both call right, or both wrong. kappa: 0 is chance",)
        yield Table("judge", "A judge against the rules", "model", _JUDGED, tuple(entries), notes)


def _agreement(found: Agreement) -> tuple[Cell, ...]:
    share = None if found.share is None else 100 * found.share
    return Cell(str(found.answers)), amount(share, ".1f"), amount(found.kappa, ".2f"), Cell(str(found.unread))
