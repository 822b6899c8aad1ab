"""Questions about a world: sample them, word them, read replies and grade them. One file for each kind."""

from tolman.ask.kinds.registry import (
    blind_reply,
    chance_level,
    constant_reply,
    find_kind,
    grade,
    kind_names,
    oracle_reply,
    parse_kind,
    parse_question,
    sample_questions,
    wrong_reply,
)
from tolman.ask.question import Grade, Question, QuestionKind, question_from_dict, question_to_dict

__all__ = [
    "Grade",
    "Question",
    "QuestionKind",
    "blind_reply",
    "chance_level",
    "constant_reply",
    "find_kind",
    "grade",
    "kind_names",
    "oracle_reply",
    "parse_kind",
    "parse_question",
    "question_from_dict",
    "question_to_dict",
    "sample_questions",
    "wrong_reply",
]
