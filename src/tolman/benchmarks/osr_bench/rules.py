"""The two rule sets of OSR-Bench. Every corrected defect of the released code is one named switch here, and only
here."""

from dataclasses import dataclass, fields, replace

from tolman.core.errors import UnknownNameError
from tolman.core.rules import RuleSetName


@dataclass(frozen=True)
class Rules:
    """What is asked, read and graded where the released code has a defect: False is what the released code does."""

    name: RuleSetName
    objects_never_share_a_cell: bool = False
    """The three objects of a direction question lie in three cells; the released code keeps two in one."""
    ties_are_not_asked: bool = False
    """The closest candidate is closer than the next by a cell or more, and of the objects of a class that is faced
    or sought one is closest; the released code takes the first it meets."""
    near_alignment_is_not_asked: bool = False
    """A direction is straight ahead, behind or to a side exactly, or clear of it; not a hair's breadth beside it."""
    directions_are_balanced: bool = False
    """Each answer to direction questions comes equally often, so that no constant answer beats chance."""
    absences_are_asked: bool = False
    """The negative set also asks from places that are absent or not unique, and for candidates of which none is
    there; the released one hardly ever does."""
    questions_come_once: bool = False
    """No question is asked twice about a room; the released code draws again what it drew before."""
    pools_tell_nothing: bool = False
    """Classes named in the prompt for the map come in the order of the alphabet; the released prompt gives them in
    the order in which they lie on the true map."""
    class_lists_hold_distractors: bool = False
    """Half of the classes named in the prompt for the map of a room of our own are not there; the released list is the
    truth, so that who echoes it invents nothing. An option can say otherwise: see `OsrOptions.class_list`."""
    special_answers_are_told: bool = False
    """The model is told the sentences for what is absent or not unique; the released prompts never say them."""
    true_handedness: bool = False
    """Maps show the floor as seen from above; the released ones are mirror images of what the picture shows."""
    forgiving_answers: bool = False
    """An answer is read wherever its meaning is plain; the released grader compares the whole text."""
    counts_are_exact: bool = False
    """A count is right or wrong; the released grader gives part of a point to one that is near."""
    forgiving_maps: bool = False
    """A map is read wherever its meaning is plain: pairs in round brackets, decimals, remarks after it."""
    points_outside_are_wrong: bool = False
    """A place beyond the grid is a wrong one; the released reader drops it."""
    every_class_counts: bool = False
    """Precision and recall are over all classes; the released ones stop at the last class that both maps have."""
    maps_may_share_no_class: bool = False
    """A map that has no class in common with the truth is a bad map; the released code calls it unreadable."""


SWITCHES = tuple(field.name for field in fields(Rules) if field.name != "name")
PUBLISHED = Rules("published")
STRICT = replace(Rules("strict"), **dict.fromkeys(SWITCHES, True))


def find_rules(name: str) -> Rules:
    """The rule set called `published` or `strict`."""
    for rules in (PUBLISHED, STRICT):
        if rules.name == name:
            return rules
    raise UnknownNameError(f"there is no rule set {name!r}; choose published or strict")
