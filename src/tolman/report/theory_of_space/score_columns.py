"""Every score of Theory of Space, defined once: its titles, which way is better, and what it is in one sentence.

Keys are those that `columns` gives the numbers of a scene.
"""

from collections.abc import Iterable

from tolman.benchmarks.theory_of_space.options import MapMode
from tolman.report.table import Column, number

COST = Column(
    "explore/cost",
    "cost",
    "Exploration",
    style=number(1),
    better="lower",
    definition="Action cost: one for each look, two for each query; of a passive run, that of the log it read.",
)
GAIN = Column(
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
MAP_MODES: dict[MapMode, str] = {
    "none": "Answers, %",
    "true": "Answers given the true map (sufficiency), %",
    "say": "Answers after stating a map first (alignment), %",
    "own": "Answers after the model's own last map (alignment), %",
}


def spoken(kind: str) -> str:
    """A kind of question, in words."""
    return kind.replace("_", " ")


def kind_column(mode: MapMode, kind: str) -> Column:
    """Accuracy in one kind of question, asked with this map in hand; kinds beyond the paper's nine stand apart."""
    group, short, definition = _KINDS.get(kind, ("Other", kind.replace("_", "\n"), ""))
    return Column(f"ask/{mode}/{kind}", spoken(kind), group, short, better="higher", definition=definition)


def answer_columns(mode: MapMode, asked: Iterable[str] = ()) -> tuple[Column, ...]:
    """Each kind of question, their mean, and what exploration cost and gave."""
    others = sorted(set(asked) - set(KINDS))
    return (*(kind_column(mode, kind) for kind in (*KINDS, *others)), average(mode), COST, GAIN)


def average(mode: MapMode) -> Column:
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
_SAID = {
    "facing": "facing",
    "position": "position",
    "overall": "overall",
    "coverage": "share of what could be compared that both maps hold",
}
BELIEF = (
    *(
        Column(f"map/{dimension}/{part}", title, group, short, better="higher", definition=f"{meaning}: {_SAID[part]}.")
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

_F1, _INERTIA = "Changes found, F1", "Inertia"
FOUND = Column(
    "revise/f1",
    "all",
    _F1,
    better="higher",
    definition="F1 of the changes that the model reports, turned and moved; strict: as many as were announced can be "
    "right, the first ones, and the rest are wrong.",
)
REVISION = (
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
    FOUND,
    Column("revise/f1/facing", "turned", _F1, better="higher", definition="F1 of the things reported as turned."),
    Column("revise/f1/position", "moved", _F1, better="higher", definition="F1 of the things reported as moved."),
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

STATED = {
    "ask/none": 0.22,
    "map/correctness/overall": 0.25,
    "map/uncertainty": 0.32,
    "revise/f1": 0.17,
}
"""The headline columns of knowledge (looking itself is measured by cost and information gain), and what one gets there
at most without any, under `strict` in worlds of three rooms: the best of the strategies of `tolman baselines` on scenes
0 to 99, rounded up to a whole percent."""
