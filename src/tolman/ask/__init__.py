"""Questions about a world: sampling, wording, parsing of replies and grading. One file per kind."""

from tolman.ask.kinds.registry import (
    blind_reply,
    chance_level,
    constant_reply,
    find_kind,
    grade,
    oracle_reply,
    parse_kind,
    parse_question,
    sample_questions,
    wrong_reply,
)
from tolman.ask.question import (
    PAPER_KINDS,
    VISION_KINDS,
    Grade,
    Question,
    QuestionKind,
    question_from_dict,
    question_to_dict,
)

__all__ = [
    "PAPER_KINDS",
    "VISION_KINDS",
    "Grade",
    "Question",
    "QuestionKind",
    "blind_reply",
    "chance_level",
    "constant_reply",
    "find_kind",
    "grade",
    "oracle_reply",
    "parse_kind",
    "parse_question",
    "question_from_dict",
    "question_to_dict",
    "sample_questions",
    "wrong_reply",
]
