"""How much work goes into a picture."""

from dataclasses import dataclass
from typing import Literal

from tolman.errors import UnknownNameError

PresetName = Literal["draft", "standard", "reference"]


@dataclass(frozen=True)
class Preset:
    """Samples for each pixel, the longest path of light, and whether what grain is left is taken out."""

    name: PresetName
    samples: int
    depth: int
    denoised: bool


PRESETS: dict[str, Preset] = {
    "draft": Preset("draft", 2, 4, True),
    "standard": Preset("standard", 8, 6, True),
    "reference": Preset("reference", 1024, 10, False),
}


def find_preset(name: str) -> Preset:
    """The preset of that name."""
    try:
        return PRESETS[name]
    except KeyError:
        raise UnknownNameError(f"there is no preset {name!r}; choose one of {', '.join(PRESETS)}") from None
