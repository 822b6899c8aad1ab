"""Options of an evaluation, with the paper's settings as defaults, and checks that refuse what cannot be run."""

from dataclasses import asdict, dataclass
from typing import Literal, get_args

from tolman.ask import find_kind
from tolman.core.errors import SettingsError
from tolman.core.rules import RuleSetName, rule_set
from tolman.explore import EpisodeSettings

Mode = Literal["active", "passive"]
World = Literal["text", "vision"]
ImageFormat = Literal["png", "jpeg"]
EvaluationPhase = Literal["explore", "probe", "ask", "revise"]
MapMode = Literal["none", "say", "own", "true"]
ElicitTurns = Literal["every", "last", "off"]

_MOST = 10_000
"""Of anything that is counted here."""
PASSIVE_EXPLORERS: dict[World, str] = {"text": "strategist", "vision": "scout"}


@dataclass(frozen=True)
class Options:
    """One way to run Theory of Space in a scene."""

    mode: Mode = "active"
    """Whether the model explores by itself (`active`) or reads the log of a scripted explorer (`passive`)."""
    world: World = "text"
    phases: tuple[EvaluationPhase, ...] = ("explore", "probe", "ask", "revise")
    """What to do; exploration always is. A passive model is not asked to revise: it never moved."""
    explorer: str = ""
    """Whose log a passive model reads; as published, the strategist's in text and the scout's in vision."""
    maps: tuple[MapMode, ...] = ("none",)
    """How questions are asked: plainly (`none`), saying the map first (`say`), after the model's own last map (`own`),
    or given the true map (`true`). Several modes ask every question several times."""
    probe: ElicitTurns | None = None
    """After which turns maps are asked for: as published, every turn of an active model, the last of a passive one."""
    repeats: int = 1
    """How often each map is asked for; the paper's correlations average five."""
    questions: int = 3
    """Questions of each kind."""
    kinds: tuple[str, ...] = ()
    """Kinds of question; none named means the nine kinds in words."""
    budget: int = 20
    """Replies to explore with."""
    revise_budget: int = 15
    """Replies to revise with."""
    think: bool = True
    """Whether the model is asked to write down its thoughts before an answer."""
    history: int | None = None
    """Turns of the conversation that are sent along, the latest; None for all."""
    image_size: int = 384
    """Pixels of a side of an image, in the vision world."""
    image_budget: int | None = None
    """Most images in one request of the vision world: those to go by and the latest; None for all."""
    image_format: ImageFormat = "png"
    image_quality: int = 85
    """Of JPEG files, from 1 to 95."""
    eye_height: float = 0.8
    """Metres of the camera above the floor."""
    preset: str = "standard"
    """How much work goes into a picture: `draft`, `standard` or `reference`."""
    assets: str = "auto"
    """Models of things in pictures: `auto`, `pack`, `built-in`, or a folder of one's own."""
    captions: bool = False
    """Whether the files of pictures hold, unseen, what they show in words: only for tests with scripted models."""
    rules: RuleSetName = "strict"
    """How the world reads what a model wants to do. Scores are always given under both rule sets."""

    def __post_init__(self) -> None:
        self._check_choices()
        counts = {"repeats": self.repeats, "questions": self.questions, "budget": self.budget}
        counts |= {"revise_budget": self.revise_budget, "image_size": self.image_size}
        counts |= {"history": self.history or 1, "image_budget": 1 if self.image_budget is None else self.image_budget}
        for name, value in counts.items():
            if not 1 <= value <= _MOST:
                raise SettingsError(f"{name} is from 1 to {_MOST:,}, not {value}")
        self._check_pictures()
        if self.history == 0:
            raise SettingsError("history is at least 1 turn; leave it out to send all")

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
            raise SettingsError("name at least one way of asking with a map; `none` asks plainly")
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

    @property
    def field_of_view(self) -> float:
        """Degrees across a picture: the released camera's 95 under `published`, else the paper's 90."""
        return 95.0 if self.rules == "published" else 90.0

    @property
    def passive_explorer(self) -> str:
        return self.explorer or PASSIVE_EXPLORERS[self.world]

    @property
    def probe_turns(self) -> ElicitTurns:
        """After which turns maps are asked for."""
        usual: ElicitTurns = "every" if self.mode == "active" else "last"
        turns = (self.probe or usual) if "probe" in self.phases else "off"
        return "last" if turns == "off" and "own" in self.maps else turns

    @property
    def revises(self) -> bool:
        return self.mode == "active" and "revise" in self.phases

    @property
    def episode(self) -> EpisodeSettings:
        """The same, as an episode takes it. As in the released runs, a vision world refuses queries."""
        return EpisodeSettings(self.budget, self.revise_budget, self.world == "text", rule_set(self.rules))

    def as_dict(self) -> dict[str, object]:
        """Plain values, for a log."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]


def check_pictures(options: Options) -> None:
    """Refuse, in one sentence and before anything is run, what can't be shown."""
    if options.world == "vision":
        from tolman.benchmarks.theory_of_space.protocol.pictures import check_renderer  # noqa: PLC0415 loads all that renders

        check_renderer(options)
        return
    for kind in options.kinds:
        if find_kind(kind).in_pictures:
            raise SettingsError(f"a question of the kind {kind} comes with a picture; use world vision")
