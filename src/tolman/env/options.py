"""Options of training environments, the same in every adapter, and the seeds to train on."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

from tolman.benchmarks.theory_of_space.options import EvaluationPhase, Options, World, check_pictures
from tolman.core.errors import SettingsError
from tolman.core.seeds import FIRST_TRAINING_SEED
from tolman.render.engine.values import RenderPresetName
from tolman.render.stored_pictures import FOLDERS_VARIABLE
from tolman.world import WorldSettings

RewardName = Literal["dense", "final", "ceiling", "map", "answers"]
Split = Literal["train", "test"]
SPLITS: dict[Split, range] = {
    "train": range(FIRST_TRAINING_SEED, 10 * FIRST_TRAINING_SEED),
    "test": range(FIRST_TRAINING_SEED),
}
"""Seeds for training and for evaluation. Seeds beyond both are free for training, too."""


@dataclass(frozen=True)
class EnvironmentOptions:
    """Options of an environment; the defaults are the published setting of the evaluation."""

    rooms: int = 3
    """Rooms of a world, 1 to 32."""
    things: int = 4
    """Objects per room."""
    world: World = "text"
    """Observations as text (`text`) or as rendered images (`vision`)."""
    reward: RewardName = "dense"
    """`dense`: information gain of each turn; `final`: the same, once, at the end; `ceiling`: increase of the expected
    score of the best possible map, given what was seen; `map`: score of the map that the agent states after exploring;
    `answers`: score of its answer to one question after exploring."""
    budget: int = 20
    """Maximum number of exploration turns."""
    cost_weight: float = 0.0
    """Subtracted from the reward for each unit of action cost."""
    think: bool = True
    """Whether the prompt asks for reasoning in writing before each reply."""
    kinds: tuple[str, ...] = ()
    """Kinds of question for the reward `answers`; default: the nine kinds of the paper."""
    image_size: int = 384
    """Width and height of images, in pixels (vision)."""
    preset: RenderPresetName = "standard"
    """Rendering quality (vision)."""
    assets: str = "auto"
    """3D assets to render: auto, pack, built-in, or a folder (vision)."""
    pictures: str = ""
    """Folder of images written by `tolman render`, used instead of rendering (vision)."""
    allow_test_scenes: bool = False
    """Whether seeds below 100,000, which are for evaluation, may be trained on."""

    def __post_init__(self) -> None:
        if self.reward not in get_args(RewardName):
            raise SettingsError(f"there is no reward {self.reward!r}; choose from {', '.join(get_args(RewardName))}")
        _ = self.protocol, self.world_settings  # both check their values

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> "EnvironmentOptions":
        """Options from the configuration of a trainer; SettingsError for an unknown name."""
        return cls().updated(values)

    def updated(self, values: Mapping[str, Any]) -> "EnvironmentOptions":
        """These options with some replaced."""
        known = {field.name for field in fields(self)}
        unknown = next((name for name in values if name not in known), None)
        if unknown is not None:
            raise SettingsError(
                f"there is no option {unknown!r} of an environment; choose from {', '.join(sorted(known))}"
            )
        given = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return replace(self, **given)

    @property
    def world_settings(self) -> WorldSettings:
        """Settings of generated worlds."""
        return WorldSettings(rooms=self.rooms, things_per_room=self.things)

    @property
    def protocol(self) -> Options:
        """The options of the evaluation that sends the same messages."""
        asked: dict[str, tuple[EvaluationPhase, ...]] = {"map": ("explore", "probe"), "answers": ("explore", "ask")}
        return Options(
            world=self.world,
            phases=asked.get(self.reward, ("explore",)),
            probe="last" if self.reward == "map" else "off",
            questions=1,
            kinds=self.kinds,
            budget=self.budget,
            think=self.think,
            image_size=self.image_size,
            preset=self.preset,
            assets=self.assets,
        )

    def prepare_pictures(self) -> None:
        """Check that pictures can be made, if there are any; the folder of `pictures` is looked into from now on."""
        if self.world == "vision" and self.pictures:
            folders = os.environ.get(FOLDERS_VARIABLE, "").split(os.pathsep)
            if self.pictures not in folders:
                os.environ[FOLDERS_VARIABLE] = os.pathsep.join(filter(None, (self.pictures, *folders)))
        check_pictures(self.protocol)

    def check_seed(self, seed: int) -> None:
        """Refuse a seed of the evaluation, unless they are allowed."""
        if seed < FIRST_TRAINING_SEED and not self.allow_test_scenes:
            raise SettingsError(
                f"seed {seed} is a scene of the evaluation (0 to {FIRST_TRAINING_SEED - 1:,}); train on seeds from "
                f"{FIRST_TRAINING_SEED:,} on, or set allow_test_scenes"
            )
