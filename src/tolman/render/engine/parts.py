"""What a stage is made of: meshes, each with the number of what it belongs to."""

from dataclasses import dataclass

from tolman.render.shapes.model import Mesh


@dataclass(frozen=True, eq=False)
class Part:
    """One mesh of the world."""

    mesh: Mesh
    id: int
    """Number of the thing or door that it belongs to, from 1; 0 for walls, floors, ceilings and lights."""
    hidden_at: tuple[int, int] | None = None
    """Cell from which it is not drawn: that of the thing or door itself."""
    still: bool = False
    """Whether it never moves and does not glow: such parts are kept apart, so that moving others is quick."""
