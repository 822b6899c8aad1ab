"""The score columns of Theory of Space, each defined once, and the values that one scene gives them.

A column holds one or several values per scene, pooled over scenes. A missing value was not scored.
"""

from collections.abc import Collection, Iterable, Iterator

from tolman.ask import find_kind
from tolman.belief.map_dimensions import MapSummary
from tolman.belief.map_scores import MapScore, mean
from tolman.benchmarks.theory_of_space.options import MapMode, World
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.report.table import Column, read_columns

Columns = dict[str, tuple[float, ...]]

PARTS = ("facing", "position", "direction", "overall")


def columns(scores: SceneScores) -> Columns:
    """All non-empty columns of one scene, by name."""
    found: Columns = {}
    for name, values in _all_values(scores):
        if values:
            found[name] = found.get(name, ()) + tuple(map(float, values))
    return found


NamedValues = Iterator[tuple[str, tuple[float, ...]]]


def _all_values(scores: SceneScores) -> NamedValues:
    explored = scores.exploration
    yield "explore/cost", (explored.cost,)
    yield "explore/gain", explored.gains[-1:]
    yield "explore/nodes", (explored.nodes,)
    yield "explore/edges", (explored.edges,)
    yield from ((key, (value,)) for key, value in explored.patterns.values.items())
    for answer in scores.answers:
        yield f"ask/{answer.mode}/{answer.kind}", (answer.score,)
        if not find_kind(answer.kind).in_pictures:
            yield f"ask/{answer.mode}", (answer.score,)
    if scores.maps is not None:
        yield from _map_values(scores.maps.summaries)
        yield "map/uncertainty", _if_scored(scores.maps.uncertainty)
    yield from _revision_values(scores)


def _map_values(summaries: Iterable[MapSummary]) -> NamedValues:
    listed = list(summaries)
    dimensions = ("correctness", "update", "perception", "self_tracking", "consistency")
    for dimension in dimensions:
        values: list[MapScore | None] = [getattr(summary, dimension) for summary in listed]
        for part in PARTS:
            yield f"map/{dimension}/{part}", _if_scored(mean(getattr(v, part) for v in values if v is not None))
    yield "map/consistency/coverage", _if_scored(mean(summary.consistency_coverage for summary in listed))
    yield "map/stability/coverage", _if_scored(mean(summary.stability_coverage for summary in listed))
    yield "map/stability/facing", _if_scored(mean(summary.facing_stability for summary in listed))
    yield "map/stability/position", _if_scored(mean(summary.position_stability for summary in listed))
    yield "map/unclear_facings", _if_scored(mean(summary.unclear_facings for summary in listed))
    yield "map/still_right/facing", _if_scored(mean(summary.still_right_facing for summary in listed))
    yield "map/still_right/position", _if_scored(mean(summary.still_right_position for summary in listed))


def _revision_values(scores: SceneScores) -> NamedValues:
    revision = scores.revision
    if revision is None:
        return
    yield "revise/cost", (revision.cost,)
    yield "revise/redundant", _if_scored(revision.redundant)
    yield "revise/f1", _if_scored(revision.identification.overall)
    yield "revise/f1/facing", _if_scored(revision.identification.orientation)
    yield "revise/f1/position", _if_scored(revision.identification.position)
    if revision.scores is not None:
        yield "revise/correctness/facing", _if_scored(revision.scores.facing_correctness.mean)
        yield "revise/correctness/position", _if_scored(revision.scores.position_correctness.mean)
        yield "revise/inertia/facing", _if_scored(revision.scores.facing_inertia.mean)
        yield "revise/inertia/position", tuple(value for _, value in revision.scores.position_inertia.scores)


def _if_scored(value: float | None) -> tuple[float, ...]:
    return () if value is None else (value,)


_COLUMNS = read_columns("tolman.benchmarks.theory_of_space")
COST_COLUMN, GAIN_COLUMN, NODES_COLUMN, CHEAPEST_COLUMN, LEFT_COLUMN, REGRET_COLUMN = _COLUMNS["explore"]
_UNCERTAINTY_COLUMN, UNCLEAR_COLUMN = _COLUMNS["map"]

_KINDS = {
    "direction": ("Route", "direc-\ntion", "In which direction and how far one thing lies from another."),
    "perspective_taking": (
        "Route",
        "persp.\ntake",
        "Where a thing is, seen from another thing and in the direction that it faces.",
    ),
    "perspective_decision": ("Route", "perc.\ndec.", "At which thing the observer stands, given the view."),
    "action_to_view": ("Route", "act2\nview", "Where a thing is after a sequence of actions."),
    "view_to_action": ("Route", "view2\nact", "Which sequence of actions leads to a given view."),
    "allocentric_mapping": ("Survey", "alloc.\nmap", "Where things are on a map from above."),
    "mental_rotation": ("Survey", "ment.\nrot", "In which order things appear straight ahead during a full turn."),
    "location_to_view": ("Survey", "loc2\nview", "Where a thing is from a position and heading."),
    "view_to_location": ("Survey", "view2\nloc", "A position, given the view from it."),
}
"""Kinds of question in the paper's order: group, narrow title, definition."""
KINDS = tuple(_KINDS)
MAP_MODE_TITLES: dict[MapMode, str] = {
    "none": "Answers, %",
    "true": "Answers given the true map (sufficiency), %",
    "say": "Answers after stating a map first (alignment), %",
    "own": "Answers after the model's own last map (alignment), %",
}


def kind_title(kind: str) -> str:
    """A kind of question, as printed."""
    return kind.replace("_", " ")


def kind_column(mode: MapMode, kind: str) -> Column:
    """Accuracy in one kind of question in this map mode; kinds beyond the paper's nine form a group of their own."""
    group, short, definition = _KINDS.get(kind, ("Other", kind.replace("_", "\n"), ""))
    return Column(f"ask/{mode}/{kind}", kind_title(kind), group, short, better="higher", definition=definition)


def answer_columns(mode: MapMode, asked: Iterable[str] = (), worlds: Collection[World] = ()) -> tuple[Column, ...]:
    """Each kind of question, their mean, and the cost and success of the exploration in these worlds."""
    kinds = (*KINDS, *sorted(set(asked) - set(KINDS)))
    return (*(kind_column(mode, kind) for kind in kinds), average_column(mode), COST_COLUMN, *explored_columns(worlds))


def explored_columns(worlds: Collection[World]) -> tuple[Column, ...]:
    """What was explored: the information gain, beside the node coverage in the vision world, as in the paper."""
    return (NODES_COLUMN, GAIN_COLUMN) if "vision" in worlds else (GAIN_COLUMN,)


def average_column(mode: MapMode) -> Column:
    """The mean over all questions."""
    return Column(f"ask/{mode}", "average", short="aver-\nage", better="higher", definition="Mean over all questions.")


_FACING, _POSITION = ("facing", "facing", "ori."), ("position", "position", "pos.")
_OVERALL, _COVERAGE = ("overall", "overall", "overall"), ("coverage", "coverage", "cover")
_DIMENSIONS = {
    "correctness": (
        "Correctness",
        (_FACING, _POSITION, _OVERALL),
        "The last global map against the whole scene",
    ),
    "perception": ("Perception", (_FACING, _POSITION), "The local map against what came into view for the first time"),
    "consistency": (
        "Local and global",
        (_FACING, _POSITION, _COVERAGE),
        "The local map against the global one of the same turn; strict: over all in view, weighted by correctness",
    ),
    "stability": (
        "Stability",
        (_FACING, _POSITION, _COVERAGE),
        "Share of entries that are no worse than on the map before; strict: of all seen before and stated there, "
        "leaving one out is worse; published: of those on both maps, positions only where the turn taught nothing",
    ),
    "still_right": (
        "Still right",
        (_FACING, _POSITION),
        "Of all seen before: facings that are right, and closeness of positions that did not get worse (strict only; "
        "a wrong map that never changes is stable, but not right)",
    ),
    "self_tracking": ("Self-tracking", (_FACING, _POSITION), "The stated pose of the agent against its true one"),
}
_PART_MEANINGS = {
    "facing": "facing",
    "position": "position",
    "overall": "overall",
    "coverage": "share of comparable names that are on both maps",
}
BELIEF_COLUMNS = (
    *(
        Column(
            f"map/{dimension}/{part}",
            title,
            group,
            short,
            better="higher",
            definition=f"{meaning}: {_PART_MEANINGS[part]}.",
        )
        for dimension, (group, parts, meaning) in _DIMENSIONS.items()
        for part, title, short in parts
    ),
    _UNCERTAINTY_COLUMN,
)


def belief_columns(worlds: Collection[World]) -> tuple[Column, ...]:
    """Quality of the stated maps; in the vision world also how many facings the pictures do not show."""
    return (*BELIEF_COLUMNS, UNCLEAR_COLUMN) if "vision" in worlds else BELIEF_COLUMNS


REVISION_COLUMNS = _COLUMNS["revise"]
CHANGES_FOUND_COLUMN = next(column for column in REVISION_COLUMNS if column.key == "revise/f1")

BEST_WITHOUT_KNOWLEDGE = {
    "ask/none": 0.22,
    "map/correctness/overall": 0.25,
    "map/uncertainty": 0.32,
    "revise/f1": 0.17,
}
"""The headline columns except cost and information gain, with the best score among the blind strategies of `tolman
baselines`: `strict`, three rooms, scenes 0 to 99, rounded up to a whole percent."""
