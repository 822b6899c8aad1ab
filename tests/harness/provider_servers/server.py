"""A server on loopback that answers as a provider does, in the shape it is told, and refuses what the provider would.

It speaks OpenAI's chat completions and responses, Anthropic's messages and Google's Gemini. Providers check what they
are sent; so does this: an empty text is an error to Anthropic, a message without parts one to Google.
"""

import json
import threading
from collections.abc import Callable, Iterable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

from inspect_ai.model import Model, get_model
from inspect_ai.model._providers._vllm_lora import _vllm_servers

from tests.harness.provider_servers.anthropic_replies import ANTHROPIC, events_of
from tests.harness.provider_servers.chat_replies import CHAT
from tests.harness.provider_servers.google_replies import GOOGLE
from tests.harness.provider_servers.reply import Body, Shape
from tests.harness.provider_servers.responses_replies import RESPONSES

Answer = Callable[[Body], tuple[int, Body]]
"""Status and body of the reply to a request."""
PROVIDERS: dict[str, tuple[str, str, tuple[Shape, ...]]] = {
    "openai chat": ("openai/gpt-4o", "/v1", CHAT),
    "openai responses": ("openai/gpt-5.2", "/v1", RESPONSES),
    "anthropic": ("anthropic/claude-opus-5", "", ANTHROPIC),
    "google": ("google/gemini-2.5-flash", "", GOOGLE),
    "vllm": ("vllm/Qwen/Qwen3-8B", "/v1", tuple(s for s in CHAT if s.name != "content filter as an error")),
    "llama.cpp": ("llama-cpp-python/qwen3", "/v1", CHAT),
    "a server of one's own": ("openai-api/mine/qwen3", "/v1", CHAT),
    "ollama": ("ollama/qwen3:8b", "/v1", CHAT),
}
"""By name: the model in Inspect's words, where below the address its protocol begins, and what it sends."""


class ProviderServer:
    """Answers every request with what `answer` makes of it."""

    answer: Answer

    def __enter__(self) -> "ProviderServer":
        _vllm_servers.clear()  # Inspect keeps the address of a model's server for as long as the process lives
        self.asked: list[tuple[str, Body]] = []
        self._http = _Server(("127.0.0.1", 0), _Handler)
        self._http.provider = self
        threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def model(self, provider: str) -> Model:
        """The model of a provider, as Inspect reaches it, at this address."""
        name, below, _ = PROVIDERS[provider]
        return get_model(name, base_url=self.address + below, api_key="none", memoize=False)

    def say(self, shape: Shape, text: str) -> None:
        """Answer everything with a text, in one shape."""
        self.answer = lambda _: (shape.status, shape.body(text))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    provider: ProviderServer

    def handle_error(self, request: object, client_address: object) -> None:
        pass


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        self._send(200, "application/json", json.dumps({"object": "list", "data": [{"id": "m", "object": "model"}]}))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        provider = cast("_Server", self.server).provider
        if self.path.endswith("/count_tokens"):
            self._send(200, "application/json", '{"input_tokens": 12}')
            return
        if not isinstance(body.get("input"), str):  # else Inspect asks whether summaries of reasoning are to be had
            provider.asked.append((self.path, body))
        complaint = complaint_about(self.path, body)
        status, reply = (400, complaint) if complaint else provider.answer(body)
        if body.get("stream") and status == 200:
            events = (f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events_of(reply))
            self._send(200, "text/event-stream", "".join(events))
        else:
            self._send(status, "application/json", json.dumps(reply))

    def _send(self, status: int, kind: str, content: str) -> None:
        sent = content.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(sent)))
        self.send_header("x-should-retry", "false")  # so OpenAI's and Anthropic's clients leave that to Inspect
        self.end_headers()
        self.wfile.write(sent)

    def log_message(self, format: str, *args: object) -> None:
        pass


def complaint_about(path: str, body: Body) -> Body | None:
    """What the provider has against a request, if anything."""
    if path.endswith("/messages"):
        wrong = _anthropic(body)
    elif ":generateContent" in path:
        wrong = _google(body)
    elif path.endswith("/responses"):
        wrong = None if body.get("input") else "input is missing"
    elif path.endswith("/chat/completions"):
        wrong = _chat(body)
    else:
        wrong = f"there is no {path}"
    return (
        {"type": "error", "error": {"type": "invalid_request_error", "message": wrong, "code": 400}} if wrong else None
    )


def _anthropic(body: Body) -> str | None:
    if "max_tokens" not in body:
        return "max_tokens: Field required"
    if body["messages"][0]["role"] != "user":
        return "messages: first message must use the user role"
    system: Any = body.get("system") or []
    for content in [system, *(message["content"] for message in body["messages"])]:
        blocks: Iterable[Any] = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
            return "messages: text content blocks must be non-empty"
    return None


def _google(body: Body) -> str | None:
    for content in body["contents"]:
        parts = content.get("parts")
        if not parts:
            return "contents.parts must not be empty."
        if any(part.get("text") == "" for part in parts):
            return "Unable to submit request because it must have a text parameter."
    return None


def _chat(body: Body) -> str | None:
    for message in body["messages"]:
        if message["role"] == "user" and not message["content"]:
            return "messages: content must not be empty"
    return None
