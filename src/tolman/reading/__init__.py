"""What all readers of a model's reply share: what a text takes back or denies, JSON that is nearly JSON, why a reply
could not be parsed. Nothing here raises on any text, and time grows with its length only.
"""

from tolman.reading.final_part import final_answer, final_part, split_thoughts
from tolman.reading.repaired_json import load_json, load_nearly_json
from tolman.reading.said_json import SaidObject, outermost_braces, said_objects
from tolman.reading.stance import (
    Mention,
    Stance,
    after_correction,
    bounded,
    latest,
    settle,
    settle_slots,
    stance,
    standing,
    takes_back,
)
from tolman.reading.unread import Unread, or_none, why_unread

__all__ = [
    "Mention",
    "SaidObject",
    "Stance",
    "Unread",
    "after_correction",
    "bounded",
    "final_answer",
    "final_part",
    "latest",
    "load_json",
    "load_nearly_json",
    "or_none",
    "outermost_braces",
    "said_objects",
    "settle",
    "settle_slots",
    "split_thoughts",
    "stance",
    "standing",
    "takes_back",
    "why_unread",
]
