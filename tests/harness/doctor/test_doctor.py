"""`tolman doctor` says of each provider's model what works, what does not, and what to do about it."""

import base64
import io
import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from inspect_ai.model import Model
from PIL import Image

from tests.command_line import Here
from tests.harness.provider_servers.reply import Body, Shape
from tests.harness.provider_servers.server import PROVIDERS, ProviderServer
from tolman.harness.doctor import COLOURS, CheckResult, examine

pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")  # Google's


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        yield running


def shape_of(provider: str, name: str) -> Shape:
    return next(shape for shape in PROVIDERS[provider][2] if shape.name == name)


def seen_in(body: Body) -> str | None:
    """The colours of the picture that a request holds, whatever its protocol: left, then right."""
    found = re.search(r"iVBOR[\w+/=-]+", json.dumps(body))
    if found is None:
        return None
    picture = Image.open(io.BytesIO(base64.b64decode(found[0].replace("-", "+").replace("_", "/"))))
    names: dict[object, str] = {colour: name for name, colour in COLOURS.items()}
    ends = [picture.getpixel((x, picture.height // 2)) for x in (2, picture.width - 3)]
    return " ".join(names[end] for end in ends)


def answer_well(server: ProviderServer, provider: str, shape: str = "text", **instead: tuple[int, Body]) -> None:
    """Answer as a good model would, in one shape; `instead` says otherwise of `text`, `picture` and `limit`."""

    def answer(body: Body) -> tuple[int, Body]:
        limited = re.search(r'"max_?(?:completion_|output_|Output)?_?[tT]okens": 16\b', json.dumps(body))
        colours = seen_in(body)
        kind = "picture" if colours else "limit" if limited else "text"
        if kind in instead:
            return instead[kind]
        if limited:
            return 200, shape_of(provider, "length").body("1\n2\n3")
        return 200, shape_of(provider, shape).body(colours or "7")

    server.answer = answer


def found(model: Model, name: str, **options: float) -> dict[str, CheckResult]:
    findings = anyio.run(lambda: examine(model, name, **options))  # pyright: ignore[reportArgumentType]
    return {finding.what: finding for finding in findings}


@pytest.mark.parametrize("provider", PROVIDERS)
def test_all_of_a_good_model_works(provider: str, server: ProviderServer) -> None:
    answer_well(server, provider)
    findings = found(server.model(provider), PROVIDERS[provider][0])
    states = {name: finding.state for name, finding in findings.items()}
    assert states == {
        "text": "works",
        "pictures": "works",
        "reasoning": "none",
        "length limit": "works",
        "price": "unknown",
        "rate": "works",
    }
    assert [finding.what for finding in findings.values() if finding.advice] == ["price"]


@pytest.mark.parametrize(
    ("provider", "shape", "told"),
    [
        ("vllm", "think tags", "inline, between <think> tags"),
        ("vllm", "think tag from the template", "inline, before a lone </think>"),
        ("vllm", "reasoning_content", "returned separately"),
        ("ollama", "reasoning", "returned separately"),
        ("openai chat", "usage with details", "hidden: it is paid for, not returned, 6 tokens"),
        ("openai responses", "summary", "as a summary"),
        ("anthropic", "thinking", "returned separately"),
        ("anthropic", "redacted thinking", "hidden"),
        ("google", "thought", "returned separately"),
    ],
)
def test_it_tells_how_reasoning_comes_back(provider: str, shape: str, told: str, server: ProviderServer) -> None:
    answer_well(server, provider, shape)
    findings = found(server.model(provider), PROVIDERS[provider][0])
    assert told in findings["reasoning"].detail
    assert findings["text"].state == findings["pictures"].state == "works"


def test_it_says_what_to_do(server: ProviderServer) -> None:
    def bad(**instead: tuple[int, Body]) -> dict[str, CheckResult]:
        answer_well(server, "ollama", "text", **instead)
        return found(server.model("ollama"), "ollama/qwen3:8b")

    def says(name: str, text: str = "") -> tuple[int, Body]:
        shape = shape_of("ollama", name)
        return shape.status, shape.body(text)

    def error(status: int, message: str) -> tuple[int, Body]:
        return status, {"error": {"message": message, "type": "error", "code": status}}

    blind = bad(picture=says("text", "I can't see any picture."))
    assert (blind["pictures"].state, blind["text"].state) == ("fails", "works")
    assert "I can't see any picture." in blind["pictures"].detail
    assert "Theory of Space in text works" in blind["pictures"].advice
    refused = bad(picture=error(400, "this model is text only"))["pictures"]
    assert "this model is text only" in refused.detail
    assert "takes no pictures" in refused.advice
    assert "ignored" in bad(limit=says("text", "1 2 3 200"))["length limit"].detail
    assert "ends with stop" in bad(limit=says("text", "1 2 3"))["length limit"].detail
    assert "--max-tokens" in bad(text=says("cut while thinking"))["text"].advice
    assert "context" in bad(text=says("context exceeded"))["text"].advice
    assert "filter" in bad(text=says("content filter as an error"))["text"].advice
    assert "OLLAMA_API_KEY" in bad(text=error(401, "no such key"))["text"].advice
    assert "/v1" in bad(text=error(404, "no such model"))["text"].advice
    busy = bad(text=error(429, "too many requests"))["text"]
    assert "429" in busy.detail
    assert "rate limit" in busy.advice
    assert "its own log" in bad(text=error(500, "oh no"))["text"].advice


@pytest.mark.parametrize("provider", ["openai chat", "openai responses", "anthropic", "google"])
def test_a_wrong_key_is_a_refusal(provider: str, server: ProviderServer) -> None:
    error = {"message": "no such key", "type": "authentication_error", "code": 401, "status": "UNAUTHENTICATED"}
    answer_well(server, provider, "text", text=(401, {"type": "error", "error": error}))
    findings = found(server.model(provider), PROVIDERS[provider][0])
    assert "401" in findings["text"].detail
    assert "no such key" in findings["text"].detail
    assert "_API_KEY" in findings["text"].advice


@pytest.mark.parametrize("provider", ["vllm", "openai responses", "anthropic", "google"])
def test_a_refusing_address_is_named_within_seconds(provider: str) -> None:
    with ProviderServer() as gone:
        model, address = gone.model(provider), gone.address
    began = time.monotonic()
    findings = found(model, PROVIDERS[provider][0])
    assert time.monotonic() - began < 5
    assert findings["text"].state == "fails"
    assert address in findings["text"].detail
    assert "--base-url" in findings["text"].advice
    assert list(findings) == ["text"], "nothing more is asked"


def test_a_silent_server_is_given_up(server: ProviderServer) -> None:
    def wait(_: Body) -> tuple[int, Body]:
        time.sleep(1)
        return 500, {}

    server.answer = wait
    assert "no reply within 0" in found(server.model("ollama"), "ollama/x", patience=0.3)["text"].detail


def test_the_command(server: ProviderServer, here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MINE_API_KEY", "none")
    words = ("doctor", "--model", "openai-api/mine/[red]q[/red]", "--base-url", f"{server.address}/v1")
    answer_well(server, "a server of one's own", "think tags")
    run = here(*words)
    assert run.returncode == 0, run.stderr
    assert "openai-api/mine/[red]q[/red] at http://127.0.0.1" in run.stdout, "names are no markup"
    assert re.search(r"reasoning +works +inline", run.stdout)
    answer_well(server, "a server of one's own", picture=(400, {"error": {"message": "[bold]no[/bold] \x1b[31mred"}}))
    run = here(*words)
    assert run.returncode == 0, run.stderr
    assert "[bold]no[/bold]" in run.stdout
    assert "\x1b" not in run.stdout
    assert here(*words, "--pictures", "need").returncode == 1
    before, prices = len(server.asked), tmp_path / "prices.json"
    prices.write_text(json.dumps({words[2]: {"input": 0.5, "output": 2}}))
    run = here(*words, "--pictures", "skip", "--prices", prices)
    assert run.returncode == 0
    assert "US$ 0.5 per million input tokens, 2 output" in run.stdout
    assert len(server.asked) - before == 2
    answer_well(server, "a server of one's own", text=(401, {"error": {"message": "no"}}))
    assert here(*words).returncode == 1


def test_the_page_shows_what_is_printed(server: ProviderServer, here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    page = (Path(__file__).parents[3] / "docs" / "evaluate.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```\n(vllm/.*?)```", page, re.DOTALL)
    answer_well(server, "vllm", "think tags", picture=(400, {"error": {"message": "this model takes no pictures"}}))
    options = ("--set", 'extra_body={"chat_template_kwargs": {"enable_thinking": false}}')
    run = here("doctor", "--model", "vllm/Qwen/Qwen3-8B", "--base-url", f"{server.address}/v1", *options)
    printed = run.stdout.replace(server.address, "http://127.0.0.1:8000")
    printed = re.sub(r"(rate +works +).*", r"\1…", printed)
    printed, block = (re.sub("─+", "─", text) for text in (printed, block))
    assert [line.split() for line in printed.splitlines() if line.strip()] == [
        line.split() for line in block.splitlines() if line.strip()
    ]
    assert server.asked[-1][1]["chat_template_kwargs"] == {"enable_thinking": False}, "the page's option gets there"
    chat, *others = (len(PROVIDERS[name][2]) for name in ("ollama", "openai responses", "anthropic", "google"))
    assert f"({chat} of chat completions,\n{min(others)} to {max(others)} of the others)" in page


def test_models_without_a_server(here: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    for agent, told in {"scout": "begins a scene", "constant": "answers questions"}.items():
        run = here("doctor", "--model", f"tolman/{agent}")
        assert run.returncode == 0, run.stderr
        assert told in run.stdout
    for name in ("OPENAI_API_KEY", "AZUREAI_OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    run = here("doctor", "--model", "openai/gpt-5.2")
    assert run.returncode == 1
    assert "OPENAI_API_KEY" in run.stdout
    assert "[bold]" not in run.stdout
    assert here("doctor", "--model", "replay/nothing.eval").returncode == 2
