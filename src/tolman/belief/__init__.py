"""What can be known: possible positions after any history, their probabilities, information gain, coverage."""

from tolman.belief.coverage import Coverage, coverage
from tolman.belief.elimination import ImpossibleBeliefError
from tolman.belief.possible import Belief, Conflict
from tolman.belief.posterior import Posterior, posterior
from tolman.belief.relations import Evidence, Exactly, Relation, statements

__all__ = [
    "Belief",
    "Conflict",
    "Coverage",
    "Evidence",
    "Exactly",
    "ImpossibleBeliefError",
    "Posterior",
    "Relation",
    "coverage",
    "posterior",
    "statements",
]
