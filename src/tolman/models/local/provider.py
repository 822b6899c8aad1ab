"""`local/smollm2` and `local/PATH.gguf`: models in this process. Importing this module registers the provider."""

from functools import partial

from anyio import CapacityLimiter
from anyio.to_thread import run_sync
from inspect_ai.model import ChatMessage, GenerateConfig, ModelAPI, ModelOutput, modelapi
from inspect_ai.tool import ToolChoice, ToolInfo

from tolman.models.local.chat import MAX_TOKENS, chat_request, model_output
from tolman.models.local.engine import LocalModelError, Request, bindings, load
from tolman.models.local.weights import find_weights

CONTEXT = 8192
"""Tokens of prompt and reply together: all that SmolLM2 was trained on. Other models may be given more, for memory."""


@modelapi(name="local")
class LocalAPI(ModelAPI):
    """A language model on this machine. What is missing is said at once; the model is loaded when it is first asked."""

    def __init__(
        self,
        model_name: str,
        base_url: str | None = None,
        api_key: str | None = None,
        config: GenerateConfig | None = None,
        context: int = CONTEXT,
        threads: int | None = None,
    ) -> None:
        super().__init__(model_name, base_url, api_key, [], config or GenerateConfig())
        bindings()
        self._gguf = find_weights(model_name)
        self._context, self._threads = context, threads
        self._one_at_a_time = CapacityLimiter(1)

    async def generate(
        self, input: list[ChatMessage], tools: list[ToolInfo], tool_choice: ToolChoice, config: GenerateConfig
    ) -> ModelOutput:
        """The model's reply, worked out in another thread while the rest of the evaluation goes on."""
        del tool_choice
        if tools:
            raise LocalModelError("local models are not given tools here: use a task without, or another provider")
        request = chat_request(input, config)
        return await run_sync(partial(self._reply, request), limiter=self._one_at_a_time)

    def _reply(self, request: Request) -> ModelOutput:
        answer = load(self._gguf, self._context, self._threads).answer(request)
        return model_output(self.model_name, request, answer)

    def max_tokens(self) -> int:
        return MAX_TOKENS

    def max_connections(self) -> int:
        """One: a reply uses all cores, and in the order of a scene's calls most of a prompt has been read before.

        Measured by `benchmarks/prefix_reuse.py`; taking the longest shared beginning first computes more.
        """
        return 1

    def collapse_user_messages(self) -> bool:
        """Many models' templates want user and assistant in turn."""
        return True

    def collapse_assistant_messages(self) -> bool:
        return True
