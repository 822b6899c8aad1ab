"""What can be seen from a pose. Sight ends at the walls of one's room; nothing else hides anything."""

from tolman.geometry import Heading, difference, to_ego
from tolman.world import Item, Pose, Scene


def in_view(displacement: tuple[int, int], heading: Heading) -> bool:
    """Whether something so many cells away is inside the 90-degree field of view (its edges included)."""
    right, ahead = to_ego(displacement, heading)
    return ahead >= abs(right) and ahead > 0


def visible(scene: Scene, pose: Pose) -> tuple[Item, ...]:
    """Things and doors in sight, in the scene's order: in one of the pose's rooms and inside the field of view."""
    candidates = scene.items_in(pose.rooms)
    return tuple(item for item in candidates if in_view(difference(item.cell, pose.cell), pose.heading))
