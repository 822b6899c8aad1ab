"""Furnished spaces of many shapes, each for one panorama; independent of wording and rendering."""

from tolman.world.space.floor import SpaceSettings
from tolman.world.space.furnished_space import Piece, Space, space_from_dict, space_to_dict
from tolman.world.space.generate import generate_space

__all__ = ["Piece", "Space", "SpaceSettings", "generate_space", "space_from_dict", "space_to_dict"]
