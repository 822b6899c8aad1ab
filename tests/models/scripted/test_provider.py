"""Scripted agents behind Inspect's door."""

import asyncio

import pytest
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser, ModelOutput, get_model

from tests.models.scripted.conversations import ACT, begin
from tolman.core.errors import UnknownNameError
from tolman.models.call_context import CALL_CONTEXT, SceneCallContext
from tolman.models.scripted import provider
from tolman.models.scripted.reply import AGENTS, NOT_UNDERSTOOD, reply_to
from tolman.world import generate

pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter is deprecated:DeprecationWarning")
SCENE = generate(0)
SAID = begin("scout", SCENE).messages("Replies left: 20.", ACT)


async def ask(agent: str, context: SceneCallContext | None = None) -> ModelOutput:
    CALL_CONTEXT.set(context)
    messages: list[ChatMessage] = [ChatMessageSystem(content=SAID[0][1]), ChatMessageUser(content=SAID[1][1])]
    return await get_model(f"tolman/{agent}").generate(messages)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_model_says_what_the_agent_says(agent: str):
    context = SceneCallContext("explore/1", "0", SCENE)
    output = asyncio.run(ask(agent, context))
    assert output.completion == reply_to(agent, SAID, context)
    assert output.stop_reason == "stop"
    assert output.usage is not None
    assert output.usage.input_tokens > 100
    assert output.usage.output_tokens > 0


def test_only_the_oracle_needs_to_be_handed_the_world():
    assert NOT_UNDERSTOOD in asyncio.run(ask("oracle")).completion
    assert NOT_UNDERSTOOD not in asyncio.run(ask("planner")).completion


def test_many_may_ask_at_once():
    async def crowd() -> list[ModelOutput]:
        return await asyncio.gather(*(ask("scout") for _ in range(20)))

    assert len({output.completion for output in asyncio.run(crowd())}) == 1


def test_an_unknown_name_is_refused_with_those_there_are():
    with pytest.raises(UnknownNameError, match="strategist"):
        provider.ScriptedAPI("local")
