"""Serve the page where people play, from this machine until someone presses Ctrl-C."""

import socket
from collections.abc import Callable

import uvicorn
from fastapi import FastAPI, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tolman.errors import SettingsError, TolmanError
from tolman.play.guard import Guard
from tolman.play.pages import Pages
from tolman.play.playroom import Playroom, UnknownSittingError
from tolman.play.templating import rendered, sentence


def build_app(playroom: Playroom, host: str = "127.0.0.1") -> FastAPI:
    """The application that serves a playroom on an address."""
    app, pages = FastAPI(docs_url=None, redoc_url=None, openapi_url=None), Pages(playroom)
    for method, path, answer in (
        ("GET", "/", pages.start),
        ("POST", "/begin", pages.begin),
        ("GET", "/people/{name}", pages.person),
        ("GET", "/people/{name}/{scene}", pages.wanted),
        ("POST", "/people/{name}/{scene}/reply", pages.reply),
        ("POST", "/people/{name}/{scene}/notebook", pages.notebook),
        ("GET", "/people/{name}/{scene}/pictures/{picture}", pages.seen),
        ("GET", "/result/{name}", pages.result),
        ("GET", "/result/{name}/{scene}.png", pages.picture),
        ("GET", "/measure", pages.measure),
        ("GET", "/static/{name}", pages.static),
    ):
        app.add_api_route(path, answer, methods=[method], response_model=None)
    app.add_exception_handler(TolmanError, _problem)
    app.add_exception_handler(HTTPException, _problem)
    app.add_middleware(Guard, host=host)
    return app


def _problem(request: Request, error: Exception) -> Response:
    """An error as a page."""
    del request
    if isinstance(error, HTTPException):
        return rendered("problem.html", error.status_code, problem=sentence(error.detail))
    status = 404 if isinstance(error, UnknownSittingError) else 409 if isinstance(error, SettingsError) else 500
    return rendered("problem.html", status, problem=sentence(error))


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
