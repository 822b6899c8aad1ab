"""The table of stated maps: how near the truth they come, and what they invent."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.report.cells import number
from tolman.report.osr_bench.osr_columns import DISTANCE, F1
from tolman.report.osr_bench.osr_layout import (
    Column,
    Line,
    Rules,
    Sheaf,
    reference_lines,
    reference_notes,
    run_numbers,
    scenes_done,
    trimmed,
)
from tolman.report.osr_bench.osr_logs import Way
from tolman.report.osr_bench.reference_row import ReferenceRow
from tolman.report.osr_bench.subjects import Subject
from tolman.report.sheet import Head

_COLUMNS = (
    Column(DISTANCE, Head("cells\noff"), number(2)),
    Column("map/precision", Head("preci-\nsion")),
    Column("map/recall", Head("recall")),
    Column(F1, Head("F1")),
    Column("map/mirrored_f1", Head("mirror\nF1")),
    Column("map/success", Head("read")),
    Column("map/invents", Head("maps", "Invented (CHAIR)")),
    Column("map/invented_classes", Head("classes", "Invented (CHAIR)")),
    Column("map/invented_objects", Head("objects", "Invented (CHAIR)")),
)
_TITLES: dict[AskedSet, str] = {
    "standard": "Maps, %",
    "negative": "Maps, with absent classes named in the prompt (negative), %",
}
_NOTES = (
    "Best of four rotations; found: within 2 cells. cells off: mean over pairs, 15 where there is no map",
    "mirror F1: of the map's mirror image. Where that is better, left and right are confused",
    "Invented: maps with any class that is not there; classes and objects stated that are not there",
)


def map_sheaves(subjects: Sequence[Subject], rules: Rules, references: Sequence[ReferenceRow] = ()) -> Iterator[Sheaf]:
    """A table for each set of questions, as it decides which classes the prompt names."""
    for asked, title in _TITLES.items():
        lines = [
            Line(f"{subject.name}, think" if think else subject.name, "Stated maps", run_numbers(known), scenes)
            for subject in subjects
            for think in (False, True)
            if (known := subject.ways.get(Way(asked, "first", think))) is not None
            for scenes in (scenes_done([known]),)
        ]
        of_set = [row for row in references if row.asked == asked and DISTANCE in row.values]
        lines += reference_lines(of_set, lambda _: True)
        notes = (*_NOTES, *reference_notes(of_set))
        if found := trimmed(Sheaf(f"maps-{asked}", title, _COLUMNS, tuple(lines), notes, rules)):
            yield found
