"""The options of an evaluation; the defaults are the paper's settings with corrected scoring."""

from dataclasses import asdict, dataclass
from typing import Literal, get_args

from tolman.benchmarks.osr_bench.maps.grid import GRID_SIZE, Handedness
from tolman.benchmarks.osr_bench.questions.distractors import DistractorChoice
from tolman.benchmarks.osr_bench.questions.generate import QUESTIONS_OF_A_KIND
from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.rules import find_rules
from tolman.core.errors import SettingsError
from tolman.core.rules import RuleSetName

MapMode = Literal["first", "none", "true"]
"""The model states a map before it answers, or not, or is given the true one."""
ClassList = Literal["distractors", "exact"]
"""Whether the prompt for a map also names classes that are not in the room, or exactly those that are."""
Views = Literal["panorama", "four", "six", "blind"]
"""One picture all around, or cut into pictures: four at eye level; six with the ones up and down. Or no picture, which
shows what words alone give away."""

OPTIONS_OF_OLD_LOGS: dict[str, object] = {"class_list": "exact"}
"""What holds of a log that was written before an option could be chosen."""


@dataclass(frozen=True)
class Options:
    """One way to run OSR-Bench on a scene."""

    mode: MapMode = "first"
    think: bool = False
    """Whether the model is asked to reason before it answers, between tags."""
    asked: AskedSet = "standard"
    """Questions about what is there, or with objects among them that are not."""
    turns: tuple[int, ...] = (0,)
    """Clockwise degrees by which the camera is turned; with several everything is asked once for each, and the
    answers are compared: they should not change."""
    views: Views = "panorama"
    width: int = 1024
    """Pixels of the panorama; it is half as high."""
    each: int = QUESTIONS_OF_A_KIND
    """Questions of a kind, for scenes of our own."""
    distractors: DistractorChoice = "code"
    """How objects that go with those in the room, but are absent, are chosen for scenes of our own: see `negatives`."""
    grid: int = GRID_SIZE
    """Cells along a side of the map, for scenes of our own."""
    class_list: ClassList | None = None
    """What the prompt for a map names when `asked` is standard: the classes in the room and as many that are not, or
    those in the room only, as released. None for what `rules` says of rooms of our own, and exact for the authors'."""
    handedness: Handedness | None = None
    """Of maps and answers: true, or mirrored as released; None for what `rules` says."""
    preset: str = "standard"
    """Quality of pictures that are rendered."""
    assets: str = "auto"
    """Models of things in pictures that are rendered."""
    rules: RuleSetName = "strict"
    """How questions are made and told. Scores are always given under both rule sets."""

    def __post_init__(self) -> None:
        for name, value, kinds in (
            ("mode", self.mode, MapMode),
            ("asked", self.asked, AskedSet),
            ("views", self.views, Views),
            ("distractors", self.distractors, DistractorChoice),
            ("handedness", self.handedness or "true", Handedness),
            ("class_list", self.class_list or "exact", ClassList),
        ):
            if value not in get_args(kinds):
                raise SettingsError(f"{name} has no {value!r}; choose from {', '.join(get_args(kinds))}")
        find_rules(self.rules)
        if not self.turns or len({turn % 360 for turn in self.turns}) != len(self.turns):
            raise SettingsError("give one turn of the camera or several different ones, in degrees")
        if not 64 <= self.width <= 8192 or self.width % 2:
            raise SettingsError(f"width is an even number of pixels from 64 to 8192, not {self.width}")
        if not 1 <= self.each <= 100 or not 2 <= self.grid <= 100:
            raise SettingsError("each is from 1 to 100 questions and grid from 2 to 100 cells")

    @property
    def hand(self) -> Handedness:
        return self.handedness or ("true" if find_rules(self.rules).true_handedness else "released")

    @property
    def lists_distractors(self) -> bool:
        """Whether the prompt for a map also names classes that are not there, beside those of negative questions."""
        as_told = self.class_list or ("distractors" if find_rules(self.rules).class_lists_hold_distractors else "exact")
        return self.asked == "standard" and as_told == "distractors"

    def as_dict(self) -> dict[str, object]:
        """Plain values, for a log."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
