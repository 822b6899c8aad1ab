"""A server on loopback that speaks the chat-completions protocol, thinks as a scripted agent does, and misbehaves.

What a conversation is answered with depends on its words alone, so that two runs can be compared. Which requests are
disturbed depends on their words and on how often they came: every disturbance passes.
"""

import hashlib
import json
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, cast, get_args

from tolman.models.scripted.reply import reply_to

Fault = Literal["rate limit", "server error", "slow", "invalid JSON", "no choices", "half a body", "reset"]
FAULTS: tuple[Fault, ...] = get_args(Fault)


@dataclass
class FakeServer:
    """`faults` is the share of conversations whose first request is disturbed, each kind alike; `cut` the share whose
    reply is cut off by a token limit. `delay` in seconds holds up every reply. Replies are those of `agent`, or what
    `thought` makes of the messages."""

    agent: str = "scout"
    faults: float = 0.0
    cut: float = 0.0
    delay: float = 0.0
    thought: Callable[[list[tuple[str, str]]], str] | None = None
    requests: Counter[str] = field(default_factory=Counter[str])
    """How often each conversation was sent."""
    answered: Counter[str] = field(default_factory=Counter[str])
    """How often each conversation was answered in full."""
    injected: Counter[Fault] = field(default_factory=Counter[Fault])
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> "FakeServer":
        self._http = _Quiet(("127.0.0.1", 0), _Handler)
        self._http.fake = self
        threading.Thread(target=self._http.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def fault_of(self, key: str) -> Fault | None:
        """The disturbance of this request, if any: only the first time that a conversation is sent."""
        with self.lock:
            self.requests[key] += 1
            if self.requests[key] > 1 or _share(key, "fault") >= self.faults:
                return None
            fault = FAULTS[int(_share(key, "which") * len(FAULTS))]
            self.injected[fault] += 1
            return fault


class _Quiet(ThreadingHTTPServer):
    """A client that is killed hangs up in the middle; that is what is tested here."""

    daemon_threads = True
    fake: "FakeServer"

    def handle_error(self, request: object, client_address: object) -> None:
        pass


def _share(key: str, purpose: str) -> float:
    return int(hashlib.sha256(f"{purpose} {key}".encode()).hexdigest()[:8], 16) / 2**32


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        if not sent:
            return
        body = json.loads(sent)
        messages = [(message["role"], _text(message["content"])) for message in body["messages"]]
        key = hashlib.sha256(json.dumps(messages).encode()).hexdigest()
        fake = cast("_Quiet", self.server).fake
        fault = fake.fault_of(key)
        if fault is not None and fault != "slow":
            self._misbehave(fault)
            return
        time.sleep(fake.delay + (0.5 if fault == "slow" else 0.0))
        reply, stop = fake.thought(messages) if fake.thought else reply_to(fake.agent, messages), "stop"
        if _share(key, "cut") < fake.cut:
            reply, stop = reply[: len(reply) // 2], "length"
        self._send(200, json.dumps(_completion(body["model"], messages, reply, stop)).encode())
        with fake.lock:
            fake.answered[key] += 1

    def _misbehave(self, fault: Fault) -> None:
        if fault == "reset":
            self.close_connection = True
            self.connection.close()
        elif fault == "invalid JSON":
            self._send(200, b'{"id": "x", "choices": [{"mess')
        elif fault == "no choices":
            self._send(200, b'{"id": "x", "choices": []}')
        elif fault == "half a body":
            self.close_connection = True
            self._send(200, b'{"id": "x", "choi', missing=100)
        else:
            error = json.dumps({"error": {"message": f"this is a {fault}", "type": fault}}).encode()
            self._send(429 if fault == "rate limit" else 500, error)

    def _send(self, status: int, content: bytes, missing: int = 0) -> None:
        try:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content) + missing))
            self.end_headers()
            self.wfile.write(content)
        except OSError:
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        pass


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _completion(model: str, messages: list[tuple[str, str]], reply: str, stop: str) -> dict[str, object]:
    asked, said = sum(len(text) for _, text in messages) // 4, len(reply) // 4
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "finish_reason": stop, "message": {"role": "assistant", "content": reply}}],
        "usage": {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said},
    }
