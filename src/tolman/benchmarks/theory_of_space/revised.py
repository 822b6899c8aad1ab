"""How a model revised its belief after the world had changed, in numbers."""

from dataclasses import dataclass

from tolman.belief.map_scores import Yardstick
from tolman.belief.revision import (
    Identification,
    PlainMap,
    RevisionScores,
    identification,
    redundant_cost,
    revision_scores,
    revisited,
)
from tolman.benchmarks.theory_of_space.calls import probe_call
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.rebuild import Replies
from tolman.benchmarks.theory_of_space.stated_maps import plain_map, reported_changes, true_places, views_of
from tolman.explore.episode import Episode, Turn
from tolman.rules import Rules


@dataclass(frozen=True)
class RevisionOutcome:
    """One revision. Position scores are of moved things, facing scores of turned ones."""

    cost: int
    redundant: int | None
    """Cost after everything that changed had been in view; None if that never happened."""
    identification: Identification
    scores: RevisionScores | None
    """Scores of the maps stated along the way; None where none was asked for."""
    replies: int
    unread: int
    forced: bool
    """Whether the budget ended it, so that there is no report."""


def revision_outcome(
    case: Case, options: Options, replies: Replies, episode: Episode, rules: Rules
) -> RevisionOutcome | None:
    """The revision of an episode; None where there was none."""
    turns = [turn for turn in episode.turns if turn.phase == "revise"]
    if not turns or case.changed is None:
        return None
    views = views_of(turns)
    costs = [(turn.cost, view) for turn, view in zip(turns, views, strict=True)]
    forced = turns[-1].forced
    return RevisionOutcome(
        cost=episode.cost("revise"),
        redundant=redundant_cost(costs, [change.name for change in case.changes]),
        identification=identification(reported_changes(turns[-1]), case.changes, rules),
        scores=_scores(case, options, replies, episode, turns, rules),
        replies=len(turns) - forced,
        unread=sum(not turn.parsed for turn in turns),
        forced=forced,
    )


def _scores(
    case: Case, options: Options, replies: Replies, episode: Episode, turns: list[Turn], rules: Rules
) -> RevisionScores | None:
    calls = [probe_call("revise", number, "global") for number in range(1, len(turns) + 1)]
    if options.probe_turns != "every" or case.changed is None or not any(call in replies for call in calls):
        return None
    maps = [plain_map(replies.get(call), case.scene, rules) for call in calls]
    last = sum(turn.phase == "explore" for turn in episode.turns)
    old = plain_map(replies.get(probe_call("explore", last, "global")), case.scene, rules) or {}
    seen = revisited(views_of(turns), maps, _with_logged(old, case), true_places(case.changed))
    return revision_scores(seen, case.changes, Yardstick.of(case.scene).length, rules)


def _with_logged(old: PlainMap, case: Case) -> PlainMap:
    """The last map of the exploration, but with the old positions that a released log holds."""
    kept = {name: (at, old[name][1] if name in old else None) for name, at in case.old_positions.items()}
    return {**old, **kept}
