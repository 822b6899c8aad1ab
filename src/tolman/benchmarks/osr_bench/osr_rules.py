"""The two rule sets of OSR-Bench. Every mended defect of the released code is one named switch here, and nowhere else."""

from dataclasses import dataclass

from tolman.errors import UnknownNameError
from tolman.rules import RuleSetName


@dataclass(frozen=True)
class OsrRules:
    """What is asked, read and graded where the released code has a defect: False is what the released code does."""

    name: RuleSetName
    objects_never_share_a_cell: bool
    """The three objects of a direction question lie in three cells; the released code keeps two in one."""
    ties_are_not_asked: bool
    """The closest object is closer than the next by a cell or more; the released code takes the first it meets."""
    near_alignment_is_not_asked: bool
    """A direction is straight ahead, behind or to a side exactly, or clear of it; not a hair's breadth beside it."""
    directions_are_balanced: bool
    """Each of the eight directions is asked for equally often, so that no constant answer beats chance."""
    special_answers_are_told: bool
    """The model is told the sentences for what is absent or not unique; the released prompts never say them."""
    true_handedness: bool
    """Maps show the floor as seen from above; the released ones are mirror images of what the picture shows."""
    forgiving_answers: bool
    """An answer is read wherever its meaning is plain; the released grader compares the whole text."""
    counts_are_exact: bool
    """A count is right or wrong; the released grader gives part of a point to one that is near."""
    forgiving_maps: bool
    """A map is read wherever its meaning is plain: pairs in round brackets, decimals, remarks after it."""
    points_outside_are_wrong: bool
    """A place beyond the grid is a wrong one; the released reader drops it."""
    every_class_counts: bool
    """Precision and recall are over all classes; the released ones stop at the last class that both maps have."""
    maps_may_share_no_class: bool
    """A map that has no class in common with the truth is a bad map; the released code calls it unreadable."""


PUBLISHED = OsrRules("published", *(False,) * 12)
STRICT = OsrRules("strict", *(True,) * 12)


def osr_rules(name: str) -> OsrRules:
    """The rule set called `published` or `strict`."""
    for rules in (PUBLISHED, STRICT):
        if rules.name == name:
            return rules
    raise UnknownNameError(f"there is no rule set {name!r}; choose published or strict")
