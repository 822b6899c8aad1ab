"""`tolman/AGENT`: scripted agents as Inspect models, which read the captions of images. Importing this module registers
them.
"""

import base64
import binascii
from functools import lru_cache, partial
from typing import cast, get_args

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from inspect_ai.model import (
    ChatMessage,
    ContentImage,
    ContentText,
    GenerateConfig,
    ModelAPI,
    ModelOutput,
    ModelUsage,
    modelapi,
)
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.core.errors import UnknownNameError
from tolman.explore.agents.registry import check_horizon
from tolman.ideal.observer import ObserverName
from tolman.models.call_context import CALL_CONTEXT, AnswerCallContext, SceneCallContext
from tolman.models.scripted.conversation_parsing import RoleText
from tolman.models.scripted.reply import ANSWER_AGENTS, IDEAL_EXPLORER, check_agent, reference_reply, reply_to
from tolman.models.scripted.uncertain_replies import is_ideal
from tolman.render.renderer import read_caption


def message_text(message: ChatMessage) -> str:
    """The text of a message, with the caption of each image, if any, in its place."""
    if isinstance(message.content, str):
        return message.content
    parts = (
        part.text if isinstance(part, ContentText) else _caption(part.image)
        for part in message.content
        if isinstance(part, ContentText | ContentImage)
    )
    return "\n".join(filter(None, parts))


@lru_cache(maxsize=256)
def _caption(url: str) -> str:
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:image/png;base64"):
        return ""
    try:
        return read_caption(base64.b64decode(data, validate=True))
    except binascii.Error:
        return ""


CONNECTIONS = 100
_CHARACTERS_PER_TOKEN = 4
"""An estimate, so that token tables have values for scripted agents."""


@modelapi(name="tolman")
class ScriptedAPI(ModelAPI):
    """A scripted agent behind the same interface as any model."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        seed: int = 0,
        observer: str = "",
        horizon: int | None = None,
    ) -> None:
        if model_name not in ANSWER_AGENTS:
            check_agent(model_name)
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        if observer and observer not in get_args(ObserverName):
            known = " or ".join(get_args(ObserverName))
            raise UnknownNameError(f"there is no ideal observer {observer!r}; write -M observer={known}")
        check_horizon(IDEAL_EXPLORER if is_ideal(model_name) else model_name, horizon)
        self._seed, self._horizon = seed, horizon
        self._observer: ObserverName | None = cast("ObserverName", observer) if observer else None
        self._one_at_a_time = CapacityLimiter(1)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The agent's reply, computed in another thread, one at a time, so that cached conversations are reused."""
        del tools, tool_choice, config
        messages = [(message.role, message_text(message)) for message in input]
        context = CALL_CONTEXT.get()
        if isinstance(context, AnswerCallContext):
            return _output(self.model_name, messages, reference_reply(self.model_name, context, self._seed))
        world = context if isinstance(context, SceneCallContext) else None
        work = partial(reply_to, self.model_name, messages, world, self._seed, self._observer, self._horizon)
        return _output(self.model_name, messages, await run_sync(work, limiter=self._one_at_a_time))

    def max_connections(self) -> int:
        """A nominal limit: scripted agents have none."""
        return CONNECTIONS


def _output(model: str, messages: list[RoleText], reply: str) -> ModelOutput:
    output = ModelOutput.from_content(model, reply)
    read, written = sum(_tokens(text) for _, text in messages), _tokens(reply)
    output.usage = ModelUsage(input_tokens=read, output_tokens=written, total_tokens=read + written)
    return output


def _tokens(text: str) -> int:
    return -(-len(text) // _CHARACTERS_PER_TOKEN)
