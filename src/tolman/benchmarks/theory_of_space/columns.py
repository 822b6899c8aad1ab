"""The score columns of Theory of Space, each defined once, and the values that one scene gives them.

A column holds one value per scene, or several that are pooled over scenes. A value that is missing was not scored.
"""

from collections.abc import Iterable, Iterator

from tolman.ask import find_kind
from tolman.belief.map_dimensions import MapSummary
from tolman.belief.map_scores import MapScore, mean
from tolman.belief.revision import Tally
from tolman.benchmarks.theory_of_space.options import MapMode
from tolman.benchmarks.theory_of_space.scores import SceneScores
from tolman.report.table import Column, number

Columns = dict[str, tuple[float, ...]]

PARTS = ("facing", "position", "direction", "overall")


def columns(scores: SceneScores) -> Columns:
    """All columns of one scene that hold anything, by name."""
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
    for answer in scores.answers:
        yield f"ask/{answer.mode}/{answer.kind}", (answer.score,)
        if not find_kind(answer.kind).in_pictures:
            yield f"ask/{answer.mode}", (answer.score,)
    if scores.maps is not None:
        yield from _map_values(scores.maps.summaries)
        yield "map/uncertainty", _known_value(scores.maps.uncertainty)
    yield from _revision_values(scores)


def _map_values(summaries: Iterable[MapSummary]) -> NamedValues:
    known = list(summaries)
    dimensions = ("correctness", "update", "perception", "self_tracking", "consistency")
    for dimension in dimensions:
        values: list[MapScore | None] = [getattr(summary, dimension) for summary in known]
        for part in PARTS:
            yield f"map/{dimension}/{part}", _known_value(mean(getattr(v, part) for v in values if v is not None))
    yield "map/consistency/coverage", _known_value(mean(summary.consistency_coverage for summary in known))
    yield "map/stability/coverage", _known_value(mean(summary.stability_coverage for summary in known))
    yield "map/stability/facing", _known_value(mean(summary.facing_stability for summary in known))
    yield "map/stability/position", _known_value(mean(summary.position_stability for summary in known))


def _revision_values(scores: SceneScores) -> NamedValues:
    revision = scores.revision
    if revision is None:
        return
    yield "revise/cost", (revision.cost,)
    yield "revise/redundant", _known_value(revision.redundant)
    yield "revise/f1", _known_value(revision.identification.overall)
    yield "revise/f1/facing", _known_value(revision.identification.orientation)
    yield "revise/f1/position", _known_value(revision.identification.position)
    if revision.scores is not None:
        yield "revise/correctness/facing", _known_value(revision.scores.facing_correctness.mean)
        yield "revise/correctness/position", _known_value(revision.scores.position_correctness.mean)
        yield "revise/inertia/facing", _known_value(revision.scores.facing_inertia.mean)
        yield "revise/inertia/position", _tally_values(revision.scores.position_inertia)


def _tally_values(tally: Tally) -> tuple[float, ...]:
    return tuple(value for _, value in tally.scores)


def _known_value(value: float | None) -> tuple[float, ...]:
    return () if value is None else (value,)


COST_COLUMN = Column(
    "explore/cost",
    "cost",
    "Exploration",
    style=number(1),
    better="lower",
    definition="Action cost: one for each look, two for each query; of a passive run, that of the log it read.",
)
GAIN_COLUMN = Column(
    "explore/gain",
    "information gain",
    "Exploration",
    "info.\ngain",
    better="higher",
    definition="What the evidence allows to know about all positions: 0 nothing, 100 every position certain.",
)

_KINDS = {
    "direction": ("Route", "direc-\ntion", "In which direction and how far one thing lies from another."),
    "perspective_taking": (
        "Route",
        "persp.\ntake",
        "Where a thing is for someone who stands at another and faces its way.",
    ),
    "perspective_decision": ("Route", "perc.\ndec.", "At which thing one stands, given the view."),
    "action_to_view": ("Route", "act2\nview", "Where a thing is after a walk."),
    "view_to_action": ("Route", "view2\nact", "Which walk leads to a given view."),
    "allocentric_mapping": ("Survey", "alloc.\nmap", "Where things are on a map from above."),
    "mental_rotation": ("Survey", "ment.\nrot", "In which order things come ahead while one turns around."),
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
    """A kind of question, in words."""
    return kind.replace("_", " ")


def kind_column(mode: MapMode, kind: str) -> Column:
    """Accuracy in one kind of question, asked with this map in hand; kinds beyond the paper's nine stand apart."""
    group, short, definition = _KINDS.get(kind, ("Other", kind.replace("_", "\n"), ""))
    return Column(f"ask/{mode}/{kind}", kind_title(kind), group, short, better="higher", definition=definition)


def answer_columns(mode: MapMode, asked: Iterable[str] = ()) -> tuple[Column, ...]:
    """Each kind of question, their mean, and what exploration cost and gave."""
    others = sorted(set(asked) - set(KINDS))
    return (*(kind_column(mode, kind) for kind in (*KINDS, *others)), average_column(mode), COST_COLUMN, GAIN_COLUMN)


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
        "The local map against the global one of the same turn; strict: over all in view, as far as it is right",
    ),
    "stability": (
        "Stability",
        (_FACING, _POSITION, _COVERAGE),
        "Whether what a turn taught nothing about stays as it was; strict: over all seen, as far as it is right",
    ),
    "self_tracking": ("Self-tracking", (_FACING, _POSITION), "The stated pose of the agent against its true one"),
}
_PART_MEANINGS = {
    "facing": "facing",
    "position": "position",
    "overall": "overall",
    "coverage": "share of what could be compared that both maps hold",
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
        definition="Which of some marked points have not been looked at yet: strict Youden's J (naming all, none or "
        "random points is worth 0, all wrong ones −100), published F1 (naming all is worth 67).",
    ),
)

_CHANGES_FOUND, _INERTIA = "Changes found, F1", "Inertia"
CHANGES_FOUND_COLUMN = Column(
    "revise/f1",
    "all",
    _CHANGES_FOUND,
    better="higher",
    definition="F1 of the changes that the model reports, turned and moved; strict: as many as were announced can be "
    "right, the first ones, and the rest are wrong.",
)
REVISION_COLUMNS = (
    Column(
        "revise/cost",
        "all",
        "Cost",
        style=number(2),
        better="lower",
        definition="Action cost of looking again after the world has changed.",
    ),
    Column(
        "revise/redundant",
        "redundant",
        "Cost",
        style=number(2),
        better="lower",
        definition="The part of that cost spent after all that changed had been in view.",
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
        definition="Whether the entry of a turned thing is right at its first sight.",
    ),
    Column(
        "revise/correctness/position",
        "position",
        "Correctness",
        "pos.",
        better="higher",
        definition="How near the entry of a moved thing comes to the truth at its first sight.",
    ),
    Column(
        "revise/inertia/facing",
        "facing",
        _INERTIA,
        "ori.",
        better="lower",
        definition="How often the old facing is kept at the first sight of a turned thing.",
    ),
    Column(
        "revise/inertia/position",
        "position",
        _INERTIA,
        "pos.",
        better="lower",
        definition="How far the old position pulls the new entry, pooled over moved things: 0 for a perfect update.",
    ),
)

BEST_WITHOUT_KNOWLEDGE = {
    "ask/none": 0.22,
    "map/correctness/overall": 0.25,
    "map/uncertainty": 0.32,
    "revise/f1": 0.17,
}
"""The headline columns of knowledge (looking itself is measured by cost and information gain), and what one gets there
at most without any, under `strict` in worlds of three rooms: the best of the strategies of `tolman baselines` on scenes
0 to 99, rounded up to a whole percent."""
