"""The web server of `tolman play`, with a guard against foreign hosts and origins."""

import ipaddress
import socket
from collections.abc import Callable
from urllib.parse import urlsplit

import uvicorn
from fastapi import FastAPI, Request
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tolman.core.errors import SettingsError, TolmanError
from tolman.play.pages import Pages, rendered, sentence
from tolman.play.playable import AnyPlayable, UnknownSessionError

LARGEST_BODY = 256 * 1024
"""Most bytes of a form."""
_HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}
"""`no-store` makes the back button reload a page, so that it never shows a form that was sent."""


def is_loopback(host: str) -> bool:
    """Whether an address or name is reachable from this machine only."""
    address = _ip_address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def _ip_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None


class OriginGuard:
    """Middleware that rejects requests with a foreign host or origin."""

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1") -> None:
        """`host` is the address that the server listens on."""
        self._app = app
        self._public = not is_loopback(host)
        machine = socket.gethostname().lower()
        self._names = {host.lower(), machine, f"{machine}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (rejection := self._rejection(str(scope["method"]), Headers(scope=scope))):
            await PlainTextResponse(rejection, 403)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _rejection(self, method: str, headers: Headers) -> str | None:
        host = headers.get("host", "")
        if not self._is_ours(_hostname(host)):
            return "This server does not answer to that name; use the address that `tolman play` printed."
        if method in ("GET", "HEAD"):
            return None
        origin, site = headers.get("origin"), headers.get("sec-fetch-site", "none")
        foreign = origin is not None and urlsplit(origin).netloc.lower() != host.lower()
        if foreign or site not in ("same-origin", "none"):
            return "This form came from another site."
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return "This form is too large."
        return None

    def _is_ours(self, name: str) -> bool:
        """Loopback names; on a public address also this machine's names, and IP addresses, which DNS can't rebind."""
        return is_loopback(name) or (self._public and (name in self._names or _ip_address(name) is not None))


def _hostname(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def build_app(playable: AnyPlayable, host: str = "127.0.0.1") -> FastAPI:
    """The application that serves a benchmark on an address."""
    app, pages = FastAPI(docs_url=None, redoc_url=None, openapi_url=None), Pages(playable)
    for method, path, handler in (
        ("GET", "/", pages.start),
        ("POST", "/begin", pages.begin),
        ("GET", "/people/{name}", pages.person),
        ("GET", "/people/{name}/{scene}", pages.next_page),
        ("POST", "/people/{name}/{scene}/reply", pages.reply),
        ("POST", "/people/{name}/{scene}/notebook", pages.notebook),
        ("GET", "/people/{name}/{scene}/pictures/{picture}", pages.view),
        ("GET", "/result/{name}", pages.result),
        ("GET", "/measure", pages.measure),
        ("GET", "/static/{name}", pages.static),
    ):
        app.add_api_route(path, handler, methods=[method], response_model=None)
    app.add_exception_handler(TolmanError, _problem)
    app.add_exception_handler(HTTPException, _problem)
    app.add_middleware(OriginGuard, host=host)
    return app


def _problem(request: Request, error: Exception) -> Response:
    """An error as a page."""
    del request
    if isinstance(error, HTTPException):
        return rendered("problem.html", error.status_code, problem=sentence(error.detail))
    status = 404 if isinstance(error, UnknownSessionError) else 409 if isinstance(error, SettingsError) else 500
    return rendered("problem.html", status, problem=sentence(error))


def listen(host: str, port: int) -> socket.socket:
    """A listening socket; port 0 chooses a free port."""
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


def server_of(playable: AnyPlayable, listening: socket.socket) -> uvicorn.Server:
    """The server for a socket; `run(sockets=[...])` starts it."""
    host = str(listening.getsockname()[0])
    return uvicorn.Server(uvicorn.Config(build_app(playable, host), log_level="warning", access_log=False))


def serve(playable: AnyPlayable, listening: socket.socket, ready: Callable[[], object]) -> None:
    """Serve until stopped. `ready` is called once the socket takes connections."""
    server = server_of(playable, listening)
    ready()
    server.run(sockets=[listening])
