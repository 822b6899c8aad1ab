"""An environment for OpenEnv: actions, observations, state, client. `tolman.env.openenv.server` serves it."""
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUntypedBaseClass=false, reportUnknownArgumentType=false, reportUnknownParameterType=false

import base64
from typing import Any, cast

from pydantic import Field

from tolman.core.errors import SettingsError
from tolman.core.seeds import FIRST_TRAINING_SEED
from tolman.env.exploration import Exploration
from tolman.env.options import SPLITS, EnvironmentOptions

try:
    from openenv.core import EnvClient
    from openenv.core.client_types import StepResult
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, Observation, State
except ImportError:
    raise SettingsError("this environment needs OpenEnv: pip install 'tolman[openenv]'") from None

_FIXED = ("assets", "pictures")
"""Options that name folders of the server's machine."""


class Reply(Action):
    """One reply of the agent."""

    text: str
    """The whole reply, such as `Actions: [Rotate(90), Observe()]`."""


class ExplorationObservation(Observation):
    """One message to the agent."""

    system: str = ""
    """The system page; only with the first message."""
    message: str
    """The message, with `<image>` for each picture."""
    images: list[str] = Field(default_factory=list)
    """The pictures as data URLs, in the order of the message."""


class ExplorationState(State):
    """Where an episode stands; for trainers, not for the agent."""

    seed: int | None = None
    scene: str = ""
    digest: str = ""
    information_gain: float = 0.0
    cost: int = 0
    success: bool = False


class TheoryOfSpace(Environment[Reply, ExplorationObservation, ExplorationState]):
    """One world per episode; `reset` takes the options of `EnvironmentOptions`, or a task by `split` and `index`."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self._options = EnvironmentOptions.of(options)
        self._exploration: Exploration | None = None
        self._episode_id: str | None = None

    @property
    def exploration(self) -> Exploration:
        """The exploration so far."""
        if self._exploration is None:
            raise SettingsError("call reset before anything else")
        return self._exploration

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> ExplorationObservation:
        """Start in world `seed`, or in that of a task."""
        split, index = kwargs.pop("split", None), kwargs.pop("index", None)
        fixed = next((name for name in _FIXED if name in kwargs), None)
        if fixed is not None:
            raise SettingsError(f"{fixed} is chosen where the server is started, not by its clients")
        options = self._options.updated(kwargs)
        if split is not None and index is not None:
            seed = int(self.get_task(str(split), int(index))["seed"])
        else:
            seed = FIRST_TRAINING_SEED if seed is None else seed
            options.check_seed(seed)
        options.prepare_pictures()
        self._exploration, self._episode_id = Exploration(seed, options), episode_id
        return self._told(None, system=self._exploration.system)

    def step(self, action: Reply, timeout_s: float | None = None, **kwargs: Any) -> ExplorationObservation:
        """Carry out one reply."""
        del timeout_s, kwargs
        outcome = self.exploration.reply(action.text)
        return self._told(outcome.reward)

    @property
    def state(self) -> ExplorationState:
        """Where the episode stands."""
        now = self._exploration
        if now is None:
            return ExplorationState()
        return ExplorationState(
            episode_id=self._episode_id,
            step_count=len(now.rewards),
            seed=now.seed,
            scene=now.case.scene.digest,
            digest=now.digest,
            information_gain=now.information_gain,
            cost=now.episode.cost(),
            success=now.success,
        )

    def list_splits(self) -> list[str]:
        """The names of the splits."""
        return list(SPLITS)

    def num_tasks(self, split: str) -> int:
        """The number of worlds of a split."""
        return len(_split(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """One world by its place in a split."""
        return {"id": f"{split}-{index}", "index": index, "seed": _split(split)[index]}

    def get_task_range(self, split: str, start: int | None = None, stop: int | None = None) -> list[dict[str, Any]]:
        """Worlds of a split from `start` up to, without, `stop`."""
        return [self.get_task(split, index) for index in range(len(_split(split)))[slice(start, stop)]]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The first hundred worlds of a split."""
        return self.get_task_range(split, 0, 100)

    def _told(self, reward: float | None, system: str = "") -> ExplorationObservation:
        now = self.exploration
        images = [f"data:image/png;base64,{base64.b64encode(now.png(key)).decode('ascii')}" for key in now.pictures]
        return ExplorationObservation(done=now.over, reward=reward, system=system, message=now.text, images=images)


class TheoryOfSpaceClient(EnvClient[Reply, ExplorationObservation, ExplorationState]):
    """The client of a running server: `TheoryOfSpaceClient("http://127.0.0.1:8000")`."""

    def _step_payload(self, action: Reply) -> dict[str, Any]:
        return {"text": action.text}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[ExplorationObservation]:
        values = cast("dict[str, Any]", payload.get("observation", {}))
        told = ExplorationObservation(done=bool(payload.get("done")), reward=payload.get("reward"), **values)
        return StepResult(observation=told, reward=payload.get("reward"), done=told.done)

    def _parse_state(self, payload: dict[str, Any]) -> ExplorationState:
        return ExplorationState(**payload)


def _split(name: str) -> range:
    if name not in ("train", "test"):
        raise SettingsError(f"there is no split {name!r}; choose from {', '.join(SPLITS)}")
    return SPLITS[name]
