"""Gymnasium environments: `tolman/TheoryOfSpace-v0` (text) and `tolman/TheoryOfSpaceVision-v0` (pictures).

Actions are replies of a model, as text; observations are the messages to it, in the words of the evaluation.
"""

import io
import string
from typing import Any, Literal, SupportsFloat, TypeVar

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from PIL import Image

from tolman.benchmarks.theory_of_space.protocol.picture_marks import ViewPicture
from tolman.core.errors import SettingsError
from tolman.core.seeds import FIRST_TRAINING_SEED
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions, RewardName
from tolman.explore.episode import Episode
from tolman.render import floorplan_rgb, text_map
from tolman.world import Scene

RenderMode = Literal["ansi", "rgb_array"]
O = TypeVar("O")  # noqa: E741 - the name that Gymnasium has for it
_CHARACTERS = string.printable
_LONGEST = 20_000
_PIXELS = 512
_ANYWHERE = ("Actions: [Observe()]", "Actions: [Rotate(90), Observe()]", "Actions: [Term()]")


class ReplySpace(spaces.Text):
    """Any text is a reply; samples are drawn from the valid actions of the moment."""

    def __init__(self) -> None:
        super().__init__(_LONGEST, min_length=0, charset=_CHARACTERS)
        self.valid: tuple[str, ...] = _ANYWHERE

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """One of the valid actions; in a space that no environment updates, one that is always valid."""
        del mask, probability
        return self.valid[int(self.np_random.integers(len(self.valid)))] if self.valid else ""


class _ExplorationEnv(gymnasium.Env[O, str]):
    """What both environments share: worlds, replies, rewards, drawing."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012
    options: EnvironmentOptions

    def __init__(self, render_mode: RenderMode | None, options: EnvironmentOptions) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SettingsError(f"there is no render mode {render_mode!r}; choose ansi or rgb_array")
        self.render_mode, self.options = render_mode, options
        self._replies = ReplySpace()
        self.action_space = self._replies
        self._exploration: Exploration | None = None

    @property
    def exploration(self) -> Exploration:
        """The exploration so far, with its messages, belief and pictures."""
        if self._exploration is None:
            raise gymnasium.error.ResetNeeded("call reset before anything else")
        return self._exploration

    @property
    def episode(self) -> Episode:
        """The episode so far."""
        return self.exploration.episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[O, dict[str, Any]]:
        """Start in world `seed`; without a seed, in a world for training drawn at random."""
        super().reset(seed=seed)
        world = seed if seed is not None else int(self.np_random.integers(FIRST_TRAINING_SEED, 2**31))
        scene = (options or {}).get("scene")
        self._exploration = Exploration(world, self.options, scene if isinstance(scene, Scene) else None)
        return self._observation(), self._info()

    def step(self, action: str) -> tuple[O, SupportsFloat, bool, bool, dict[str, Any]]:
        """Parse one reply and carry it out."""
        if self.exploration.over:
            raise gymnasium.error.ResetNeeded("the episode is over; call reset")
        outcome = self.exploration.reply(action)
        return self._observation(), outcome.reward, outcome.terminated, outcome.truncated, self._info()

    def render(self) -> str | npt.NDArray[np.uint8] | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The whole world, which the agent never sees: as text (`ansi`) or as an image (`rgb_array`)."""
        episode = self.episode
        if self.render_mode == "ansi":
            return f"{text_map(episode.scene)}\n{self.exploration.text}"
        if self.render_mode == "rgb_array":
            pose = episode.scene.pose_at(episode.standing_on, episode.heading)
            return floorplan_rgb(episode.scene, pixels=_PIXELS, pose=pose)
        return None

    def _observation(self) -> O:
        raise NotImplementedError

    def _info(self) -> dict[str, Any]:
        now = self.exploration
        self._replies.valid = now.valid_actions()
        return {
            "scene": now.case.scene.digest,
            "digest": now.digest,
            "information_gain": now.information_gain,
            "cost": now.episode.cost(),
            "turns_left": now.episode.turns_left,
            "readable": not now.episode.turns or now.episode.turns[-1].parsed,
            "success": now.success,
            "valid_actions": self._replies.valid,
        }


class TheoryOfSpaceEnv(_ExplorationEnv[str]):
    """Explore a world of rooms by text.

    | | |
    |---|---|
    | action | a reply, such as `Actions: [Rotate(90), Observe()]`; `info["valid_actions"]` lists what can be done now |
    | observation | the message to the agent, in the words of the evaluation |
    | reward | `reward=`: see `tolman.env.EnvironmentOptions` |
    | end | terminated by `Term()`, or by the map or answer asked for after it; truncated when the budget is exhausted |

    `reset(seed=k)` generates world k; `reset(options={"scene": scene})` uses a given one.
    """

    def __init__(self, render_mode: RenderMode | None = None, **options: Any) -> None:
        """`options` are those of `EnvironmentOptions`, such as `rooms=2, reward="ceiling", budget=30`."""
        super().__init__(render_mode, EnvironmentOptions.of(options).updated({"world": "text"}))
        self.observation_space = spaces.Text(_LONGEST, min_length=0, charset=_CHARACTERS)

    def _observation(self) -> str:
        return _printable(self.exploration.text)


class TheoryOfSpaceVisionEnv(_ExplorationEnv[dict[str, Any]]):
    """Explore a world of rooms by pictures: as `TheoryOfSpaceEnv`, with `rgb` and `text` as observation.

    `rgb` is the latest view, black before the first look; `text` is the message, with `<image>` for each picture.
    Pictures come from the folder `pictures` that `tolman render` wrote, else they are rendered (and cached).
    `exploration.png(key)` for each key in `exploration.pictures` gives all pictures of the message, such as the
    calibration pictures of the first one.
    """

    def __init__(self, render_mode: RenderMode | None = None, **options: Any) -> None:
        """`options` are those of `EnvironmentOptions`, such as `image_size=128, preset="preview"`."""
        super().__init__(render_mode, EnvironmentOptions.of(options).updated({"world": "vision"}))
        self.options.prepare_pictures()
        side = self.options.image_size
        self._black = np.zeros((side, side, 3), np.uint8)
        self._view = self._black
        box = spaces.Box(0, 255, (side, side, 3), np.uint8)
        text = spaces.Text(_LONGEST, min_length=0, charset=_CHARACTERS)
        self.observation_space = spaces.Dict({"rgb": box, "text": text})

    def _observation(self) -> dict[str, Any]:
        now = self.exploration
        views = [key for key in now.pictures if isinstance(key, ViewPicture)]
        if views:
            with Image.open(io.BytesIO(now.png(views[-1]))) as picture:
                self._view = np.asarray(picture.convert("RGB"))
        elif not now.rewards:
            self._view = self._black
        return {"rgb": self._view.copy(), "text": _printable(now.text)}


class ShapedReward(gymnasium.Wrapper[Any, str, Any, str]):
    """Adds `weight` times another reward to that of an environment: `ShapedReward(env, "ceiling", 0.1)`."""

    def __init__(self, env: gymnasium.Env[Any, str], reward: RewardName, weight: float = 1.0) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, _ExplorationEnv):
            raise SettingsError("only the environments of Tolman can be shaped")
        if reward in ("map", "answers"):
            raise SettingsError(f"{reward} asks for something after the exploration; give it as `reward` to make()")
        self._reward: RewardName = reward
        self._weight = weight

    def step(self, action: str) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """As the environment's, with the additional reward, which `info` holds too."""
        observation, reward, terminated, truncated, info = super().step(action)
        inner: Any = self.env.unwrapped
        extra = inner.exploration.paid(self._reward)
        info[f"reward_{self._reward}"] = extra
        return observation, float(reward) + self._weight * extra, terminated, truncated, info


def _printable(text: str) -> str:
    """Text within the observation space, whatever it quotes of a reply."""
    return text.encode("ascii", "backslashreplace").decode("ascii")[:_LONGEST]
