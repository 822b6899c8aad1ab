"""Every shape in which a provider sends a reply comes through Inspect's own provider as one reply on record."""

import asyncio
from collections.abc import Iterator

import pytest
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser

from tests.providers.server import PROVIDERS, ProviderServer
from tests.providers.shapes import THOUGHT, Body, Shape
from tolman.benchmarks.call import Call
from tolman.benchmarks.model_calls import ModelCalls
from tolman.models.chat_bodies import mended
from tolman.models.handed import Circumstances

pytestmark = pytest.mark.filterwarnings("ignore:Inheritance class AiohttpClientSession:DeprecationWarning")  # Google's
TEXT = "THINK: two doors.\nFINAL ANSWER: west"
MESSAGES = [
    ChatMessageSystem(content="You explore."),
    ChatMessageUser(content="Where is it?"),
    ChatMessageAssistant(content=""),  # what an empty reply leaves in a conversation
    ChatMessageUser(content="Once more: where is it?"),
]


@pytest.fixture(scope="module")
def server() -> Iterator[ProviderServer]:
    with ProviderServer() as running:
        yield running


async def replies(server: ProviderServer, provider: str, shapes: tuple[Shape, ...]) -> list[Call]:
    model = server.model(provider)
    calls = ModelCalls(model, {"scene": "0"}, resume=False)
    for shape in shapes:
        server.say(shape, TEXT)
        before = len(server.asked)
        await calls.send(list(MESSAGES), Circumstances(shape.name, "0"))
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
    assert mended(plain) == plain
    strange: list[Body] = [{"choices": None}, {"choices": [None, {}]}, {"error": "gone"}, {"usage": 3, "choices": []}]
    assert [mended(body)["choices"] for body in strange if "choices" in body] == [None, [None, {}], []]
