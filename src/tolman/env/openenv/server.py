"""Serve the environment over loopback: `python -m tolman.env.openenv.server --port 8000 --rooms 3 --reward dense`."""
# pyright: reportMissingImports=false, reportUnknownVariableType=false, reportUnknownMemberType=false
# pyright: reportUnknownArgumentType=false

import sys
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

import uvicorn
from cyclopts import App, Parameter

from tolman.core.errors import TolmanError
from tolman.env.openenv import ExplorationObservation, ExplorationState, Reply, TheoryOfSpace
from tolman.env.options import EnvironmentOptions

from openenv.core.env_server import create_app  # isort: skip - what it needs is checked above, in one line

MOST_SESSIONS = 64
"""Episodes that may run at the same time, each in its own session."""


def make_app(options: EnvironmentOptions | None = None) -> Any:
    """The FastAPI application; `reset` may override the options."""
    options = options or EnvironmentOptions()
    options.prepare_pictures()
    factory = partial(TheoryOfSpace, **asdict(options))
    return create_app(
        factory,
        Reply,
        ExplorationObservation,
        env_name="theory_of_space",
        max_concurrent_envs=MOST_SESSIONS,
        state_cls=ExplorationState,
    )


def __getattr__(name: str) -> Any:
    """`app` with default options, as the manifest names it for servers that import an application."""
    if name != "app":
        raise AttributeError(name)
    return make_app()


def serve(
    *,
    port: Annotated[int, Parameter(help="Port on 127.0.0.1.")] = 8000,
    options: Annotated[EnvironmentOptions | None, Parameter(name="*")] = None,
) -> None:
    """Serve Theory of Space to trainers on this machine."""
    uvicorn.run(make_app(options), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    command = App(name="python -m tolman.env.openenv.server", help_format="plaintext")
    command.default(serve)
    try:
        command()
    except TolmanError as error:
        sys.exit(f"tolman: {error}")
