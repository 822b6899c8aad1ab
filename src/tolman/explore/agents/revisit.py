"""Revisit: go through a place that has changed, by what is remembered of it, until the changes have been seen.

The policy of scripted agents in the revision phase. It knows words only. Walls and doors are as they were, so what was
heard of them before the change still leads the way; things are looked for afresh.
"""

from tolman.belief import Belief
from tolman.explore.actions import Actions
from tolman.explore.agents.acquaintance import Acquaintance
from tolman.explore.agents.hearsay import Hearsay
from tolman.explore.agents.noticed import notice_changes
from tolman.explore.agents.recollection import Recollection
from tolman.explore.agents.registry import LONGEST
from tolman.explore.agents.scout import sweeps
from tolman.explore.agents.tour import next_look
from tolman.explore.episode import Brief
from tolman.explore.heard import Heard, HeardEpisode
from tolman.sense import Observation
from tolman.world import START


def revisit(heard: Heard, changed_count: int) -> Actions | None:
    """The next look of a scout's sweep through the changed place, or None when there is nothing more to look at.

    That is when everything was seen again, or as many things as are said to have changed were both noticed and seen.
    """
    since = [turn for turn in heard.turns if turn.phase == "revise"]
    told = [turn.told for turn in since if isinstance(turn.told, Observation)]
    seen = {name for view in told for name in view.names}
    found = [change for change in notice_changes(heard) if change.name in seen]
    if len(found) >= changed_count or len(since) >= LONGEST:
        return None
    explored = tuple(turn for turn in heard.turns if turn.phase == "explore")
    belief, known = Recollection().of(HeardEpisode(heard.brief, explored))
    return next_look(RememberedPlace(heard.brief, belief, known), sweeps, since)


class RememberedPlace(Hearsay):
    """A place whose doors are remembered and whose things may have changed."""

    def __init__(self, brief: Brief, belief: Belief, known: Acquaintance) -> None:
        super().__init__(brief)
        fixed = self._fixed = {START, *brief.doors}
        self._belief = belief
        self._known = Acquaintance(
            {name: zones for name, zones in known.zones.items() if name in fixed},
            dict(known.into),
            {},
            {a: {b: h for b, h in known.sight_lines[a].items() if b in fixed} for a in fixed & set(known.sight_lines)},
        )

    def learn(self, observation: Observation) -> None:
        """Take in one look. Only what it says of doors is set beside what was believed before the change."""
        self._known.learn(observation)
        if observation.standing_on in self._fixed:
            doors = tuple(sighting for sighting in observation.sightings if sighting.name in self._fixed)
            self._belief = self._belief.after(Observation(observation.standing_on, observation.heading, doors, ()))
