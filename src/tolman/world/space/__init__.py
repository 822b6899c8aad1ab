"""Furnished spaces of many shapes: what one panorama shows. Knows nothing of words or pixels."""

from tolman.world.space.files import space_from_dict, space_to_dict
from tolman.world.space.generate import space
from tolman.world.space.settings import SpaceSettings
from tolman.world.space.values import Piece, Space

__all__ = ["Piece", "Space", "SpaceSettings", "space", "space_from_dict", "space_to_dict"]
