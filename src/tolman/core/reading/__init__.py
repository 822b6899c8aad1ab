"""Parsing of model replies, shared by all benchmarks: retracted and denied answers, repair of invalid JSON, reasons
for parse failures. Nothing here raises on any text, and run time is linear in its length.
"""

from tolman.core.reading.final_part import final_answer, final_part, split_thoughts
from tolman.core.reading.json_objects import (
    AssertedObject,
    asserted_objects,
    load_json,
    load_repaired_json,
    outermost_braces,
)
from tolman.core.reading.stance import (
    Mention,
    Stance,
    after_correction,
    asserted_mentions,
    is_only_a_bound,
    latest_mentions,
    resolve_answer,
    resolve_slots,
    retracts,
    stance,
)
from tolman.core.reading.unparseable import ParseFailure, failure_reason, or_none

__all__ = [
    "AssertedObject",
    "Mention",
    "ParseFailure",
    "Stance",
    "after_correction",
    "asserted_mentions",
    "asserted_objects",
    "failure_reason",
    "final_answer",
    "final_part",
    "is_only_a_bound",
    "latest_mentions",
    "load_json",
    "load_repaired_json",
    "or_none",
    "outermost_braces",
    "resolve_answer",
    "resolve_slots",
    "retracts",
    "split_thoughts",
    "stance",
]
