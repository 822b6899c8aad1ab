"""The two rule sets. Every mended defect of the released code is one named switch here, and nowhere else."""

from dataclasses import dataclass
from typing import Literal

from tolman.errors import UnknownNameError

RuleSetName = Literal["published", "strict"]


@dataclass(frozen=True)
class Rules:
    """What a grader or reader does where the released code has a defect."""

    name: RuleSetName
    forgiving_actions: bool
    """Read an action list wherever its meaning is plain: line breaks, case, signs, missing brackets."""
    last_answer_wins: bool
    """Take the text after the *last* `FINAL ANSWER:`; the released reader takes the first, even inside thoughts."""
    frontless_things_face_nowhere: bool
    """A query of a thing without a front names no facing; the released code always says east."""


PUBLISHED = Rules(
    name="published",
    forgiving_actions=False,
    last_answer_wins=False,
    frontless_things_face_nowhere=False,
)
STRICT = Rules(
    name="strict",
    forgiving_actions=True,
    last_answer_wins=True,
    frontless_things_face_nowhere=True,
)

_RULE_SETS = {rules.name: rules for rules in (PUBLISHED, STRICT)}


def rule_set(name: str) -> Rules:
    """The rule set called `published` or `strict`."""
    for rules in _RULE_SETS.values():
        if rules.name == name:
            return rules
    raise UnknownNameError(f"there is no rule set {name!r}; choose published or strict")
