"""Every shape in which a provider sends a reply comes through Inspect's own provider as one reply on record, and from
there through the three benchmarks: nothing is lost, and what can't be parsed is graded as that."""

import asyncio
import json
import threading
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any, cast

import pytest
from inspect_ai.log import read_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.benchmarks.sparrta.painted_scenes import painted
from tests.harness.provider_servers.reply import THOUGHT, Body, Shape
from tests.harness.provider_servers.server import PROVIDERS, ProviderServer
from tolman.benchmarks.osr_bench.task import osr_bench
from tolman.benchmarks.sparrta.task import sparrta
from tolman.benchmarks.theory_of_space.task import theory_of_space
from tolman.harness.evaluation import RunPlan, evaluate
from tolman.harness.model_calls import ModelCalls
from tolman.harness.records import Call
from tolman.models.call_context import CallContext
from tolman.models.response_repair import repaired_body

pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")  # Google's
TEXT = "THINK: two doors.\nFINAL ANSWER: west"
MESSAGES = [
    ChatMessageSystem(content="You explore."),
    ChatMessageUser(content="Where is it?"),
    ChatMessageAssistant(content=""),  # what an empty reply leaves in a conversation
    ChatMessageUser(content="Once more: where is it?"),
]
SAID = 'THINK: it is there.\nFINAL ANSWER: left\nActions: [Observe()]\n```json\n{"table": [[4, 4]]}\n```'
"""Something that each benchmark can parse something of."""
REFUSAL = "I can't help with that."
MORE = ("vllm", "openai chat", "openai responses", "anthropic", "llama.cpp", "ollama")
"""Providers that the benchmarks are run with where there is time."""


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        yield running


async def replies(server: ProviderServer, provider: str, shapes: tuple[Shape, ...]) -> list[Call]:
    model = server.model(provider)
    calls = ModelCalls(model, {"options": "0", "scene": "0"}, resume=False)
    for shape in shapes:
        server.say(shape, TEXT)
        before = len(server.asked)
        await calls.send(list(MESSAGES), CallContext(shape.name, "0"))
        assert len(server.asked) - before == (3 if (provider, shape.name) == ("google", "broken tool call") else 1), (
            shape.name
        )
    await model.api.aclose()
    return calls.calls


@pytest.mark.parametrize("provider", PROVIDERS)
def test_every_shape_is_one_reply(provider: str, server: ProviderServer) -> None:
    shapes = PROVIDERS[provider][2]
    for shape, call in zip(shapes, asyncio.run(replies(server, provider, shapes)), strict=True):
        assert call.name == shape.name
        assert call.stop == shape.stop, shape.name
        if shape.says != "something else":
            assert call.reply == (TEXT if shape.says == "the text" else ""), shape.name
        assert THOUGHT not in call.reply, shape.name
        assert (THOUGHT in call.reasoning) == shape.thinks, shape.name
        assert call.input_tokens in (0, 12, 36), shape.name
        assert call.output_tokens >= 0, shape.name


def test_what_is_right_already_stays_as_it_is() -> None:
    plain = next(shape for shape in PROVIDERS["openai chat"][2] if shape.name == "text").body(TEXT)
    assert repaired_body(plain) == plain
    strange: list[Body] = [{"choices": None}, {"choices": [None, {}]}, {"error": "gone"}, {"usage": 3, "choices": []}]
    assert [repaired_body(body)["choices"] for body in strange if "choices" in body] == [None, [None, {}], []]


@pytest.mark.parametrize(
    "provider",
    ["google", *(pytest.param(each, marks=pytest.mark.slow) for each in MORE)],
)
def test_no_shape_loses_a_scene(provider: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    for name in ("OPENAI", "ANTHROPIC", "GOOGLE"):
        monkeypatch.setenv(f"{name}_API_KEY", "none")
    model, below, shapes = PROVIDERS[provider]
    turn, lock, sent = cycle(shapes), threading.Lock(), set[str]()

    def answer(body: Body) -> tuple[int, Body]:
        if isinstance(body.get("input"), str) or "the single word" in json.dumps(body):  # before the run
            return 200, shapes[0].body("ready")
        with lock:
            shape = next(turn)
            sent.add(shape.name)
        return shape.status, shape.body(SAID)

    tasks = [
        theory_of_space(scenes="0-1", rooms=2, things=2, questions=1, budget=3, revise_budget=2, resume=True),
        osr_bench(data=str(write_set(tmp_path / "rooms", each=1)), width=64, resume=True),
        sparrta(data=str(painted(tmp_path / "pictures", 4)), size=32, resume=True),
    ]
    with ProviderServer() as server:
        server.answer = answer
        outcome = evaluate(tasks, RunPlan(model, tmp_path / "logs", base_url=server.address + below, display="none"))
    assert outcome.complete, outcome.reasons
    assert sent == {shape.name for shape in shapes}
    assert len(outcome.logs) == len(tasks)
    for log in outcome.logs:
        for sample in read_eval_log(log.location).samples or ():
            assert sample.error is None
            calls = [Call(**call) for call in json.loads(sample.store["tolman"])["calls"]]
            assert {call.reply for call in calls} <= {SAID, "", REFUSAL}
            assert not any(THOUGHT in call.reply for call in calls)
            scores = cast("dict[str, Any]", (sample.scores or {}).popitem()[1].value)
            assert scores, "what can't be parsed is graded too"
