"""What can be asked of a space."""

from dataclasses import asdict, dataclass
from typing import Literal, get_args

from tolman.errors import SettingsError

Shape = Literal["rectangle", "L", "T", "U", "Z", "open"]
SHAPES: tuple[Shape, ...] = get_args(Shape)
FEWEST_CLASSES = 5
"""With fewer, a space could be asked for counts only."""


@dataclass(frozen=True)
class SpaceSettings:
    """Settings of `space`; the defaults are those of our own OSR-Bench rooms."""

    shapes: tuple[Shape, ...] = SHAPES
    """Shapes of floor to choose from; `open` is any two to four rectangles that hang together."""
    most_classes: int = 20
    """Categories that may be in one space, 5 to 20; there are at least 5."""
    most_pieces: int = 40

    def __post_init__(self) -> None:
        for shape in self.shapes:
            if shape not in SHAPES:
                raise SettingsError(f"there is no shape {shape!r}; choose from {', '.join(SHAPES)}")
        if not self.shapes:
            raise SettingsError(f"give a shape or several: {', '.join(SHAPES)}")
        if not FEWEST_CLASSES <= self.most_classes <= 20:
            raise SettingsError(f"a space holds 5 to 20 classes at most, not {self.most_classes}")
        if not 10 <= self.most_pieces <= 100:
            raise SettingsError(f"a space holds 10 to 100 pieces at most, not {self.most_pieces}")

    def as_dict(self) -> dict[str, object]:
        """Plain values, for a log or a digest."""
        return {**asdict(self), "shapes": list(self.shapes)}
