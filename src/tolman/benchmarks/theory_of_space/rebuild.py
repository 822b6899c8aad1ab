"""The episode behind a record: the replies of a model, carried out again."""

from collections.abc import Mapping, Sequence

from tolman.benchmarks.theory_of_space.calls import turn_call
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.run_scene import OUT_OF_BUDGET
from tolman.errors import ReplayError
from tolman.explore.actions import Phase
from tolman.explore.agents.registry import SCRIPTED_BUDGET
from tolman.explore.episode import Episode, begin_revision, step
from tolman.explore.grammar import read_actions
from tolman.rules import STRICT

Replies = Mapping[str, str]
"""What a model said, by name of the call."""


def rebuild(case: Case, options: Options, replies: Replies, log: Sequence[str]) -> Episode:
    """Exploration and, where it was run, revision. `log` holds the actions that a passive model read about."""
    if options.mode == "passive":
        episode = Episode(case.scene, SCRIPTED_BUDGET)
        for actions in log:
            episode = step(episode, read_actions(actions, STRICT))
        return episode
    episode = _follow(case, Episode(case.scene, options.episode), replies)
    changed = case.changed_world
    if changed is None or turn_call("revise", 1) not in replies:
        return episode
    return _follow(case, begin_revision(episode, changed), replies)


def _follow(case: Case, episode: Episode, replies: Replies) -> Episode:
    phase: Phase = episode.phase
    number = 1
    while not episode.over:
        if episode.turns_left == 0:
            return step(episode, OUT_OF_BUDGET)
        call = turn_call(phase, number)
        if call not in replies:
            raise ReplayError(f"the record ends before {call}, in the middle of a phase")
        episode = step(case.at_turn(episode, call), read_actions(replies[call], episode.settings.rules, phase))
        number += 1
    return episode
