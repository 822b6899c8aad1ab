"""Servers that misbehave, refuse or are not there: what can't be used is asked for again, and never kept."""

import time
from collections.abc import Generator
from pathlib import Path

import anyio
import pytest
from inspect_ai.model import CachePolicy, ChatMessageUser, Model, get_model

from tests.loopback_server import DISTURBANCES, LoopbackServer
from tolman.core.errors import ServerError
from tolman.harness import server_health
from tolman.harness.cost import COST_BUDGET
from tolman.harness.model_calls import ModelCalls
from tolman.harness.server_health import HEALTH, first_call, reason_of
from tolman.models.call_context import CallContext

SCOPE = {"options": "o", "scene": "s"}


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[None]:
    monkeypatch.setenv("FAKE_API_KEY", "none")
    monkeypatch.setenv("INSPECT_CACHE_DIR", str(tmp_path / "calls"))
    HEALTH.begin()
    COST_BUDGET.open(None, tmp_path / "paid.jsonl")
    yield
    HEALTH.end()


def echo(messages: list[tuple[str, str]]) -> str:
    return f"You said: {messages[-1][1]}"


def model(server: LoopbackServer) -> Model:
    return get_model("openai-api/fake/m", base_url=server.url, memoize=False)


def sent(server: LoopbackServer, *words: str) -> list[str | None]:
    """The replies to some words, sent all at once."""
    replies: dict[str, str | None] = {}

    async def main() -> None:
        async with model(server) as behind:
            calls = ModelCalls(behind, SCOPE, resume=True)

            async def one(said: str) -> None:
                replies[said] = await calls.send([ChatMessageUser(content=said)], CallContext(said, "s"))

            async with anyio.create_task_group() as group:
                for said in words:
                    group.start_soon(one, said)

    anyio.run(main)
    return [replies[said] for said in words]


def test_every_disturbance_passes_and_only_the_reply_is_kept() -> None:
    words = [f"word {number}" for number in range(len(DISTURBANCES))]
    with LoopbackServer(faults=1.0, thought=echo) as server:
        first = sent(server, *words)
        assert set(server.injected) == set(DISTURBANCES)
        asked = server.requests.total()
        assert sent(server, *words) == first == [f"You said: {said}" for said in words]
        assert server.requests.total() == asked, "each reply was kept"
        assert max(server.requests.values()) <= 4


def test_a_reply_that_never_can_be_used_ends_as_an_error_and_is_never_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_health, "_MOST_UNUSABLE", 2)
    with LoopbackServer(faults=1.0, disturbances=("no choices",), thought=echo, passes=False) as server:
        with pytest.raises(ExceptionGroup) as failure:
            sent(server, "hello")
        assert "without any choice" in repr(failure.value.exceptions)
        assert server.requests.total() == 2
        server.faults = 0.0
        assert sent(server, "hello") == ["You said: hello"]


def test_an_unusable_reply_that_an_older_version_kept_is_passed_over() -> None:
    with LoopbackServer(faults=1.0, disturbances=("no choices",), thought=echo) as server:

        async def older() -> bool:
            async with model(server) as behind:
                policy = CachePolicy(expiry=None, scopes={**SCOPE, "call": "hello"})
                return (await behind.generate([ChatMessageUser(content="hello")], cache=policy)).empty

        assert anyio.run(older)
        assert sent(server, "hello") == ["You said: hello"]
        asked = server.requests.total()
        assert sent(server, "hello") == ["You said: hello"]
        assert server.requests.total() == asked


def test_a_server_that_answers_nobody_is_given_up_with_its_reason() -> None:
    told: list[str] = []
    HEALTH.begin(0.5, told.append)
    with LoopbackServer(refuse=(503, "the model is being loaded")) as server:
        began = time.monotonic()
        with pytest.raises(ExceptionGroup):
            sent(server, "a", "b")
        assert time.monotonic() - began < 30
        assert HEALTH.given_up
        assert HEALTH.reason.startswith(server.url)
        assert "503" in HEALTH.reason
        assert "the model is being loaded" in HEALTH.reason
        asked = server.requests.total()
        with pytest.raises(ExceptionGroup) as failure:
            sent(server, "c")
        assert "the model is being loaded" in repr(failure.value.exceptions)
        assert server.requests.total() == asked, "nothing more is sent"


def refusal(address: str) -> str:
    told: list[str] = []
    HEALTH.begin()
    try:
        first_call("openai-api/fake/m", lambda: get_model("openai-api/fake/m", base_url=address), address, told.append)
    except ServerError as error:
        return f"refused: {error}"
    return " ".join(told)


def test_the_first_call_says_which_address_refused_and_with_what() -> None:
    said = refusal("http://127.0.0.1:9/v1")
    assert said.startswith("refused")
    assert "http://127.0.0.1:9/v1" in said
    assert "ConnectionRefused" in said
    with LoopbackServer(refuse=(401, "this key is not known")) as server:
        said = refusal(server.url)
    assert said.startswith("refused")
    assert said.endswith("this key is not known")
    with LoopbackServer(refuse=(404, "no model of this name")) as server:
        assert "no model of this name" in refusal(server.url)


def test_after_the_first_call_a_run_begins_if_the_server_answers_or_is_only_busy() -> None:
    with LoopbackServer(thought=echo) as server:
        assert refusal(server.url) == ""
        assert HEALTH.replies == 1
    with LoopbackServer(refuse=(529, "overloaded")) as server:
        assert "continuing" in refusal(server.url)
        assert not HEALTH.given_up


def test_scripted_models_are_asked_no_first_call() -> None:
    def never() -> Model:
        raise AssertionError("it was made")

    for name in ("tolman/scout", "replay/logs", "local/smollm2", "vllm/Qwen/Qwen3-8B"):
        first_call(name, never, None, print)


class _Told(RuntimeError):
    provider_message = "bad [bold]input[/bold]\n\x1b[31mred"


class RetryError(Exception):
    """As the library that tries again raises it."""


def test_a_reason_is_what_the_server_said_in_plain_letters() -> None:
    said = "bad [bold]input[/bold] [31mred"
    assert reason_of(_Told(), "here") == f"here: {said}"
    retried = RetryError("RetryError[<Future at 0x7f state=finished>]")
    retried.__cause__ = RuntimeError(_Told.provider_message)
    assert reason_of(retried, "here") == f"here: RuntimeError: {said}"
