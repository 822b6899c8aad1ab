"""The options of an evaluation of vision-language models."""

from dataclasses import asdict, dataclass
from typing import Literal, get_args

from tolman.benchmarks.sparrta.relations import AMBIGUITY, VIEWPOINTS, Viewpoint
from tolman.core.errors import SettingsError

Pointing = Literal["auto", "always", "never"]
"""Whether the prompt says where in the picture the source stands: where there are others like it, or never."""


@dataclass(frozen=True)
class Options:
    """One way to ask about pictures."""

    viewpoints: tuple[Viewpoint, ...] = VIEWPOINTS
    think: bool = False
    """Whether the model is asked to reason before it answers, between tags."""
    ambiguity: float = AMBIGUITY
    """Degrees to both sides of a diagonal within which a picture is not asked about."""
    size: int = 224
    """Pixels along a side of the picture that is sent, at most; one from a file is never made larger."""
    point: Pointing = "auto"
    blind: bool = False
    """Send no picture, which shows what words alone give away."""

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

    def as_dict(self) -> dict[str, object]:
        """Plain values, for a log."""
        return {**asdict(self), "viewpoints": list(self.viewpoints)}
