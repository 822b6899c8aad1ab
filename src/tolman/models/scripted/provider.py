"""`tolman/AGENT`: scripted agents as models of Inspect. Importing this module registers them."""

from functools import partial

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessage,
    ChatMessageAssistant,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.models.handed import HANDED, Handed, HandedAnswers
from tolman.models.scripted.captioned import in_words
from tolman.models.scripted.choose import CHOOSERS, choose
from tolman.models.scripted.conversation import Message
from tolman.models.scripted.reply import check_agent, reply_to

CONNECTIONS = 100
_CHARACTERS_PER_TOKEN = 4
"""A rough measure, so that tables of tokens hold something for agents that have none."""


@modelapi(name="tolman")
class ScriptedAPI(ModelAPI):
    """A scripted agent behind the same door as any model."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        seed: int = 0,
    ) -> None:
        if model_name not in CHOOSERS:
            check_agent(model_name)
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        self._seed = seed
        self._one_at_a_time = CapacityLimiter(1)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The agent's reply, worked out in another thread.

        One reply after another: what one has worked out about a conversation, the next need not.
        """
        del tools, tool_choice, config
        messages = [(message.role, in_words(message)) for message in input]
        handed = HANDED.get()
        if isinstance(handed, HandedAnswers):
            return _output(self.model_name, messages, choose(self.model_name, handed, self._seed))
        world = handed if isinstance(handed, Handed) else None
        work = partial(reply_to, self.model_name, messages, world, self._seed)
        return _output(self.model_name, messages, await run_sync(work, limiter=self._one_at_a_time))

    def max_connections(self) -> int:
        """Nobody minds how often a script is asked."""
        return CONNECTIONS


def _output(model: str, messages: list[Message], reply: str) -> ModelOutput:
    said = ChatMessageAssistant(content=reply, model=model, source="generate")
    read, written = sum(_tokens(text) for _, text in messages), _tokens(reply)
    usage = ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
    return ModelOutput(model=model, choices=[ChatCompletionChoice(message=said, stop_reason="stop")], usage=usage)


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)
