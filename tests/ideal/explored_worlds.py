"""Explorations of default scenes, and the worlds that agree with what was told there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tolman.core.geometry import Cell
from tolman.explore.agents.registry import run_explorer
from tolman.ideal.knowledge import evidence_in, knowledge_from
from tolman.ideal.worlds import ConsistentWorlds, consistent_worlds
from tolman.world import Item, Scene, generate


@dataclass(frozen=True)
class PossibleScene(Scene):
    """A scene that is not checked: things may share a cell or stand in walls, as far as anyone was told."""

    def __post_init__(self) -> None:
        pass


def told(agent: str, seed: int) -> tuple[Scene, ConsistentWorlds]:
    """A default scene, and what someone can make of an exploration of it."""
    scene = generate(seed)
    episode = run_explorer(agent, scene, seed)
    return scene, consistent_worlds(knowledge_from(episode.brief, evidence_in(episode.turns), scene.extent), seed)


def possible_scenes(scene: Scene, worlds: ConsistentWorlds) -> Iterator[Scene]:
    """The scene as it is in each world: positions differ, walls do not."""
    for row in range(len(worlds)):

        def there(item: Item, row: int = row) -> Cell:
            x, y = worlds.cells[item.name][row].tolist()
            return x + scene.start[0], y + scene.start[1]

        yield PossibleScene(
            scene.rooms,
            tuple(replace(door, cell=there(door)) for door in scene.doors),
            tuple(replace(thing, cell=there(thing)) for thing in scene.things),
            scene.start,
        )
