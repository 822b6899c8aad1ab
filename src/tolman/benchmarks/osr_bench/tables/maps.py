"""The table of stated maps: localisation accuracy and hallucinated objects."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.osr_bench.columns import DISTANCE, MAP_COLUMNS
from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.runs import Condition, EvaluatedModel
from tolman.benchmarks.osr_bench.tables.layout import (
    ReferenceRow,
    ScoreLine,
    reference_lines,
    reference_notes,
    run_numbers,
    scenes_done,
    score_table,
)
from tolman.core.rules import RuleSetNames
from tolman.report.table import Table

_TITLES: dict[AskedSet, str] = {
    "standard": "Maps, %",
    "negative": "Maps, with absent classes listed in the prompt (negative), %",
}
_BLIND = (
    "Blind baselines: chance: each listed class in a random cell; constant: in the centre; echo: in four fixed cells; "
    "prior: the most frequent classes of generated rooms in their most frequent cells; none: an empty map"
)
_NOTES = (
    "Best of four rotations; found: within 2 cells. cells off: mean over matched pairs, 15 where there is no map",
    "mirrored F1: of the map's mirror image. Where it is higher, left and right are confused",
    "Invented: maps with any class that is not in the room; shares of stated classes and objects that are not",
)


def map_tables(
    models: Sequence[EvaluatedModel], rules: RuleSetNames, references: Sequence[ReferenceRow] = ()
) -> Iterator[Table]:
    """A table for each set of questions, as these differ in the classes that the map prompt lists."""
    for asked, title in _TITLES.items():
        lines = [
            ScoreLine(f"{model.name}, think" if think else model.name, "Stated maps", run_numbers(scored), scenes)
            for model in models
            for think in (False, True)
            if (scored := model.conditions.get(Condition(asked, "first", think))) is not None
            for scenes in (scenes_done([scored]),)
        ]
        of_set = [row for row in references if row.asked == asked and DISTANCE in row.values]
        lines += reference_lines(of_set, lambda _: True)
        same = any(row.same_scenes for row in of_set)
        notes = (*_NOTES, *[_BLIND] * same, *reference_notes([row for row in of_set if not row.same_scenes]))
        yield from score_table(f"maps-{asked}", title, MAP_COLUMNS, lines, notes, rules)
