"""Pictures of scenes. Exported here: text maps, floor plans, and stated maps drawn over the true ones."""

from tolman.render.plan.floorplan import floorplan_png, floorplan_rgb
from tolman.render.plan.map_picture import map_picture
from tolman.render.plan.textmap import text_map

__all__ = ["floorplan_png", "floorplan_rgb", "map_picture", "text_map"]
