"""What scripted models are handed with each question: the right reply, one that never varies, and guesses."""

from tolman.benchmarks.sparrta.question import LETTERS, RelationQuestion
from tolman.benchmarks.sparrta.relations import RELATIONS
from tolman.benchmarks.sparrta.sparrta_case import SparrtaCase
from tolman.benchmarks.sparrta.sparrta_options import SparrtaOptions
from tolman.models.handed import HandedAnswers


def known_reply(case: SparrtaCase, question: RelationQuestion, options: SparrtaOptions) -> HandedAnswers:
    """Constantly the first letter; as a guess any of the four words."""
    return HandedAnswers(
        question.viewpoint,
        case.id,
        _worded(question.lettered(question.answer), options),
        _worded(LETTERS[0], options),
        tuple(_worded(relation, options) for relation in RELATIONS),
    )


def _worded(answer: str, options: SparrtaOptions) -> str:
    return f"<think>This was worked out beforehand.</think>\n<answer>{answer}</answer>" if options.think else answer
