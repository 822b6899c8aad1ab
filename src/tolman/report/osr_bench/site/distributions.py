"""What is asked: how often each class, and each answer, comes up in the scenes of the runs (figures 6-9)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt

from tolman.benchmarks.osr_bench.answers import DIRECTIONS, NO_CANDIDATE, NO_OTHER, NOT_FOUND, NOT_UNIQUE
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.question import AskedSet, QuestionKind
from tolman.report.site import Figure, Panel
from tolman.report.site.charts import fitted
from tolman.report.site.figure import Spec
from tolman.report.site.theme import BLUE, ORANGE
from tolman.report.table import Cell, Entry, Row, Table, heading

MOST = 25
"""Bars of one panel."""
_REST = "all others"
_SHORT = {
    NOT_FOUND: "place not found",
    NOT_UNIQUE: "place not unique",
    NO_CANDIDATE: "no candidate there",
    NO_OTHER: "faced or sought not there",
}
"""The four special answers, short enough for an axis."""
_TITLES: dict[AskedSet, str] = {"standard": "Standard", "negative": "With absent things (negative)"}
_KEY = (("an answer from the room", BLUE), ("a sentence: something is absent or not unique", ORANGE))
Cases = Mapping[AskedSet, Sequence[OsrCase]]


def distribution_figures(cases: Cases) -> Iterator[Figure]:
    """Classes by room, then answers by kind of question, each set in a panel."""
    yield _classes(cases)
    yield _answers(cases, "distance", "Answers to questions of distance", "Which candidate is closest.")
    yield _answers(cases, "counting", "Answers to questions of counting", "How many there are.")
    yield _answers(cases, "direction", "Answers to questions of direction", "Where something lies.")


def _classes(cases: Cases) -> Figure:
    rooms = {case.id: case.truth.classes for of_set in cases.values() for case in of_set}
    counts = Counter(name for classes in rooms.values() for name in classes)
    caption = f"Rooms, of {len(rooms)}, in which there is at least one object of a class."
    panels = [Panel(_bars(_ranked(counts), "rooms"))]
    return Figure("osr-classes", "Classes of objects", caption, panels, _numbers("osr-classes", {"": counts}, "rooms"))


def _answers(cases: Cases, kind: QuestionKind, title: str, caption: str) -> Figure:
    counted = {_TITLES[asked]: _counted(of_set, kind) for asked, of_set in cases.items()}
    known = {name: counts for name, counts in counted.items() if counts}
    panels = [
        Panel(_bars(_ordered(counts, kind), "questions"), f"{name}, {counts.total()} questions")
        for name, counts in known.items()
    ]
    name = f"osr-{kind}"
    numbers = _numbers(name, known, "questions")
    key = _KEY if any(answer in _SHORT for counts in known.values() for answer in counts) else ()
    return Figure(name, title, f"{caption} How often each answer is the right one.", panels, numbers, key)


def _counted(cases: Sequence[OsrCase], kind: QuestionKind) -> Counter[str]:
    return Counter(question.answer for case in cases for question in case.questions if question.kind == kind)


def _ordered(counts: Counter[str], kind: QuestionKind) -> list[tuple[str, int]]:
    """Counts by size, directions clockwise, all else by how often it comes; special answers last."""
    if kind == "distance":
        plain = Counter({answer: count for answer, count in counts.items() if answer not in _SHORT})
        return _ranked(plain) + [(answer, counts[answer]) for answer in _SHORT if counts[answer]]
    order = [*sorted((a for a in counts if a.isdecimal()), key=int), *DIRECTIONS, *_SHORT]
    return [
        (answer, counts[answer]) for answer in order if counts[answer] or (kind == "direction" and answer in DIRECTIONS)
    ]


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rest = sum(count for _, count in ranked[MOST:])
    return ranked[:MOST] + [(_REST, rest)] * (rest > 0)


def _bars(counts: Sequence[tuple[str, int]], axis: str) -> Spec:
    total = sum(count for _, count in counts)
    values: list[dict[str, Any]] = [
        {
            "answer": _SHORT.get(answer, answer[:40]),
            "count": count,
            "share": round(100 * count / total, 2),
            "colour": ORANGE if answer in _SHORT else BLUE,
        }
        for answer, count in counts
    ]
    rows = alt.Y(
        "answer:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=6, labelLimit=170)
    )
    across = alt.X("count:Q", title=axis, axis=alt.Axis(tickMinStep=1, tickCount=5))
    base = alt.Chart(alt.InlineData(values=values)).encode(y=rows, x=across)
    tips = [
        alt.Tooltip("answer:N"),
        alt.Tooltip("count:Q", title=axis),
        alt.Tooltip("share:Q", title="percent", format=".1f"),
    ]
    bars = base.mark_bar(height=12).encode(color=alt.Color("colour:N", scale=None), tooltip=tips)
    numbers = base.mark_text(align="left", dx=4, fontSize=11, style="quiet-words").encode(text="count:Q")
    return fitted(20 * len(values), bars, numbers)


def _numbers(name: str, sets: Mapping[str, Counter[str]], what: str) -> Table:
    answers = dict.fromkeys(answer for counts in sets.values() for answer, _ in sorted(counts.items()))
    heads = tuple(heading(title, group) for group in sets for title in (what, "%"))
    entries = [
        Entry(answer[:80], (Row(tuple(cell for counts in sets.values() for cell in _share(counts, answer))),))
        for answer in answers
    ]
    return Table(f"{name}-numbers", "", "answer" if what == "questions" else "class", heads, tuple(entries))


def _share(counts: Counter[str], answer: str) -> tuple[Cell, Cell]:
    total = counts.total()
    return Cell(str(counts[answer])), Cell(f"{100 * counts[answer] / total:.1f}" if total else "–")
