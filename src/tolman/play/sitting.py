"""A sitting: a person in a scene, as a value. What is asked next follows from what was said so far."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from tolman.benchmarks.theory_of_space.calls import turn_call
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.run_scene import OUT_OF_BUDGET
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, begin_revision, step
from tolman.explore.grammar import read_actions
from tolman.world import Scene


@dataclass(frozen=True)
class Sitting:
    """The case, the options, and the replies so far by name of the call."""

    case: Case
    options: Options
    replies: Mapping[str, str]

    def answered(self, call: str, reply: str) -> "Sitting":
        """The sitting after one more reply. What was said once stays said."""
        return replace(self, replies={call: reply, **self.replies})

    @cached_property
    def explored(self) -> Episode:
        """The exploration as far as it has come; for a passive person, all of the log that they read."""
        if self.options.mode == "passive":
            explorer = self.case.explorer or self.options.passive_explorer
            return _log(explorer, self.case.scene, self.case.seed)
        return self._followed(Episode(self.case.scene, self.options.episode))

    @cached_property
    def revised(self) -> Episode | None:
        """The exploration of the changed world as far as it has come; None where there is none, or not yet."""
        changed = self.case.changed_world
        if changed is None or not self.options.revises or not self.explored.over:
            return None
        return self._followed(begin_revision(self.explored, changed))

    def _followed(self, episode: Episode) -> Episode:
        """Carry out the replies of a phase until one is missing."""
        number = 1
        while not episode.over:
            if episode.turns_left == 0:
                return step(episode, OUT_OF_BUDGET)
            reply = self.replies.get(turn_call(episode.phase, number))
            if reply is None:
                return episode
            episode = step(episode, read_actions(reply, episode.settings.rules, episode.phase))
            number += 1
        return episode


@lru_cache(maxsize=64)
def _log(explorer: str, scene: Scene, seed: int) -> Episode:
    return run_explorer(explorer, scene, seed)
