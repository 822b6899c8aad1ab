"""The table of stated maps: localisation accuracy and hallucinated objects."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.runs import Condition, EvaluatedModel
from tolman.benchmarks.osr_bench.scores import DISTANCE, F1
from tolman.benchmarks.osr_bench.tables.layout import (
    ReferenceRow,
    RuleSetNames,
    ScoreLine,
    reference_lines,
    reference_notes,
    run_numbers,
    scenes_done,
    score_table,
)
from tolman.report.table import Column, Table, number

_INVENTED = "Invented (CHAIR)"
_COLUMNS = (
    Column(
        DISTANCE,
        "cells off",
        short="cells\noff",
        style=number(2),
        better="lower",
        definition="Mean distance of matched pairs in cells of the grid, 15 where there is no map.",
    ),
    Column(
        "map/precision",
        "precision",
        short="preci-\nsion",
        better="higher",
        definition="Share of stated objects within 2 cells of a true one.",
    ),
    Column(
        "map/recall", "recall", better="higher", definition="Share of true objects with a stated one within 2 cells."
    ),
    Column(F1, "F1", better="higher", definition="Harmonic mean of precision and recall."),
    Column(
        "map/mirrored_f1",
        "mirror F1",
        short="mirror\nF1",
        definition="F1 of the map's mirror image; where it is better, left and right are confused.",
    ),
    Column("map/success", "read", better="higher", definition="Share of replies in which a map could be read."),
    Column(
        "map/invents", "maps", _INVENTED, better="lower", definition="Share of maps with any class that is not there."
    ),
    Column(
        "map/invented_classes",
        "classes",
        _INVENTED,
        better="lower",
        definition="Share of stated classes that are not there.",
    ),
    Column(
        "map/invented_objects",
        "objects",
        _INVENTED,
        better="lower",
        definition="Share of stated objects whose class is not there.",
    ),
)
_TITLES: dict[AskedSet, str] = {
    "standard": "Maps, %",
    "negative": "Maps, with absent classes named in the prompt (negative), %",
}
_BLIND = (
    "Without the picture: chance: everything named, somewhere; constant: in the middle; echo: at four fixed places; "
    "prior: what is common in our rooms, where it is; none: an empty map"
)
_NOTES = (
    "Best of four rotations; found: within 2 cells. cells off: mean over pairs, 15 where there is no map",
    "mirror F1: of the map's mirror image. Where that is better, left and right are confused",
    "Invented: maps with any class that is not there; classes and objects stated that are not there",
)


def map_tables(
    subjects: Sequence[EvaluatedModel], rules: RuleSetNames, references: Sequence[ReferenceRow] = ()
) -> Iterator[Table]:
    """A table for each set of questions, as it decides which classes the prompt names."""
    for asked, title in _TITLES.items():
        lines = [
            ScoreLine(f"{subject.name}, think" if think else subject.name, "Stated maps", run_numbers(known), scenes)
            for subject in subjects
            for think in (False, True)
            if (known := subject.ways.get(Condition(asked, "first", think))) is not None
            for scenes in (scenes_done([known]),)
        ]
        of_set = [row for row in references if row.asked == asked and DISTANCE in row.values]
        lines += reference_lines(of_set, lambda _: True)
        same = any(row.same_scenes for row in of_set)
        notes = (*_NOTES, *[_BLIND] * same, *reference_notes([row for row in of_set if not row.same_scenes]))
        yield from score_table(f"maps-{asked}", title, _COLUMNS, lines, notes, rules)
