"""Tables of what should not matter: which way the camera was turned, and who grades."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.osr_bench.agreement import Agreement
from tolman.benchmarks.osr_bench.question import QUESTION_KINDS
from tolman.report.cells import amount
from tolman.report.osr_bench.osr_columns import ALWAYS_RIGHT, SAME
from tolman.report.osr_bench.osr_layout import Column, Line, Rules, Sheaf, run_numbers, scenes_done, trimmed
from tolman.report.osr_bench.osr_logs import Run
from tolman.report.osr_bench.subjects import Subject
from tolman.report.osr_bench.way_names import way_title
from tolman.report.sheet import Cell, Entry, Head, Part, Row, Sheet

_SAME = (
    Column(SAME, Head("all", "Same answer")),
    *(Column(f"{SAME}/{kind}", Head(kind, "Same answer")) for kind in QUESTION_KINDS),
    Column(ALWAYS_RIGHT, Head("every\nturn", "Right at")),
)
_JUDGED = (Head("answers"), Head("alike,\n%"), Head("kappa"), Head("verdicts\nunread"))


def turn_sheaves(subjects: Sequence[Subject], rules: Rules) -> Iterator[Sheaf]:
    """Whether answers stay the same when the camera is turned, as they should."""
    lines = [
        Line(
            subject.name, way_title(known.run.way), run_numbers(known), f"{scenes_done([known])} · {_turns(known.run)}"
        )
        for subject in subjects
        for known in subject.runs
    ]
    note = "The panorama is turned by these degrees, and everything asked again. What can't be read is never the same"
    if found := trimmed(Sheaf("turns", "Consistency over turns of the camera, %", _SAME, tuple(lines), (note,), rules)):
        yield found


def _turns(run: Run) -> str:
    return ", ".join(f"{turn}°" for turn in run.options.turns)


def judge_sheets(subjects: Sequence[Subject], rules: Rules) -> Iterator[Sheet]:
    """How far a judge agrees with the rules, where one was asked."""
    parts: dict[str, list[Entry]] = {}
    for subject in subjects:
        for known in subject.runs:
            judges = {case.logged.record.judge for case in known.run.cases} - {""}
            if judges:
                rows = tuple(Row(name, _agreement(known.agreement[name])) for name in rules)
                title = f"{subject.name} · judged by {', '.join(sorted(judges))}"
                parts.setdefault(way_title(known.run.way), []).append(Entry(title, rows))
    if parts:
        notes = ("alike: answers that the judge and the rules both call right, or both wrong. kappa: 0 is chance",)
        made = tuple(Part(title, tuple(entries)) for title, entries in parts.items())
        yield Sheet("A judge against the rules", _JUDGED, made, notes)


def _agreement(found: Agreement) -> tuple[Cell, ...]:
    share = None if found.share is None else 100 * found.share
    return Cell(str(found.answers)), amount(share, ".1f"), amount(found.kappa, ".2f"), Cell(str(found.unread))
