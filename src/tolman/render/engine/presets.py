"""How much work goes into a picture."""

from dataclasses import dataclass
from typing import Literal

from tolman.errors import UnknownNameError

PresetName = Literal["draft", "standard", "reference"]


@dataclass(frozen=True)
class Preset:
    """How light is followed."""

    name: PresetName
    samples: int
    """Rays for each pixel."""
    depth: int
    """Longest path of light, in bounces."""
    sure: int
    """Bounces before a path may end by chance; those that go on count for more, so the mean stays right."""
    denoised: bool
    """Whether what grain is left is taken out."""


PRESETS: dict[str, Preset] = {
    "draft": Preset("draft", 2, 6, 3, True),
    "standard": Preset("standard", 5, 12, 3, True),
    "reference": Preset("reference", 1024, 24, 8, True),
}


def find_preset(name: str) -> Preset:
    """The preset of that name."""
    try:
        return PRESETS[name]
    except KeyError:
        raise UnknownNameError(f"there is no preset {name!r}; choose one of {', '.join(PRESETS)}") from None
