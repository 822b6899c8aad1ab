"""An environment for VAGEN, of the shape of its `GymImageEnv`; `env_registry.yaml` names it in one line:
`TheoryOfSpace: tolman.env.vagen.TheoryOfSpace`. VAGEN is not imported.
"""

import io
from collections.abc import Mapping
from typing import Any

import anyio.to_thread
from PIL import Image

from tolman.benchmarks.theory_of_space.protocol.prompts import system_page
from tolman.core.errors import SettingsError
from tolman.env.exploration import IMAGE, Exploration
from tolman.env.options import EnvironmentOptions

Observed = dict[str, Any]
"""`obs_str`, and where it has pictures, `multi_modal_input` with one PIL image for each `<image>`."""


class TheoryOfSpace:
    """One world per episode; the configuration holds the options of `EnvironmentOptions`."""

    def __init__(self, env_config: Mapping[str, Any]) -> None:
        """Pictures are found or rendered in a thread, so that other environments go on meanwhile."""
        self.config = dict(env_config)
        self._options = EnvironmentOptions.of(self.config)
        self._exploration: Exploration | None = None

    @property
    def exploration(self) -> Exploration:
        """The exploration so far."""
        if self._exploration is None:
            raise SettingsError("call reset before anything else")
        return self._exploration

    async def system_prompt(self) -> Observed:
        """The system page of the evaluation."""
        return {"obs_str": system_page(self._options.protocol)}

    async def reset(self, seed: int) -> tuple[Observed, dict[str, Any]]:
        """Start in world `seed`."""
        self._options.check_seed(seed)
        await anyio.to_thread.run_sync(self._options.prepare_pictures)
        self._exploration = Exploration(seed, self._options)
        return await self._observed(), self._info()

    async def step(self, action_str: str) -> tuple[Observed, float, bool, dict[str, Any]]:
        """Carry out one reply of the model."""
        outcome = self.exploration.reply(action_str)
        info = self._info() | {"truncated": outcome.truncated}
        return await self._observed(), outcome.reward, outcome.done, info

    async def close(self) -> None:
        """Drop the world."""
        self._exploration = None

    async def _observed(self) -> Observed:
        now = self.exploration
        observed: Observed = {"obs_str": now.text}
        if now.pictures:
            files = [await anyio.to_thread.run_sync(now.png, key) for key in now.pictures]
            observed["multi_modal_input"] = {IMAGE: [_picture(file) for file in files]}
        return observed

    def _info(self) -> dict[str, Any]:
        now = self.exploration
        return {
            "success": now.over and now.success,
            "information_gain": now.information_gain,
            "cost": now.episode.cost(),
            "scene": now.case.scene.digest,
            "digest": now.digest,
        }


def _picture(file: bytes) -> Image.Image:
    with Image.open(io.BytesIO(file)) as picture:
        return picture.convert("RGB")
