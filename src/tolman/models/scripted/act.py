"""What an agent does next: explore, look for changes, or end the phase."""

from tolman.explore.actions import Actions, Term
from tolman.explore.agents.oracle import oracle_revision
from tolman.explore.agents.registry import make_explorer, make_listener
from tolman.explore.agents.revisit import revisit
from tolman.explore.heard import HeardEpisode
from tolman.models.handed import Handed
from tolman.models.scripted.mind import Mind


def explore(agent: str, heard: HeardEpisode, handed: Handed | None, seed: int) -> Actions:
    """The next turn of an exploration. Only an agent that was handed the world may look at it."""
    explorer = make_listener(agent, seed) if handed is None else make_explorer(agent, handed.scene, seed)
    return explorer.act(heard)


def look_for_changes(
    heard: HeardEpisode, changed: int, mind: Mind, handed: Handed | None, replies_left: int | None
) -> Actions:
    """The next turn of a revision: another look, or the report if nothing is left to look at, or no other reply."""
    report = Actions((), Term(mind.changes))
    if replies_left is not None and replies_left <= 1:
        return report
    if handed:
        return oracle_revision(heard, handed.before or handed.scene, handed.scene)
    return revisit(heard, changed) or report
