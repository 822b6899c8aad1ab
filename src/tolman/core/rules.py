"""The two rule sets, `published` and `strict`: one switch for each corrected defect of the released code."""

from dataclasses import dataclass, fields
from typing import Literal

from tolman.core.errors import UnknownNameError

RuleSetName = Literal["published", "strict"]
RuleSetNames = tuple[RuleSetName, ...]
"""Rule sets to show, in order."""
RULE_SETS: RuleSetNames = ("strict", "published")
"""In the order in which they are shown."""


@dataclass(frozen=True)
class Rules:
    """What a parser or grader does where the released code has a defect; False is the released code's behaviour."""

    name: RuleSetName
    forgiving_actions: bool
    """Read an action list wherever it is unambiguous: line breaks, case, punctuation, missing brackets."""
    last_answer_wins: bool
    """Take the text after the *last* `FINAL ANSWER:`; the released parser takes the first, even inside reasoning."""
    frontless_things_face_nowhere: bool
    """A query of a thing without a front reports no facing; the released code always reports east."""
    forgiving_answers: bool
    """Read an answer to a question wherever it is unambiguous: Markdown, LaTeX, whole sentences, trailing remarks."""
    plans_must_be_walkable: bool
    """A plan in answer to view-to-action goes only to things in view; the released scorer walks through walls."""
    any_consistent_answer: bool
    """An answer to a backward question is correct if it fits all that was shown, even if it is not the sampled one."""
    forgiving_names: bool
    """Names in a cognitive map may differ from the world's in case, underscores and articles."""
    unreadable_facing_is_missing: bool
    """An unknown facing word counts as none; the released parser takes it, and a missing facing of the agent, for
    north."""
    stray_braces_hide_no_map: bool
    """A map is found after a brace that is never closed, and beside a position that is no number; the released parser
    finds none."""
    repaired_json: bool
    """JSON with trailing commas, comments or single quotes is repaired and graded, unless the reply retracts it."""
    missing_map_scores_zero: bool
    """A reply without a map scores 0 and is a format error; the released code leaves it out of the mean, and the
    stability of the turn after an unparseable reply."""
    nothing_to_compare_is_unscored: bool
    """A facing or direction score over no items is not scored; the released code gives 1.0."""
    correctness_over_things_only: bool
    """Map correctness compares things, as the paper says; the released code counts doors and the agent too."""
    coincident_points_have_no_direction: bool
    """Coincident points agree with coincident points only, whatever their names; the released code calls the direction
    of the first name in the alphabet from the second north."""
    rounding_moves_nothing: bool
    """A stated position whose error grows by less than a billionth of a cell did not get worse."""
    perfect_updates_have_no_inertia: bool
    """A perfectly revised position counts as inertia 0; the released code leaves it out of the mean."""
    unknown_facing_has_no_inertia: bool
    """Facing inertia needs a facing in the old map; the released code counts a missing one as full inertia."""
    left_out_things_have_no_inertia: bool
    """Inertia needs the thing on the new map; the released code counts a missing one as inertia 0."""
    points_corrected_for_chance: bool
    """Unexplored points score Youden's J, so that all, none and random points score 0; the released code gives F1,
    which is 2/3 for naming every point."""
    only_announced_changes_count: bool
    """Only the first changes of a report, up to the announced number, can be correct; the rest are wrong."""
    stability_checks_all_observed: bool
    """Stability checks everything observed and stated before a turn, as the paper says: 1 if the new map is no worse
    there, 0 if it is worse or leaves it out. The released code skips what a map leaves out and positions that the
    turn taught something about, and calls a wrong facing that changes to another wrong one worse."""
    agreement_needs_truth: bool
    """Local and global map agree over everything in view, and only as far as the local map is correct; the released
    code compares what both state, even if it is one thing."""
    only_visible_facings: bool
    """In the vision world the facing of a thing is not scored as long as the thing would look the same facing another
    way, from wherever it has been seen; the released code scores every facing."""


def _rules(name: RuleSetName, *, corrected: bool) -> Rules:
    return Rules(name, **{switch.name: corrected for switch in fields(Rules) if switch.name != "name"})


PUBLISHED, STRICT = _rules("published", corrected=False), _rules("strict", corrected=True)


def rule_set(name: str) -> Rules:
    """The rule set called `published` or `strict`."""
    for rules in (PUBLISHED, STRICT):
        if rules.name == name:
            return rules
    raise UnknownNameError(f"there is no rule set {name!r}; choose published or strict")
