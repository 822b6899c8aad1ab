"""Beliefs about positions: possible positions after any history, their probabilities, information gain, coverage."""

from tolman.belief.possible_positions import Belief, Conflict, Evidence, ExactPosition, Relation, statements
from tolman.belief.posterior import Posterior, posterior
from tolman.belief.unexplored import Coverage, coverage
from tolman.belief.variable_elimination import ImpossibleBeliefError

__all__ = [
    "Belief",
    "Conflict",
    "Coverage",
    "Evidence",
    "ExactPosition",
    "ImpossibleBeliefError",
    "Posterior",
    "Relation",
    "coverage",
    "posterior",
    "statements",
]
