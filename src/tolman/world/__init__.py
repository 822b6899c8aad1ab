"""Worlds: rooms, doors and things on a grid, independent of wording and rendering."""

from tolman.world.files import find_released, read_released, read_scene, scene_from_dict, scene_to_dict, write_scene
from tolman.world.generate import generate
from tolman.world.perturb import Change, ChangedWorld, changes_between, perturb
from tolman.world.scene import AGENT, START, Door, Item, Pose, Room, Scene, Thing
from tolman.world.settings import ChangeSettings, WorldSettings

__all__ = [
    "AGENT",
    "START",
    "Change",
    "ChangeSettings",
    "ChangedWorld",
    "Door",
    "Item",
    "Pose",
    "Room",
    "Scene",
    "Thing",
    "WorldSettings",
    "changes_between",
    "find_released",
    "generate",
    "perturb",
    "read_released",
    "read_scene",
    "scene_from_dict",
    "scene_to_dict",
    "write_scene",
]
