"""The order in which maps and plans list what is in a scene."""

from tolman.world import Item, Scene


def reading_order(scene: Scene) -> tuple[Item, ...]:
    """Things room by room, each room read as a page (north row first, then west to east); then doors likewise."""
    things = sorted(scene.things, key=lambda thing: (thing.room, -thing.cell[1], thing.cell[0]))
    doors = sorted(scene.doors, key=lambda door: (-door.cell[1], door.cell[0]))
    return (*things, *doors)
