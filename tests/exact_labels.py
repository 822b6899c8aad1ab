"""The labels of spec section 3.2 for integer displacements, decided in whole numbers only.

A second definition to hold `tolman.core.geometry` against: no angle, no square root, no tolerance. The tangent of 22.5
degrees is sqrt(2) - 1, so an integer displacement never lies on that edge, and its side of it is a comparison of
squares.
"""

AXES = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


def seen_by(displacement: tuple[int, int], heading: str) -> tuple[int, int]:
    """Cells to the right and cells ahead, as dot products with the heading and with its right-hand side."""
    (x, y), (ax, ay) = displacement, AXES[heading]
    return x * ay - y * ax, x * ax + y * ay


def ego_label(displacement: tuple[int, int], heading: str) -> str:
    right, ahead = seen_by(displacement, heading)
    if ahead < abs(right) or displacement == (0, 0):
        return "beyond-fov"
    if right == 0:
        return "front"
    side = "right" if right > 0 else "left"
    return f"front-{side}" if _beyond_half(abs(right), ahead) else f"front-slight-{side}"


def cardinal_label(displacement: tuple[int, int], north: str) -> str:
    right, ahead = seen_by(displacement, north)
    large, small = max(abs(right), abs(ahead)), min(abs(right), abs(ahead))
    straight = not _beyond_half(small, large)
    row = 0 if straight and abs(right) == large else (1 if ahead > 0 else -1)
    column = 0 if straight and abs(ahead) == large else (1 if right > 0 else -1)
    words = [word for word, there in (("north", row > 0), ("south", row < 0)) if there]
    words += [word for word, there in (("east", column > 0), ("west", column < 0)) if there]
    return " ".join(words)


def distance_label(displacement: tuple[int, int]) -> str:
    squared = displacement[0] ** 2 + displacement[1] ** 2
    edges = (("same distance", 0), ("near", 2), ("mid distance", 4), ("slightly far", 8), ("far", 16), ("very far", 32))
    return next((label for label, edge in edges if squared <= edge**2), "extremely far")


def _beyond_half(across: int, along: int) -> bool:
    """Whether across / along is more than sqrt(2) - 1."""
    return (across + along) ** 2 > 2 * along**2
