"""Scenes as something to look at: a map in plain text, and a floor plan from above."""

from tolman.render.plan.floorplan import floorplan_png, floorplan_rgb
from tolman.render.plan.textmap import text_map

__all__ = ["floorplan_png", "floorplan_rgb", "text_map"]
