"""Options of an evaluation, with the paper's settings as defaults, and checks of their values."""

from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from tolman.ask import find_kind
from tolman.core.errors import SettingsError
from tolman.core.rules import RuleSetName, rule_set
from tolman.explore import EpisodeSettings
from tolman.explore.actions import Phase
from tolman.explore.episode import PUBLISHED_TURNS, default_turns
from tolman.harness.options import RecordedOptions
from tolman.render.engine.values import RenderPresetName

Mode = Literal["active", "passive"]
World = Literal["text", "vision"]
ImageFormat = Literal["png", "jpeg"]
EvaluationPhase = Literal["explore", "probe", "ask", "revise"]
MapMode = Literal["none", "say", "own", "true"]
MAP_MODES: tuple[MapMode, ...] = get_args(MapMode)
ElicitTurns = Literal["every", "last", "off"]
Condition = Literal["", "abstain", "odds", "settle"]
"""A task condition of its own, which is never mixed into the published tables; empty for the published task."""

_MAX_COUNT = 10_000
"""Upper limit of all counts among the options."""
PASSIVE_EXPLORERS: dict[World, str] = {"text": "strategist", "vision": "scout"}
HALF_EXPLORED = "half-strategist"
"""Explorer whose log a passive model reads in a task condition; about two fifths of the questions stay undecided."""


@dataclass(frozen=True)
class Options(RecordedOptions):
    """Options of Theory of Space that a run records."""

    mode: Mode = "active"
    """Whether the model explores by itself (`active`) or reads the log of a scripted explorer (`passive`)."""
    world: World = "text"
    """Observations as text (`text`) or as rendered images (`vision`)."""
    phases: tuple[EvaluationPhase, ...] = ("explore", "probe", "ask", "revise")
    """Phases to run: explore (always run), probe (state maps), ask, revise (active only)."""
    explorer: str = ""
    """Scripted agent whose log a passive model reads; default: strategist (text), scout (vision), as in the paper."""
    maps: tuple[MapMode, ...] = ("none",)
    """Map modes of questions: without a map (`none`), stating a map first (`say`), after the model's own last map
    (`own`), or given the true map (`true`). Every question is asked once per mode."""
    probe: ElicitTurns | None = None
    """Turns after which maps are elicited: every, last, off; default, as published: every (active), last (passive)."""
    repeats: int = 1
    """How often each map is elicited; the paper's correlations average five."""
    questions: int = 3
    """Questions per kind and scene."""
    kinds: tuple[str, ...] = ()
    """Kinds of question; default: the nine kinds of the paper."""
    budget: int | None = None
    """Maximum number of exploration turns; default: 20 for up to three rooms, as published, and 8 more for each
    further room (28 for 4, 44 for 6, 92 for 12), by the largest scene of a run. The log records the number."""
    revise_budget: int | None = None
    """Maximum number of turns after the world has changed; default: 15 for up to three rooms, as published, and 5
    more for each further room."""
    abstain: bool = False
    """Questions may be answered with "cannot tell". A task condition of its own: nothing but exploring and asking, own
    tables, no place on a leaderboard; the log that a passive model reads is by default half an exploration."""
    threshold: float = 0.75
    """With abstain: a wrong answer loses threshold / (1 - threshold) points, so that answering pays where the expected
    score is above it."""
    odds: bool = False
    """Answers are stated as probabilities over all that they can be. A task condition of its own, as abstain is."""
    settle: bool = False
    """Instead of an answer, choose the look that would tell most about it, for questions that what was told does not
    decide. A task condition of its own, as abstain is."""
    think: bool = True
    """Whether the prompt asks the model to reason in writing before each answer."""
    history: int | None = None
    """Number of latest turns of the conversation in each request; default: all."""
    image_size: int = 384
    """Width and height of images, in pixels (vision)."""
    image_budget: int | None = None
    """Maximum number of images in one request: the calibration images and the latest; default: all (vision)."""
    image_format: ImageFormat = "png"
    """File format of images (vision)."""
    image_quality: int = 85
    """JPEG quality, 1 to 95 (vision)."""
    eye_height: float = 0.8
    """Height of the camera above the floor, in metres (vision)."""
    preset: RenderPresetName = "standard"
    """Rendering quality (vision)."""
    assets: str = "auto"
    """3D assets to render: auto, pack, built-in, or a folder (vision)."""
    captions: bool = field(default=False, metadata={"hidden": True})
    """Whether PNG files carry a text description of the view as metadata; for tests with scripted models."""
    choices: int = field(default=0, metadata={"hidden": True})
    """Number of choices from which an answer was chosen, right or wrong; 0 for answers in one's own words. Set by
    `tolman import`."""
    rules: RuleSetName = "strict"
    """Rule set by which the environment parses and executes actions. Scores are always reported under both."""

    def __post_init__(self) -> None:
        self._check_choices()
        counts = {"repeats": self.repeats, "questions": self.questions, "budget": self.turns("explore")}
        counts |= {"revise_budget": self.turns("revise"), "image_size": self.image_size}
        counts |= {"history": self.history or 1, "image_budget": 1 if self.image_budget is None else self.image_budget}
        for name, value in counts.items():
            if not 1 <= value <= _MAX_COUNT:
                raise SettingsError(f"{name} is from 1 to {_MAX_COUNT:,}, not {value}")
        self._check_pictures()
        self._check_condition()
        if self.history == 0:
            raise SettingsError("history is at least 1 turn; omit the option to send all turns")

    def _check_choices(self) -> None:
        choices: tuple[tuple[str, tuple[str, ...], object], ...] = (
            ("mode", (self.mode,), Mode),
            ("world", (self.world,), World),
            ("phases", self.phases, EvaluationPhase),
            ("maps", self.maps, MapMode),
            ("probe", (self.probe,) if self.probe else (), ElicitTurns),
            ("image_format", (self.image_format,), ImageFormat),
        )
        for name, given, kinds in choices:
            for value in given:
                if value not in get_args(kinds):
                    raise SettingsError(f"{name} has no {value!r}; choose from {', '.join(get_args(kinds))}")
        if not self.maps:
            raise SettingsError("maps needs at least one mode; `none` asks without a map")
        rule_set(self.rules)
        for kind in self.kinds:
            find_kind(kind)

    def _check_pictures(self) -> None:
        if not 16 <= self.image_size <= 4096:
            raise SettingsError(f"image_size is from 16 to 4096 pixels, not {self.image_size}")
        if not 1 <= self.image_quality <= 95:
            raise SettingsError(f"image_quality is from 1 to 95, not {self.image_quality}")
        if not 0.1 <= self.eye_height <= 2.4:
            raise SettingsError(f"eye_height is from 0.1 to 2.4 metres, not {self.eye_height}")
        if self.captions and self.image_format != "png":
            raise SettingsError("only PNG files can hold captions")

    def _check_condition(self) -> None:
        if not 0 < self.threshold < 1:
            raise SettingsError(f"threshold is between 0 and 1, not {self.threshold}")
        if self.abstain + self.odds + self.settle > 1:
            raise SettingsError("abstain, odds and settle are task conditions of their own; run one after the other")
        if self.condition and self.maps != ("none",):
            raise SettingsError(f"{self.condition} asks every question without a map; leave out --maps")

    @property
    def condition(self) -> Condition:
        """The task condition; empty for the published task."""
        return "abstain" if self.abstain else "odds" if self.odds else "settle" if self.settle else ""

    def as_dict(self) -> dict[str, object]:
        """Plain values by field; the options of task conditions only where they apply."""
        unused = {"abstain", "threshold", "odds", "settle"} - {self.condition, "threshold" if self.abstain else ""}
        return {name: value for name, value in super().as_dict().items() if name not in unused}

    @property
    def field_of_view(self) -> float:
        """Horizontal field of view in degrees: 95, as in the released code, under `published`, else the paper's 90."""
        return 95.0 if self.rules == "published" else 90.0

    @property
    def passive_explorer(self) -> str:
        return self.explorer or (HALF_EXPLORED if self.condition else PASSIVE_EXPLORERS[self.world])

    @property
    def probe_turns(self) -> ElicitTurns:
        """Turns after which maps are elicited, with defaults resolved; `own` needs at least the last map."""
        if self.condition:
            return "off"
        usual: ElicitTurns = "every" if self.mode == "active" else "last"
        turns = (self.probe or usual) if "probe" in self.phases else "off"
        return "last" if turns == "off" and "own" in self.maps else turns

    @property
    def revises(self) -> bool:
        return self.mode == "active" and "revise" in self.phases and not self.condition

    def turns(self, phase: Phase) -> int:
        """The turn budget of a phase; the published one where no number was given."""
        given = self.budget if phase == "explore" else self.revise_budget
        return PUBLISHED_TURNS[phase] if given is None else given

    def for_rooms(self, rooms: int) -> "Options":
        """The same options with the turn budgets as numbers: those given, else the defaults for so many rooms."""
        budget = default_turns("explore", rooms) if self.budget is None else self.budget
        revise = default_turns("revise", rooms) if self.revise_budget is None else self.revise_budget
        return replace(self, budget=budget, revise_budget=revise)

    @property
    def episode(self) -> EpisodeSettings:
        """Settings of the episode. As in the released runs, queries are refused in the vision world."""
        answer_queries, rules = self.world == "text", rule_set(self.rules)
        return EpisodeSettings(self.turns("explore"), self.turns("revise"), answer_queries, rules)


@dataclass(frozen=True)
class Selection:
    """Options that select the scenes to run."""

    scenes: str = "0-99"
    """Seeds such as 0-99, a folder of scenes, or RUNS:MODEL for the scenes of released runs."""
    rooms: int = 3
    """Rooms per generated scene, 1 to 32."""
    things: int = 4
    """Objects per room of a generated scene."""
    world_version: int = 1
    """Version of generated scenes: 1, as published, or 2 with things in their real sizes."""
    pictures: str = ""
    """Folder of images written by `tolman render`, used instead of rendering (vision)."""


def check_pictures(options: Options) -> None:
    """Raise an error before anything is run if the options need images that can't be made."""
    if options.world == "vision":
        from tolman.benchmarks.theory_of_space.protocol.pictures import check_renderer  # noqa: PLC0415 loads all that renders

        check_renderer(options)
        return
    for kind in options.kinds:
        if find_kind(kind).in_pictures:
            raise SettingsError(f"questions of kind {kind} include an image; use world vision")
