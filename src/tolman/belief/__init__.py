"""What can be known: possible positions after any history, information gain, coverage."""

from tolman.belief.coverage import Coverage, coverage
from tolman.belief.possible import Belief, Conflict
from tolman.belief.relations import Evidence, Exactly, Relation, statements

__all__ = ["Belief", "Conflict", "Coverage", "Evidence", "Exactly", "Relation", "coverage", "statements"]
