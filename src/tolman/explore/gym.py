"""The text world as a Gymnasium environment: `gymnasium.make("tolman/TheoryOfSpace-v0")`.

Actions are replies of a model, as text; observations are the messages to it. An episode ends when the agent writes
`Term()` (terminated) or its turn budget is exhausted (truncated).
"""

import string
from typing import Any, Literal, SupportsFloat

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from tolman.belief import Belief
from tolman.core.errors import SettingsError
from tolman.explore.episode import Episode, EpisodeSettings, step
from tolman.explore.grammar import read_actions
from tolman.explore.messages import describe_brief, describe_latest
from tolman.render import floorplan_rgb, text_map
from tolman.world import Scene, WorldSettings, generate

RenderMode = Literal["ansi", "rgb_array"]
RewardKind = Literal["final", "dense"]
_CHARACTERS = string.printable
_LONGEST = 20_000
_PIXELS = 512


class TheoryOfSpaceEnv(gymnasium.Env[str, str]):
    """Explore a world of rooms by text.

    `reward="final"` is the information gain reached, once, at the end; `"dense"` is its increase at each turn. Both add
    up to the same return, in [0, 1]. `cost_weight` is subtracted for every unit of action cost.
    `reset(seed=k)` generates world k; `reset(options={"scene": scene})` uses a given one.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        render_mode: RenderMode | None = None,
        world: WorldSettings | None = None,
        settings: EpisodeSettings | None = None,
        reward: RewardKind = "final",
        cost_weight: float = 0.0,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise SettingsError(f"there is no render mode {render_mode!r}; choose ansi or rgb_array")
        if reward not in ("final", "dense"):
            raise SettingsError(f"there is no reward {reward!r}; choose final or dense")
        self.render_mode = render_mode
        self.observation_space = spaces.Text(_LONGEST, min_length=0, charset=_CHARACTERS)
        self.action_space = spaces.Text(_LONGEST, min_length=0, charset=_CHARACTERS)
        self._world = world or WorldSettings()
        self._settings = settings or EpisodeSettings()
        self._reward: RewardKind = reward
        self._cost_weight = cost_weight
        self._episode: Episode | None = None
        self._belief: Belief | None = None

    @property
    def episode(self) -> Episode:
        """The episode so far."""
        if self._episode is None:
            raise gymnasium.error.ResetNeeded("call reset before anything else")
        return self._episode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start an episode in a new world."""
        super().reset(seed=seed)
        scene = (options or {}).get("scene")
        if not isinstance(scene, Scene):
            scene = generate(seed if seed is not None else int(self.np_random.integers(2**31)), self._world)
        self._episode = Episode(scene, self._settings)
        self._belief = Belief.start(scene.names, scene.extent)
        return _printable(f"{describe_brief(self.episode.brief)}\n{describe_latest(self.episode)}"), self._info()

    def step(self, action: str) -> tuple[str, SupportsFloat, bool, bool, dict[str, Any]]:
        """Parse one reply and carry it out."""
        before = self.episode
        if before.over or self._belief is None:
            raise gymnasium.error.ResetNeeded("the episode is over; call reset")
        gain_before = self._belief.information_gain
        self._episode = step(before, read_actions(action, self._settings.rules))
        turn = self._episode.turns[-1]
        if turn.feedback is not None:
            self._belief = self._belief.after(turn.feedback)
        gain = self._belief.information_gain
        reward = gain - gain_before if self._reward == "dense" else gain * self._episode.over
        reward -= self._cost_weight * turn.cost
        terminated = turn.ended_phase and not turn.forced
        return _printable(describe_latest(self._episode)), float(reward), terminated, turn.forced, self._info()

    def render(self) -> str | npt.NDArray[np.uint8] | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The whole world, which the agent never sees: as text (`ansi`) or as an image (`rgb_array`)."""
        episode = self.episode
        if self.render_mode == "ansi":
            return f"{text_map(episode.scene)}\n{describe_latest(episode)}"
        if self.render_mode == "rgb_array":
            pose = episode.scene.pose_at(episode.standing_on, episode.heading)
            return floorplan_rgb(episode.scene, pixels=_PIXELS, pose=pose)
        return None

    def _info(self) -> dict[str, Any]:
        episode = self.episode
        return {
            "scene": episode.scene.digest,
            "information_gain": 0.0 if self._belief is None else self._belief.information_gain,
            "cost": episode.cost(),
            "turns_left": episode.turns_left,
            "readable": not episode.turns or episode.turns[-1].parsed,
        }


def _printable(text: str) -> str:
    """Text within the observation space, whatever it quotes of a reply."""
    return text.encode("ascii", "backslashreplace").decode("ascii")[:_LONGEST]
