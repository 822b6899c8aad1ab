"""The floor of a scene as plain values: rooms, doors and things, in cells east and north of the start."""

from tolman.benchmarks.theory_of_space.case import Case
from tolman.geometry import Cell
from tolman.report.theory_of_space.plain import Plain
from tolman.world import Item, Scene, Thing


def floor(case: Case) -> Plain:
    """What does not change from turn to turn. Everything else names things and doors by their place in `items`."""
    scene = case.scene
    return {
        "extent": scene.extent,
        "rooms": [[*_from_start(scene, room.low), *_from_start(scene, room.high)] for room in scene.rooms],
        "items": [_item(scene, item) for item in scene.items],
        "changed": _changed(case),
    }


def _item(scene: Scene, item: Item) -> Plain:
    known: Plain = {"name": item.name, "at": _from_start(scene, item.cell), "rooms": list(item.rooms)}
    if isinstance(item, Thing):
        return {**known, "front": None if item.front is None else int(item.front)}
    return {**known, "axis": item.axis}


def _changed(case: Case) -> Plain:
    """Things that are moved or turned later, by their place in `items`, as they are then."""
    if case.changed is None:
        return {}
    names = case.scene.names
    return {
        str(names.index(change.name)): {**_item(case.changed, case.changed.item(change.name)), "how": change.kind}
        for change in case.changes
    }


def _from_start(scene: Scene, cell: Cell) -> list[int]:
    return [cell[0] - scene.start[0], cell[1] - scene.start[1]]
