"""The ideal observer as an agent: it states the best map there is, and gives the answer of highest expected score."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from tolman.belief.map_scores import Yardstick
from tolman.belief.posterior import posterior
from tolman.explore.heard import HeardEpisode
from tolman.geometry import Cell
from tolman.ideal.answer import best_answer
from tolman.ideal.best_map import Scored, best_map
from tolman.ideal.told import told_in
from tolman.ideal.worlds import Worlds, worlds_of
from tolman.models.scripted.answer import answer
from tolman.models.scripted.mind import Mind, believing
from tolman.world import AGENT, Item, Scene

AGENT_NAME = "ideal"
EXPLORES_AS = "planner"


def ideal_answer(text: str, mind: Mind, heard: HeardEpisode, changed: int | None, seed: int) -> str:
    """The best answer. With a map in hand, or to a question of another sort, what follows from the mind's world."""
    told = told_in(text, mind.world)
    best = None if told is None else best_answer(told, _worlds(heard, changed, seed))
    return best.reply if best else answer(text, mind)


def with_best_map(mind: Mind, heard: HeardEpisode, names: Iterable[str]) -> Mind:
    """The same mind, but believing in the positions that make the best map of some names."""
    if mind.beliefs is None:
        return mind
    known = mind.beliefs.knowledge
    stated = tuple(name for name in names if known.belief.is_constrained(name))
    scored = Scored((*stated, AGENT), Yardstick.of(mind.world))
    best = best_map(posterior(known.belief), heard.standing_on, stated, scored)
    return replace(mind, world=_moved(mind.world, best.cells))


@lru_cache(maxsize=16)
def _worlds(heard: HeardEpisode, changed: int | None, seed: int) -> Worlds:
    beliefs = believing(heard, changed, (), seed).beliefs
    assert beliefs is not None  # noqa: S101 - none was handed anything
    return worlds_of(beliefs.knowledge, seed)


def _moved(world: Scene, cells: Mapping[str, Cell]) -> Scene:
    """A believed world with some things and doors elsewhere; its start is the origin."""

    def there(item: Item) -> Cell:
        return cells.get(item.name, item.cell)

    return replace(
        world,
        doors=tuple(replace(door, cell=there(door)) for door in world.doors),
        things=tuple(replace(thing, cell=there(thing)) for thing in world.things),
    )
