"""Maps as plain values, and what a turn of a revision showed and reported."""

from collections.abc import Iterable

from tolman.belief.cognitive_map import CognitiveMap
from tolman.belief.read_map import NoMap, read_global_map, read_old_map
from tolman.belief.revision import PlainMap
from tolman.explore.actions import Actions, Term
from tolman.explore.episode import Turn
from tolman.rules import Rules
from tolman.sense import Observation
from tolman.world import AGENT, Change, Scene


def true_places(scene: Scene) -> PlainMap:
    """All things and doors, in the agent's frame; doors without a facing."""
    fronts = {thing.name: thing.front for thing in scene.things}
    return {name: (scene.from_start(name), fronts.get(name)) for name in scene.names}


def plain_map(reply: str | None, scene: Scene, rules: Rules) -> PlainMap | None:
    """The map of everything in a reply; None for no map or no reply."""
    return _plain(read_global_map(reply or "", (*scene.names, AGENT), rules))


def old_map(reply: str | None, scene: Scene, rules: Rules) -> PlainMap:
    """The last map of an exploration, as a revision is compared with it; empty for no map or no reply."""
    return _plain(read_old_map(reply or "", (*scene.names, AGENT), rules)) or {}


def _plain(found: CognitiveMap | NoMap) -> PlainMap | None:
    return None if isinstance(found, NoMap) else {n: (at.position, at.facing) for n, at in found.places.items()}


def views_of(turns: Iterable[Turn]) -> list[tuple[str, ...]]:
    """Names in view after each turn."""
    return [turn.told.names if isinstance(turn.told, Observation) else () for turn in turns]


def reported_changes(turn: Turn) -> tuple[Change, ...]:
    """What the agent said had changed in the turn that ended its revision; nothing where it was cut short."""
    final = turn.asked.final if isinstance(turn.asked, Actions) and not turn.forced else None
    return (final.changes or ()) if isinstance(final, Term) else ()
