"""Serve the environment over loopback: `python -m tolman.env.openenv.server --port 8000 --rooms 3 --reward dense`."""
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

from functools import partial
from typing import Annotated, Any

import uvicorn
from cyclopts import App, Parameter
from openenv.core.env_server import create_app

from tolman.env.openenv import ExplorationState, Reply, TheoryOfSpace, Told
from tolman.env.options import EnvironmentOptions, RewardName

MOST_SESSIONS = 64
"""Episodes that may run at the same time, each in its own session."""


def make_app(**options: Any) -> Any:
    """The FastAPI application; `options` are those of `EnvironmentOptions`, which `reset` may override."""
    EnvironmentOptions.of(options)
    factory = partial(TheoryOfSpace, **options)
    return create_app(
        factory, Reply, Told, env_name="theory_of_space", max_concurrent_envs=MOST_SESSIONS, state_cls=ExplorationState
    )


def serve(
    *,
    port: Annotated[int, Parameter(help="Port on 127.0.0.1.")] = 8000,
    rooms: Annotated[int, Parameter(help="Rooms of a world, 1 to 32.")] = 3,
    reward: Annotated[RewardName, Parameter(help="Reward of an episode.")] = "dense",
    budget: Annotated[int, Parameter(help="Maximum number of exploration turns.")] = 20,
) -> None:
    """Serve Theory of Space to trainers on this machine."""
    uvicorn.run(make_app(rooms=rooms, reward=reward, budget=budget), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    command = App(name="python -m tolman.env.openenv.server", help_format="plaintext")
    command.default(serve)
    command()
