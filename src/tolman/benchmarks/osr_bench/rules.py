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
    """The three objects of a direction question are in three different cells; in the released set two may share one."""
    ties_are_not_asked: bool = False
    """The closest candidate is closer than the next by a cell or more, and a faced or queried class has one closest
    object; the released code takes the first of equals."""
    near_alignment_is_not_asked: bool = False
    """A direction is exactly along an axis (front, right, back, left) or at least 15 degrees off it."""
    directions_are_balanced: bool = False
    """Answers to direction questions are equally frequent, so that no constant answer beats chance."""
    absences_are_asked: bool = False
    """The negative set also has positioning objects that are absent or not unique, and candidates that are all absent;
    in the released set these are rare."""
    questions_come_once: bool = False
    """No question is asked twice about a room; the released code draws with replacement."""
    pools_tell_nothing: bool = False
    """The map prompt lists classes alphabetically; the released prompt lists them in their order on the true map."""
    class_lists_hold_distractors: bool = False
    """In generated rooms, half of the classes that the map prompt lists are absent; the released list is exact, so that
    echoing it never counts as invention. `Options.class_list` overrides this."""
    special_answers_are_told: bool = False
    """The prompt lists the answers for absent or non-unique objects; the released prompts do not."""
    true_handedness: bool = False
    """Maps show the floor as seen from above; the released ones are mirror images of what the picture shows."""
    forgiving_answers: bool = False
    """An answer is parsed wherever it is unambiguous; the released grader compares the whole text."""
    counts_are_exact: bool = False
    """A count is right or wrong; the released grader gives partial credit for near counts."""
    forgiving_maps: bool = False
    """A map is parsed wherever it is unambiguous, with pairs in round brackets, decimals or trailing text."""
    points_outside_are_wrong: bool = False
    """A stated cell outside the grid is wrong; the released parser drops it."""
    every_class_counts: bool = False
    """Precision and recall are over all classes; the released ones stop at the last class that both maps have."""
    maps_may_share_no_class: bool = False
    """A map without any true class is scored as wrong; the released code treats it as unparseable."""


SWITCHES = tuple(field.name for field in fields(Rules) if field.name != "name")
PUBLISHED = Rules("published")
STRICT = replace(Rules("strict"), **dict.fromkeys(SWITCHES, True))


def find_rules(name: str) -> Rules:
    """The rule set called `published` or `strict`."""
    for rules in (PUBLISHED, STRICT):
        if rules.name == name:
            return rules
    raise UnknownNameError(f"there is no rule set {name!r}; choose published or strict")
