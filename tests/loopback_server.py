"""A server on loopback that speaks the chat-completions protocol, answers as a scripted agent does, and misbehaves.

What a conversation is answered with, and in which shape, depends on its words alone, so that two runs can be compared.
A disturbance strikes the first request of a conversation and passes; each kind of it comes in turn.
"""

import hashlib
import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from tests.loopback_replies import SHAPES, THOUGHTS, Completion, completion
from tolman.models.scripted.reply import reply_to

DISTURBANCES = (
    "rate limit",
    "rate limit, with Retry-After",
    "internal error",
    "bad gateway, as HTML",
    "unavailable",
    "overloaded",
    "reset before the first byte",
    "closed within the body",
    "slow first byte",
    "slow body",
    "no choices",
    "choices null",
    "invalid JSON",
    "empty body",
    "HTML as success",
    "JSON as plain text",
    "error as success",
)
"""What goes wrong with a request that would be answered well the next time."""
STATUS = {"rate limit": 429, "rate limit, with Retry-After": 429, "internal error": 500, "unavailable": 503} | {
    "bad gateway, as HTML": 502,
    "overloaded": 529,
}
BODIES = {
    "no choices": b'{"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": []}',
    "choices null": b'{"id": "x", "object": "chat.completion", "choices": null}',
    "invalid JSON": b'{"id": "x", "choices": [{"mess',
    "empty body": b"",
    "HTML as success": b"<html><body>Please log in.</body></html>",
    "error as success": b'{"error": {"message": "the upstream gave up", "code": 502}}',
}
HTML = ("bad gateway, as HTML", "HTML as success")


@dataclass
class LoopbackServer:
    """Of all conversations, `faults` is the share that is disturbed once, `odd` the share that is answered in a shape
    of `SHAPES`, `reasoning` the share that is answered with thoughts, and `cut` the share that is cut off by a token
    limit. `delay` in seconds holds up every reply. `refuse` is a status and message for every request. Replies are
    those of `agent`, or what `thought` makes of the messages."""

    agent: str = "scout"
    faults: float = 0.0
    odd: float = 0.0
    reasoning: float = 0.0
    cut: float = 0.0
    delay: float = 0.0
    refuse: tuple[int, str] | None = None
    thought: Callable[[list[tuple[str, str]]], str] | None = None
    disturbances: tuple[str, ...] = DISTURBANCES
    passes: bool = True
    """Whether a disturbed conversation is answered the next time."""
    requests: Counter[str] = field(default_factory=Counter[str])
    """How often each conversation was sent."""
    answered: Counter[str] = field(default_factory=Counter[str])
    """How often each conversation was answered in full."""
    injected: Counter[str] = field(default_factory=Counter[str])
    """How often each disturbance, each shape and each way to think was met."""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> "LoopbackServer":
        self._http = _Quiet(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def disturbance_of(self, key: str) -> str | None:
        """What goes wrong with this request, if anything: only the first time that a conversation is sent."""
        with self.lock:
            self.requests[key] += 1
            if (self.passes and self.requests[key] > 1) or _share(key, "fault") >= self.faults:
                return None
            met = sum(self.injected[name] for name in self.disturbances)
            name = self.disturbances[met % len(self.disturbances)]
            self.injected[name] += 1
            return name

    def answer(self, key: str, body: dict[str, Any], messages: list[tuple[str, str]]) -> Completion:
        """The whole reply to a conversation."""
        reply = self.thought(messages) if self.thought else reply_to(self.agent, messages)
        shape = _one_of(tuple(SHAPES), key, "shape") if _share(key, "odd") < self.odd else ""
        thinks = _one_of(THOUGHTS, key, "way") if _share(key, "reasoning") < self.reasoning else ""
        made = completion(str(body["model"]), messages, reply, thinks)
        if _share(key, "cut") < self.cut:
            choice = cast("Any", made)["choices"][0]
            reply = choice["message"]["content"]
            choice["message"]["content"], choice["finish_reason"] = reply[: len(reply) // 2], "length"
        with self.lock:
            self.injected.update(name for name in (shape, thinks) if name)
        return SHAPES[shape](made) if shape else made


class _Quiet(ThreadingHTTPServer):
    """A client that is killed hangs up in the middle; that is what is tested here."""

    daemon_threads = True
    request_queue_size = 128
    owner: "LoopbackServer"

    def handle_error(self, request: object, client_address: object) -> None:
        pass


def _share(key: str, purpose: str) -> float:
    return int(hashlib.sha256(f"{purpose} {key}".encode()).hexdigest()[:8], 16) / 2**32


def _one_of(names: tuple[str, ...], key: str, purpose: str) -> str:
    return names[int(_share(key, purpose) * len(names))]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if not sent:
            return
        body = json.loads(sent)
        messages = [(message["role"], _text(message["content"])) for message in body["messages"]]
        key = hashlib.sha256(json.dumps(messages).encode()).hexdigest()
        owner = cast("_Quiet", self.server).owner
        if owner.refuse is not None:
            with owner.lock:
                owner.requests[key] += 1
            status, message = owner.refuse
            self._send(status, json.dumps({"error": {"message": message}}).encode())
            return
        name = owner.disturbance_of(key)
        if name in STATUS or name in BODIES or name == "reset before the first byte":
            self._disturb(name)
            return
        began = time.monotonic()
        while (left := began + owner.delay - time.monotonic()) > 0:  # it may be changed meanwhile
            time.sleep(min(left, 0.05))
        time.sleep(0.5 if name == "slow first byte" else 0.0)
        content = json.dumps(owner.answer(key, body, messages)).encode()
        if name == "closed within the body":
            self.close_connection = True
            self._send(200, content[: len(content) // 2], missing=len(content) - len(content) // 2)
            return
        kind = "text/plain" if name == "JSON as plain text" else "application/json"
        if self._send(200, content, kind=kind, slowly=name == "slow body"):
            with owner.lock:
                owner.answered[key] += 1

    def _disturb(self, name: str) -> None:
        if name == "reset before the first byte":
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            return
        page = f"<html><body>{name}</body></html>".encode()
        error = json.dumps({"error": {"message": f"this is: {name}", "type": name}}).encode()
        content = BODIES.get(name, page if name in HTML else error)
        kind = "text/html" if name in HTML else "application/json"
        self._send(STATUS.get(name, 200), content, kind=kind, again="1" if "Retry-After" in name else "")

    def _send(
        self,
        status: int,
        content: bytes,
        *,
        kind: str = "application/json",
        missing: int = 0,
        again: str = "",
        slowly: bool = False,
    ) -> bool:
        """Whether all of it went out."""
        pieces = [content[at : at + 1 + len(content) // 10] for at in range(0, len(content), 1 + len(content) // 10)]
        try:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content) + missing))
            if again:
                self.send_header("Retry-After", again)
            self.end_headers()
            for piece in pieces if slowly else [content]:
                self.wfile.write(piece)
                time.sleep(0.05 if slowly else 0)
        except OSError:
            self.close_connection = True
            return False
        return True

    def log_message(self, format: str, *args: object) -> None:
        pass


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content or ())
