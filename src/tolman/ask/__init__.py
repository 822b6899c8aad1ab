"""Questions about a world: sampling, wording, parsing of replies and grading. One file per kind."""

from tolman.ask.kinds.registry import blind_reply as blind_reply
from tolman.ask.kinds.registry import chance_level as chance_level
from tolman.ask.kinds.registry import constant_reply as constant_reply
from tolman.ask.kinds.registry import find_kind as find_kind
from tolman.ask.kinds.registry import grade as grade
from tolman.ask.kinds.registry import oracle_reply as oracle_reply
from tolman.ask.kinds.registry import parse_kind as parse_kind
from tolman.ask.kinds.registry import parse_question as parse_question
from tolman.ask.kinds.registry import sample_questions as sample_questions
from tolman.ask.kinds.registry import wrong_reply as wrong_reply
from tolman.ask.question import PAPER_KINDS as PAPER_KINDS
from tolman.ask.question import VISION_KINDS as VISION_KINDS
from tolman.ask.question import Grade as Grade
from tolman.ask.question import Question as Question
from tolman.ask.question import QuestionKind as QuestionKind
from tolman.ask.question import question_from_dict as question_from_dict
from tolman.ask.question import question_to_dict as question_to_dict
