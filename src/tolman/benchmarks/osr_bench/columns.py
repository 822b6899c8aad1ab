"""The score columns of OSR-Bench, each defined once: answers (`ask/KIND`), the stated map (`map/...`), and the effect
of rotating the camera (`turned/...`).

Shares are from 0 to 1, distances in cells of the grid.
"""

from tolman.benchmarks.osr_bench.questions.question import QUESTION_KINDS
from tolman.report.table import Column, number

DISTANCE, PRECISION, RECALL, F1 = "map/distance", "map/precision", "map/recall", "map/f1"
MIRRORED_F1, ROTATION, MAP_PARSED = "map/mirrored_f1", "map/turned", "map/success"
INVENTS, INVENTED_CLASSES, INVENTED_OBJECTS = "map/invents", "map/invented_classes", "map/invented_objects"
SAME_ANSWER, ALWAYS_RIGHT = "turned/same", "turned/right"
_INVENTED, _SAME = "Invented (CHAIR)", "Same answer"


def answer_key(kind: str) -> str:
    """The column of answers to one kind of question."""
    return f"ask/{kind}"


ANSWER_COLUMNS = tuple(
    Column(answer_key(kind), kind, better="higher", definition=f"Share of {kind} questions answered correctly.")
    for kind in QUESTION_KINDS
)
MAP_COLUMNS = (
    Column(
        DISTANCE,
        "cells off",
        short="cells\noff",
        style=number(2),
        better="lower",
        definition="Mean distance of matched pairs in cells of the grid, 15 where there is no map.",
    ),
    Column(
        PRECISION,
        "precision",
        short="preci-\nsion",
        better="higher",
        definition="Share of stated objects within 2 cells of a true one.",
    ),
    Column(RECALL, "recall", better="higher", definition="Share of true objects with a stated one within 2 cells."),
    Column(F1, "F1", better="higher", definition="Harmonic mean of precision and recall."),
    Column(
        MIRRORED_F1,
        "mirrored F1",
        short="mirror\nF1",
        definition="F1 of the map's mirror image; where it is higher, left and right are confused.",
    ),
    Column(MAP_PARSED, "read", better="higher", definition="Share of replies in which a map could be parsed."),
    Column(
        INVENTS, "maps", _INVENTED, better="lower", definition="Share of maps with any class that is not in the room."
    ),
    Column(
        INVENTED_CLASSES,
        "classes",
        _INVENTED,
        better="lower",
        definition="Share of stated classes that are not in the room.",
    ),
    Column(
        INVENTED_OBJECTS,
        "objects",
        _INVENTED,
        better="lower",
        definition="Share of stated objects whose class is not in the room.",
    ),
)
ROTATION_COLUMN = Column(
    ROTATION, "turned", definition="The rotation of the stated map, of four, that fits best.", unit="degrees"
)
CONSISTENCY_COLUMNS = (
    Column(
        SAME_ANSWER,
        "all",
        _SAME,
        better="higher",
        definition="Share of questions with the same answer at every camera rotation.",
    ),
    *(
        Column(
            f"{SAME_ANSWER}/{kind}",
            kind,
            _SAME,
            better="higher",
            definition=f"Share of {kind} questions with the same answer at every camera rotation.",
        )
        for kind in QUESTION_KINDS
    ),
    Column(
        ALWAYS_RIGHT,
        "every rotation",
        "Right at",
        "every\nrotation",
        better="higher",
        definition="Mean over questions of the lowest score at any camera rotation.",
    ),
)
COLUMNS = {column.key: column for column in (*ANSWER_COLUMNS, *MAP_COLUMNS, ROTATION_COLUMN, *CONSISTENCY_COLUMNS)}
