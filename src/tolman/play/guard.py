"""Keeps strangers' pages away from the server: it answers to its own names only, and takes forms from itself only.

A page elsewhere on the web could point a name of its own at this machine (DNS rebinding) or send a form here. The
first comes with a foreign `Host`, the second with a foreign `Origin`; both are refused before anything is read.
"""

import ipaddress
import socket
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 256 * 1024
"""Bytes of a form."""
_HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'; object-src 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}
"""`no-store` makes the back button ask anew, so that it never shows a form that was sent."""


def is_loopback(host: str) -> bool:
    """Whether an address or name can be reached from this machine only."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class Guard:
    """Stands before an application and refuses what does not come from its own pages."""

    def __init__(self, app: ASGIApp, host: str = "127.0.0.1") -> None:
        """`host` is the address that the server listens on."""
        self._app = app
        self._open = not is_loopback(host)
        machine = socket.gethostname().lower()
        self._names = {host.lower(), machine, f"{machine}.local"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(str(scope["method"]), Headers(scope=scope))
        if refusal:
            await PlainTextResponse(refusal, 403)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _refusal(self, method: str, headers: Headers) -> str | None:
        host = headers.get("host", "")
        if not self._is_ours(_hostname(host)):
            return "This server does not answer to that name; use the address that `tolman play` printed."
        if method in ("GET", "HEAD"):
            return None
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
            return "This form came from another site."
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "This form came from another site."
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LARGEST_BODY:
            return "This form is too large."
        return None

    def _is_ours(self, name: str) -> bool:
        """Loopback names always; on an open address also this machine's names, and numbers, which nobody can rebind."""
        if is_loopback(name):
            return True
        return self._open and (name in self._names or _is_number(name))


def _hostname(host: str) -> str:
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_number(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
