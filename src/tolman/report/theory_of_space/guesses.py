"""What guesses are worth on the questions of a case: chance, a constant answer, a blind guess."""

from pydantic import TypeAdapter

from tolman.ask import blind_reply, chance_level, constant_reply, grade
from tolman.benchmarks.theory_of_space.case import Case
from tolman.report.theory_of_space.kept import kept
from tolman.rules import PUBLISHED, STRICT, RuleSetName

GUESSES = ("chance", "constant", "blind")
Scores = dict[str, dict[RuleSetName, list[float]]]
"""By name of the guess and rule set, the score of each question in order."""
_SCORES = TypeAdapter(Scores)


def guesses(case: Case) -> Scores:
    """Scores of all guesses. They take a quarter of a second, and are kept."""
    return kept("guesses", [case.seed, [question.id for question in case.questions]], _SCORES, lambda: _guess(case))


def _guess(case: Case) -> Scores:
    found: Scores = {name: {} for name in GUESSES}
    for rules in (STRICT, PUBLISHED):
        asked = case.questions
        found["chance"][rules.name] = [chance_level(question, rules) for question in asked]
        found["constant"][rules.name] = [grade(q, constant_reply(q), rules).score for q in asked]
        found["blind"][rules.name] = [grade(q, blind_reply(q, case.seed), rules).score for q in asked]
    return found
