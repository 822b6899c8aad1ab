"""Scores of blind strategies in every column of OSR-Bench; headline columns have a stated baseline.

A stated baseline is the score of the best known blind strategy on 100 rooms, rounded up to a whole percent.
"""

from tolman.benchmarks.osr_bench.cases import generated_cases
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, AskedSet
from tolman.benchmarks.osr_bench.tables.references import BASELINES, baseline_rows
from tolman.report.baselines import BaselineGrid, BaselineRequest, Values, numbers_of

_MAP = {
    "f1": "F1",
    "precision": "precision",
    "recall": "recall",
    "mirrored_f1": "F1 of the mirror image",
    "distance": "cells off",
    "success": "read",
    "invents": "maps that invent",
    "invented_classes": "invented classes",
    "invented_objects": "invented objects",
}
_ROOMS_STATED = {
    "standard/counting": 0.63,
    "standard/distance": 0.27,
    "standard/direction": 0.14,
    "negative/counting": 0.45,
    "negative/distance": 0.18,
    "negative/direction": 0.10,
    "standard/map/f1": 0.27,
}
_LISTS = {"standard": "map", "negative": "map, negative", "exact": "map, exact list of classes"}


def baseline_grid(request: BaselineRequest) -> BaselineGrid:
    """OSR-Bench on generated rooms: both sets of questions, and maps with exact class lists, as released."""
    values: Values = {}
    kinds = ("standard", "negative")
    asked_sets: dict[str, tuple[AskedSet, Options]] = {
        "standard": ("standard", Options()),
        "negative": ("negative", Options(asked="negative")),
        "exact": ("standard", Options(class_list="exact")),
    }
    for prefix, (asked, options) in asked_sets.items():
        for row in baseline_rows(generated_cases(request.seeds, options), asked):
            found = values.setdefault(row.name, {}).setdefault(row.rules, {})
            for column, value in numbers_of(row.values).items():
                if column.startswith("none/") and prefix in kinds:
                    found[f"{prefix}/{column.removeprefix('none/')}"] = value
                elif column.startswith("map/"):
                    found[f"{prefix}/{column}"] = value
    columns = {f"{asked}/{kind}": f"{asked} questions, {kind}" for asked in kinds for kind in QUESTION_KINDS}
    columns |= {f"{of}/map/{key}": f"{title}: {name}" for of, title in _LISTS.items() for key, name in _MAP.items()}
    plain = tuple(f"{of}/map/distance" for of in _LISTS)
    return BaselineGrid(
        "OSR-Bench", f"rooms {request.scenes}", len(request.seeds), BASELINES, columns, _ROOMS_STATED, values, plain
    )
