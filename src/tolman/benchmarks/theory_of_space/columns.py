"""The score columns of Theory of Space, each defined once, and the values that one scene gives them.

A column holds one or several values per scene, pooled over scenes. A missing value was not scored.
"""

from collections.abc import Collection, Iterable, Iterator

from tolman.ask import find_kind
from tolman.belief.map_dimensions import MapSummary
from tolman.belief.map_scores import MapScore, mean
from tolman.benchmarks.theory_of_space.options import MapMode, World
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.report.table import Column, number

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


COST_COLUMN = Column(
    "explore/cost",
    "cost",
    "Exploration",
    style=number(1),
    better="lower",
    definition="Action cost: one per observation, two per query; for a passive run, that of the log it read.",
)
GAIN_COLUMN = Column(
    "explore/gain",
    "information gain",
    "Exploration",
    "info.\ngain",
    better="higher",
    definition="How far the evidence determines all positions: 0 not at all, 100 every position certain.",
)
CHEAPEST_COLUMN = Column(
    "explore/cheapest",
    "cheapest",
    "Exploration",
    style=number(1),
    definition="Least action cost of any exploration that makes every position certain, for one who knows the scene: "
    "a proven lower bound.",
)
LEFT_COLUMN = Column(
    "explore/left",
    "left",
    "Exploration",
    style=number(1),
    better="lower",
    definition="Least action cost of going on from the end of the run until every position is certain, for one who "
    "knows the scene; 0 where it is.",
)
REGRET_COLUMN = Column(
    "explore/regret",
    "regret",
    "Exploration",
    style=number(1),
    better="lower",
    definition="Action cost wasted: cost + left − cheapest. 0 for an exploration that no one who knows the scene "
    "could have begun better.",
)
NODES_COLUMN = Column(
    "explore/nodes",
    "node coverage",
    "Exploration",
    "node\ncover.",
    better="higher",
    definition="Share of all objects and doors that have been in view: the paper's measure of exploration in vision.",
)

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
    Column(
        "map/uncertainty",
        "unexplored points",
        short="uncer-\ntainty",
        better="higher",
        definition="Which of the marked points have not been observed yet. Strict: Youden's J (naming all, none or "
        "random points scores 0, exactly the wrong ones −100); published: F1 (naming all scores 67).",
    ),
)

UNCLEAR_COLUMN = Column(
    "map/unclear_facings",
    "facings not shown",
    short="facings\nnot shown",
    style=number(2),
    better="lower",
    definition="Facings per scene that are not scored, as the things look the same facing another way, from wherever "
    "they were seen (vision, strict only).",
)


def belief_columns(worlds: Collection[World]) -> tuple[Column, ...]:
    """Quality of the stated maps; in the vision world also how many facings the pictures do not show."""
    return (*BELIEF_COLUMNS, UNCLEAR_COLUMN) if "vision" in worlds else BELIEF_COLUMNS


_CHANGES_FOUND, _INERTIA = "Changes found, F1", "Inertia"
CHANGES_FOUND_COLUMN = Column(
    "revise/f1",
    "all",
    _CHANGES_FOUND,
    better="higher",
    definition="F1 of the reported changes, turned and moved. Strict: only as many reports as changes were announced "
    "can be right, the first ones; further reports count as wrong.",
)
REVISION_COLUMNS = (
    Column(
        "revise/cost",
        "all",
        "Cost",
        style=number(2),
        better="lower",
        definition="Action cost of the exploration after the world has changed.",
    ),
    Column(
        "revise/redundant",
        "redundant",
        "Cost",
        style=number(2),
        better="lower",
        definition="The part of that cost spent after every changed thing had been in view.",
    ),
    CHANGES_FOUND_COLUMN,
    Column(
        "revise/f1/facing", "turned", _CHANGES_FOUND, better="higher", definition="F1 of the things reported as turned."
    ),
    Column(
        "revise/f1/position", "moved", _CHANGES_FOUND, better="higher", definition="F1 of the things reported as moved."
    ),
    Column(
        "revise/correctness/facing",
        "facing",
        "Correctness",
        "ori.",
        better="higher",
        definition="Whether the facing of a turned thing is right in the map stated when it first comes into view.",
    ),
    Column(
        "revise/correctness/position",
        "position",
        "Correctness",
        "pos.",
        better="higher",
        definition="How close to the truth a moved thing is in the map stated when it first comes into view.",
    ),
    Column(
        "revise/inertia/facing",
        "facing",
        _INERTIA,
        "ori.",
        better="lower",
        definition="How often the old facing of a turned thing is kept when it first comes into view.",
    ),
    Column(
        "revise/inertia/position",
        "position",
        _INERTIA,
        "pos.",
        better="lower",
        definition="How far the old position biases the new one, pooled over moved things: 0 for a perfect update.",
    ),
)

BEST_WITHOUT_KNOWLEDGE = {
    "ask/none": 0.22,
    "map/correctness/overall": 0.25,
    "map/uncertainty": 0.32,
    "revise/f1": 0.17,
}
"""The headline columns except cost and information gain, with the best score among the blind strategies of `tolman
baselines`: `strict`, three rooms, scenes 0 to 99, rounded up to a whole percent."""
