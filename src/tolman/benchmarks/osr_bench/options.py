"""The options of an evaluation; the defaults are the paper's settings with corrected scoring."""

from dataclasses import dataclass
from typing import Literal, get_args

from tolman.benchmarks.osr_bench.maps.grid import GRID_SIZE, Handedness
from tolman.benchmarks.osr_bench.questions.generate import QUESTIONS_OF_A_KIND, DistractorChoice
from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.rules import find_rules
from tolman.core.errors import SettingsError
from tolman.core.rules import RuleSetName
from tolman.harness.options import RecordedOptions
from tolman.render.engine.values import RenderPresetName
from tolman.world.space import SpaceSettings

MapMode = Literal["first", "none", "true"]
"""The model states a map before it answers (first), states none (none), or is given the true map (true)."""
ClassList = Literal["distractors", "exact"]
"""Whether the map prompt lists absent classes too, or exactly the classes of the room."""
Views = Literal["panorama", "four", "six", "blind"]
"""One panorama; four perspective views at eye level, or six with up and down; or no picture, as a text-only control."""

RoomVersion = Literal[1, 2]
"""Of generated rooms: 1 for 9 to 34 objects, 2 for 25 to 40."""
OPTIONS_OF_OLD_LOGS: dict[str, object] = {"class_list": "exact", "room_version": 1}
"""Values of options that older logs do not record."""


@dataclass(frozen=True)
class Options(RecordedOptions):
    """The settings of an evaluation on OSR-Bench."""

    mode: MapMode = "first"
    """State a map before answering (first), state none (none), or be given the true map (true)."""
    think: bool = False
    """Ask the model to reason between tags before it answers."""
    asked: AskedSet = "standard"
    """Questions about objects in the room (standard), or also about absent ones (negative)."""
    turns: tuple[int, ...] = (0,)
    """Clockwise rotations of the camera in degrees. With several, everything is asked at each, and the consistency of
    the answers is reported."""
    views: Views = "panorama"
    """One panorama, four or six perspective views of 90 degrees, or no picture (blind)."""
    width: int = 1024
    """Width of the panorama in pixels; its height is half of that."""
    each: int = QUESTIONS_OF_A_KIND
    """Questions per kind, in generated rooms."""
    distractors: DistractorChoice = "code"
    """How absent classes for negative questions are chosen, in generated rooms: as in the authors' code or paper."""
    grid: int = GRID_SIZE
    """Cells per side of the map, in generated rooms."""
    room_version: RoomVersion = 1
    """Version of generated rooms: 1 has 9 to 34 objects in a room, 2 has 25 to 40, as scanned rooms do."""
    class_list: ClassList | None = None
    """Classes that the map prompt lists: those of the room and as many absent ones (distractors), or only those of the
    room, as released (exact). Default: distractors in generated rooms under strict rules, else exact."""
    handedness: Handedness | None = None
    """Handedness of maps and answers: as seen from above (true), or mirrored (released). Default: set by the rules."""
    preset: RenderPresetName = "standard"
    """Quality of rendered pictures."""
    assets: str = "auto"
    """3D assets in rendered pictures: auto, pack, built-in, or a folder."""
    rules: RuleSetName = "strict"
    """Rule set for generating and wording the questions. Replies are always scored under both."""

    def __post_init__(self) -> None:
        for name, value, kinds in (
            ("mode", self.mode, MapMode),
            ("asked", self.asked, AskedSet),
            ("views", self.views, Views),
            ("distractors", self.distractors, DistractorChoice),
            ("room_version", self.room_version, RoomVersion),
            ("handedness", self.handedness or "true", Handedness),
            ("class_list", self.class_list or "exact", ClassList),
        ):
            if value not in get_args(kinds):
                raise SettingsError(f"{name} has no {value!r}; choose from {', '.join(map(str, get_args(kinds)))}")
        find_rules(self.rules)
        if not self.turns or len({turn % 360 for turn in self.turns}) != len(self.turns):
            raise SettingsError("turns needs one or more distinct camera rotations in degrees")
        if not 64 <= self.width <= 8192 or self.width % 2:
            raise SettingsError(f"width is an even number of pixels from 64 to 8192, not {self.width}")
        if not 1 <= self.each <= 100 or not 2 <= self.grid <= 100:
            raise SettingsError("each is from 1 to 100 questions and grid from 2 to 100 cells")

    @property
    def map_handedness(self) -> Handedness:
        return self.handedness or ("true" if find_rules(self.rules).true_handedness else "released")

    @property
    def space_settings(self) -> SpaceSettings:
        """Settings of the generated rooms."""
        return SpaceSettings(least_pieces=25) if self.room_version == 2 else SpaceSettings()

    @property
    def lists_distractors(self) -> bool:
        """Whether the map prompt lists distractors; in negative sets it lists absent classes anyway."""
        class_list = self.class_list or (
            "distractors" if find_rules(self.rules).class_lists_hold_distractors else "exact"
        )
        return self.asked == "standard" and class_list == "distractors"


@dataclass(frozen=True)
class Selection:
    """Which scenes are evaluated, and with which judge."""

    data: str = "0-99"
    """Seeds of generated rooms (such as 0-99), or a folder of scenes: the authors', or made by `tolman make`."""
    judge: str = ""
    """A model that grades the answers too, for comparison with the rules."""
    greedy: bool = True
    """Use temperature 0 unless a temperature is given."""
