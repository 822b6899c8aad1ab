"""The options of an evaluation of vision-language models."""

from dataclasses import dataclass, field
from typing import Literal, get_args

from tolman.benchmarks.sparrta.sample import AMBIGUITY, VIEWPOINTS, Viewpoint, parse_viewpoints
from tolman.core.errors import SettingsError
from tolman.harness.options import RecordedOptions
from tolman.render.engine.values import RenderPresetName

Pointing = Literal["auto", "always", "never"]
"""When the prompt gives the position of the source in the picture: if the background has similar objects (auto)."""


@dataclass(frozen=True)
class Options(RecordedOptions):
    """The settings of an evaluation on SpaRRTa's questions."""

    viewpoints: tuple[Viewpoint, ...] = field(
        default=VIEWPOINTS, metadata={"name": "viewpoint", "read": parse_viewpoints, "default": "both"}
    )
    """Viewpoint of the questions: the camera (ego), the person (allo), or both."""
    think: bool = False
    """Ask the model to reason between tags before it answers."""
    ambiguity: float = AMBIGUITY
    """Skip relations within this many degrees of a diagonal."""
    size: int = 224
    """Size in pixels of generated pictures; pictures from files are scaled down to it, never up."""
    point: Pointing = "auto"
    """Give the position of the source in the picture: if the background has similar objects (auto), always, never."""
    blind: bool = False
    """Send no picture, as a text-only control."""

    def __post_init__(self) -> None:
        if not self.viewpoints or len(set(self.viewpoints)) != len(self.viewpoints):
            raise SettingsError(f"give one viewpoint or both, each once: {','.join(VIEWPOINTS)}")
        for viewpoint in self.viewpoints:
            if viewpoint not in VIEWPOINTS:
                raise SettingsError(f"there is no viewpoint {viewpoint!r}; choose from {', '.join(VIEWPOINTS)}")
        if self.point not in get_args(Pointing):
            raise SettingsError(f"point has no {self.point!r}; choose from {', '.join(get_args(Pointing))}")
        if not 0 <= self.ambiguity < 45:
            raise SettingsError(f"ambiguity is from 0 to below 45 degrees, not {self.ambiguity}")
        if not 32 <= self.size <= 4096:
            raise SettingsError(f"size is from 32 to 4096 pixels, not {self.size}")


@dataclass(frozen=True)
class Selection:
    """Which pictures are evaluated, and how generated ones are made."""

    data: str = ""
    """Folder of pictures, made by `tolman make sparrta` or the authors'. Default: pictures are generated."""
    environment: str = ""
    """forest, desert, winter_town, bridge, city, or several with commas. Default: all."""
    triple: str = ""
    """Triples of source, target and person: 1, 2, 3, several with commas, or all. Default: 1; all of a folder."""
    images: str = ""
    """Numbers of the pictures of each triple. Default: 0-99; all of a folder."""
    max_pictures: int | None = None
    """Maximum number of pictures, taken from all triples in turn."""
    balanced: bool = False
    """Make all relations equally frequent, in generated pictures."""
    preset: RenderPresetName = "standard"
    """Quality of generated pictures."""
    assets: str = "auto"
    """3D assets in generated pictures: auto, pack or built-in."""
    workers: int = 1
    """Processes that render pictures; -1 for all cores."""
    greedy: bool = True
    """Use temperature 0 unless a temperature is given."""

    def __post_init__(self) -> None:
        if self.workers == 0 or self.workers < -1:
            raise SettingsError(f"--workers is at least 1, or -1 for all cores, not {self.workers}")
