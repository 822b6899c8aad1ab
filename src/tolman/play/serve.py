"""Serve a playroom from this machine until someone presses Ctrl-C."""

import socket
from collections.abc import Callable

import uvicorn

from tolman.errors import SettingsError
from tolman.play.playroom import Playroom
from tolman.play.server import build_app


def listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections; port 0 takes any that is free."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        raise SettingsError(f"{host}:{port} can't be listened on ({error}); choose another --port or --host") from None


def address(listening: socket.socket) -> str:
    """The address to open in a browser."""
    host, port = listening.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return f"http://{shown}:{port}/"


def server_of(playroom: Playroom, listening: socket.socket) -> uvicorn.Server:
    """What answers on a socket; `run(sockets=[...])` starts it."""
    host = str(listening.getsockname()[0])
    return uvicorn.Server(uvicorn.Config(build_app(playroom, host), log_level="warning", access_log=False))


def serve(playroom: Playroom, listening: socket.socket, ready: Callable[[], None]) -> None:
    """Answer until stopped. `ready` is called once connections are taken."""
    server = server_of(playroom, listening)
    ready()
    server.run(sockets=[listening])
