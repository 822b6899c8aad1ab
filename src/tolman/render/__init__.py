"""Scenes as something to look at: a map in plain text, a floor plan from above, and a stated map against the truth."""

from tolman.render.plan.floorplan import floorplan_png, floorplan_rgb
from tolman.render.plan.map_picture import map_picture
from tolman.render.plan.textmap import text_map

__all__ = ["floorplan_png", "floorplan_rgb", "map_picture", "text_map"]
