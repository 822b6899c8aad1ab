"""Scores of blind strategies on every column of Theory of Space; headline columns have a stated baseline."""

from functools import partial

from tolman.benchmarks.theory_of_space.blind_baselines import BLIND_STRATEGIES, blind_columns, blind_explorations
from tolman.benchmarks.theory_of_space.case import case_of
from tolman.benchmarks.theory_of_space.columns import BEST_WITHOUT_KNOWLEDGE, KINDS, kind_title
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.tables.baseline_rows import MEANING, baseline_rows
from tolman.benchmarks.theory_of_space.tables.layout import pooled_columns
from tolman.core.parallel import parallel_map
from tolman.report.baselines import BaselineGrid, BaselineRequest, Values, numbers_of
from tolman.world import WorldSettings
from tolman.world.select import choose_scenes

_DIMENSIONS = {
    "correctness": ("last map", ("facing", "position", "direction", "overall")),
    "perception": ("perception", ("facing", "position", "overall")),
    "self_tracking": ("self-tracking", ("facing", "position", "overall")),
    "consistency": ("local against global", ("facing", "position", "overall", "coverage")),
    "stability": ("stability", ("facing", "position", "coverage")),
    "still_right": ("still right", ("facing", "position")),
}
_COLUMN_TITLES = {
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
"""Strategies that use the positions of the marked points; their scores depend on the explorer."""
_EXPLORATIONS = {
    "ends at once": "never looks",
    "looks around": "four looks from the start",
    "random walk": "looks and walks at random",
}


def baseline_grid(request: BaselineRequest) -> BaselineGrid:
    """The baselines in the text world, active mode."""
    scenes, options = request.scenes, Options()
    cases = [case_of(choice, options) for choice in choose_scenes(scenes, WorldSettings())]
    values: Values = {}
    for row in baseline_rows(cases, options, track=request.track):
        values.setdefault(row.name, {})[row.rules] = numbers_of(row.values)
    random_walks = list(
        parallel_map(partial(blind_columns, options=options, names=_BY_DISTANCE, explorer="random"), cases)
    )
    for name in _BY_DISTANCE:
        values[f"{name}, after random looks"] = {
            "strict": numbers_of(pooled_columns(scene[name]["strict"] for scene in random_walks)),
            "published": numbers_of(pooled_columns(scene[name]["published"] for scene in random_walks)),
        }
    explored = list(parallel_map(partial(blind_explorations, options=options), cases))
    for name in _EXPLORATIONS:
        found = numbers_of(pooled_columns(scene[name] for scene in explored))
        values[name] = {"strict": found, "published": found}
    meanings = {name: "; ".join(filter(None, (MEANING.get(name), _strategy_meaning(name)))) for name in values}
    return BaselineGrid(
        "Theory of Space",
        f"scenes {scenes}",
        len(cases),
        meanings,
        _COLUMN_TITLES,
        BEST_WITHOUT_KNOWLEDGE,
        values,
        ("explore/cost",),
    )


def _strategy_meaning(name: str) -> str:
    plain, _, random_walks = name.partition(", ")
    if random_walks:
        return f"the same as {plain}, where not the scout explores, but someone who looks and walks at random"
    return BLIND_STRATEGIES[name].meaning if name in BLIND_STRATEGIES else _EXPLORATIONS.get(name, "")
