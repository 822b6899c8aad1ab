"""Pictures of scenes. Exported here: text maps, floor plans, and stated maps drawn over the true ones.

They are imported when they are first used, as most commands draw nothing and Matplotlib takes a second to load.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tolman.render.plan.floorplan import floorplan_png, floorplan_rgb
    from tolman.render.plan.map_picture import map_picture
    from tolman.render.plan.textmap import text_map

__all__ = ["floorplan_png", "floorplan_rgb", "map_picture", "text_map"]

_PLACES = {
    **dict.fromkeys(("floorplan_png", "floorplan_rgb"), "tolman.render.plan.floorplan"),
    "map_picture": "tolman.render.plan.map_picture",
    "text_map": "tolman.render.plan.textmap",
}
"""Where the public names are."""


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found: object = getattr(import_module(_PLACES[name]), name)
    globals()[name] = found
    return found
