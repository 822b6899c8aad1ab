"""Explorations of default scenes, and the worlds that agree with what was told there."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from tolman.explore.agents.registry import run_explorer
from tolman.geometry import Cell
from tolman.ideal.knowledge import evidence_in, learn
from tolman.ideal.worlds import Worlds, worlds_of
from tolman.world import Item, Scene, generate


@dataclass(frozen=True)
class PossibleScene(Scene):
    """A scene that is not checked: things may share a cell or stand in walls, as far as anyone was told."""

    def __post_init__(self) -> None:
        pass


def told(agent: str, seed: int) -> tuple[Scene, Worlds]:
    """A default scene, and what someone can make of an exploration of it."""
    scene = generate(seed)
    episode = run_explorer(agent, scene, seed)
    return scene, worlds_of(learn(episode.brief, evidence_in(episode.turns), scene.extent), seed)


def possible_scenes(scene: Scene, worlds: Worlds) -> Iterator[Scene]:
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
