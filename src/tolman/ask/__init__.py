"""Questions about a world: sample them, word them, read replies and grade them. One file for each kind."""

from tolman.ask.baselines import blind_reply, chance_level, constant_reply
from tolman.ask.hear import hear_kind, hear_question
from tolman.ask.kinds.registry import find_kind, grade, kind_names
from tolman.ask.oracle import oracle_reply, wrong_reply
from tolman.ask.question import Grade, Question, QuestionKind, question_from_dict, question_to_dict
from tolman.ask.sample import ask_all

__all__ = [
    "Grade",
    "Question",
    "QuestionKind",
    "ask_all",
    "blind_reply",
    "chance_level",
    "constant_reply",
    "find_kind",
    "grade",
    "hear_kind",
    "hear_question",
    "kind_names",
    "oracle_reply",
    "question_from_dict",
    "question_to_dict",
    "wrong_reply",
]
