"""The grids of all three benchmarks: which columns there are, which are headlines, and what is stated for those.

A stated baseline is the score of the best strategy that we could think of on 100 scenes, rounded up to a whole percent.
Whoever finds a better one should raise it.
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from tolman.benchmarks.osr_bench.cases import generated_cases as own_rooms
from tolman.benchmarks.osr_bench.options import Options as OsrOptions
from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS, AskedSet
from tolman.benchmarks.osr_bench.tables.references import BASELINES as OSR_MEANING
from tolman.benchmarks.osr_bench.tables.references import baseline_rows as osr_rows
from tolman.benchmarks.sparrta.case import RelationQuestion
from tolman.benchmarks.sparrta.cases import stored_cases
from tolman.benchmarks.sparrta.options import Options as SparrtaOptions
from tolman.benchmarks.sparrta.questions.accuracy import VIEWPOINT_NAMES, accuracy, balanced_accuracy
from tolman.benchmarks.sparrta.questions.runs import CHANCE, AnsweredQuestion, without_interval
from tolman.benchmarks.sparrta.relations import RELATIONS, VIEWPOINTS, Relation
from tolman.benchmarks.theory_of_space.blind_baselines import BLIND_STRATEGIES, blind_columns, blind_explorations
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.columns import BEST_WITHOUT_KNOWLEDGE, KINDS, kind_title
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.tables.baseline_rows import MEANING, baseline_rows
from tolman.benchmarks.theory_of_space.tables.reference_row import pooled_columns
from tolman.core.parallel import parallel_map
from tolman.core.seeds import rng
from tolman.harness.runs import Track, untracked
from tolman.report.baselines import BaselineGrid, Value, Values, numbers_of
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

_DIMENSIONS = {
    "correctness": ("last map", ("facing", "position", "direction", "overall")),
    "perception": ("perception", ("facing", "position", "overall")),
    "self_tracking": ("self-tracking", ("facing", "position", "overall")),
    "consistency": ("local against global", ("facing", "position", "overall", "coverage")),
    "stability": ("stability", ("facing", "position", "coverage")),
}
_SPACE = {
    **{f"ask/none/{kind}": f"answers, {kind_title(kind)}" for kind in KINDS},
    "ask/none": "answers, average",
    "explore/cost": "exploration, cost",
    "explore/gain": "information gain",
    **{
        f"map/{dimension}/{part}": f"{title}, {part}"
        for dimension, (title, parts) in _DIMENSIONS.items()
        for part in parts
    },
    "map/uncertainty": "unexplored points",
    "revise/f1": "changes found, F1",
    "revise/f1/facing": "changes found, turned",
    "revise/f1/position": "changes found, moved",
    "revise/correctness/facing": "revised maps, facing",
    "revise/correctness/position": "revised maps, position",
    "revise/inertia/facing": "inertia, facing (0 is best)",
    "revise/inertia/position": "inertia, position (0 is best)",
}
_BY_DISTANCE = ("far", "near")
"""Strategies that the plan of points helps, and how much depends on who explores."""
_EXPLORATIONS = {
    "ends at once": "never looks",
    "looks around": "four looks from the start",
    "random walk": "looks and walks at random",
}


def space_grid(scenes: str, track: Track = untracked) -> BaselineGrid:
    """Theory of Space in the text world, where the agent explores by itself."""
    options = Options()
    cases = [case_of(choice, options) for choice in choose_scenes(scenes, WorldSettings())]
    values: Values = {}
    for row in baseline_rows(cases, options, track=track):
        values.setdefault(row.name, {})[row.rules] = numbers_of(row.values)
    wandered = list(parallel_map(partial(blind_columns, options=options, names=_BY_DISTANCE, explorer="random"), cases))
    for name in _BY_DISTANCE:
        values[f"{name}, after random looks"] = {
            "strict": numbers_of(pooled_columns(scene[name]["strict"] for scene in wandered)),
            "published": numbers_of(pooled_columns(scene[name]["published"] for scene in wandered)),
        }
    explored = list(parallel_map(partial(blind_explorations, options=options), cases))
    for name in _EXPLORATIONS:
        found = numbers_of(pooled_columns(scene[name] for scene in explored))
        values[name] = {"strict": found, "published": found}
    meanings = {name: "; ".join(filter(None, (MEANING.get(name), _stated(name)))) for name in values}
    return BaselineGrid(
        "Theory of Space",
        f"scenes {scenes}",
        len(cases),
        meanings,
        _SPACE,
        BEST_WITHOUT_KNOWLEDGE,
        values,
        ("explore/cost",),
    )


def _stated(name: str) -> str:
    plain, _, wandered = name.partition(", ")
    if wandered:
        return f"the same as {plain}, where not the scout explores, but someone who looks and walks at random"
    return BLIND_STRATEGIES[name].meaning if name in BLIND_STRATEGIES else _EXPLORATIONS.get(name, "")


# ---- OSR-Bench ----

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


def rooms_grid(scenes: str, seeds: Sequence[int]) -> BaselineGrid:
    """OSR-Bench on rooms of our own: both sets of questions, and maps with the released, exact lists of classes."""
    values: Values = {}
    kinds = ("standard", "negative")
    asked_sets: dict[str, tuple[AskedSet, OsrOptions]] = {
        "standard": ("standard", OsrOptions()),
        "negative": ("negative", OsrOptions(asked="negative")),
        "exact": ("standard", OsrOptions(class_list="exact")),
    }
    for prefix, (asked, options) in asked_sets.items():
        for row in osr_rows(own_rooms(seeds, options), asked):
            found = values.setdefault(row.name, {}).setdefault(row.rules, {})
            for column, value in numbers_of(row.values).items():
                if column.startswith("none/") and prefix in kinds:
                    found[f"{prefix}/{column.removeprefix('none/')}"] = value
                elif column.startswith("map/"):
                    found[f"{prefix}/{column}"] = value
    columns = {f"{asked}/{kind}": f"{asked} questions, {kind}" for asked in kinds for kind in QUESTION_KINDS}
    columns |= {f"{of}/map/{key}": f"{title}: {name}" for of, title in _LISTS.items() for key, name in _MAP.items()}
    plain = tuple(f"{of}/map/distance" for of in _LISTS)
    return BaselineGrid("OSR-Bench", f"rooms {scenes}", len(seeds), OSR_MEANING, columns, _ROOMS_STATED, values, plain)


# ---- SpaRRTa ----

_GUESSES = {
    "chance": "any of the four words",
    "constant": "always option A",
    **{f"always {word}": f"the word {word}, of every picture" for word in RELATIONS},
    "blind": "a word at random, drawn once for each question",
}


def pictures_grid(folder: Path) -> BaselineGrid:
    """SpaRRTa's questions about the pictures in a folder. What is said depends on no picture."""
    cases = stored_cases(folder, SparrtaOptions())
    questions = [(case, question) for case in cases for question in case.questions]
    values: Values = {}
    for name in _GUESSES:
        found: dict[str, Value] = {}
        for view in VIEWPOINTS:
            stream = rng(0, "sparrta", "blind", view)
            said = [
                AnsweredQuestion(case.id, case.environment, case.triple, view, asked.answer, _word(name, asked, stream))
                for case, asked in questions
                if asked.viewpoint == view
            ]
            scores = {f"{view}/right": accuracy(said), f"{view}/balanced": balanced_accuracy(said)}
            known = dict.fromkeys(scores, without_interval(CHANCE)) if name == "chance" else scores
            found |= numbers_of(known)
        values[name] = {"strict": found}
    columns = {
        f"{view}/{key}": f"from the {VIEWPOINT_NAMES[view]}, {title}"
        for view in VIEWPOINTS
        for key, title in (("balanced", "balanced"), ("right", "right"))
    }
    stated = {f"{view}/balanced": 0.25 for view in VIEWPOINTS}
    return BaselineGrid("SpaRRTa, questions", f"{len(cases)} pictures", len(cases), _GUESSES, columns, stated, values)


def _word(name: str, asked: RelationQuestion, stream: np.random.Generator) -> Relation:
    if name == "constant":
        return asked.options[0]
    always: dict[str, Relation] = {f"always {word}": word for word in RELATIONS}
    return always.get(name) or RELATIONS[int(stream.integers(len(RELATIONS)))]
