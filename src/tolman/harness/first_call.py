"""One small call before a run, so that a server that refuses is reported within seconds instead of minutes."""

from collections.abc import Callable

import anyio
from inspect_ai.model import GenerateConfig, Model

from tolman.core.errors import ServerError
from tolman.harness.server_health import HEALTH, begin_call, checked, is_refusal, reason_of
from tolman.models.human import HUMAN, HUMAN_WITH_TOOLS
from tolman.models.response_repair import repair_responses

_ASK = "Reply with the single word: ready"
_TIMEOUT = 30.0
"""Seconds to wait for the reply. A slower server is not an error."""
_NO_SERVER = (
    *("tolman", "replay", "local", HUMAN, HUMAN_WITH_TOOLS),
    *("mockmodel", "none", "hf", "transformer_lens", "nnterp"),
)
_STARTED_BY_INSPECT = ("vllm", "sglang")


def first_call(name: str, model: Callable[[], Model], base_url: str | None, tell: Callable[[str], None]) -> None:
    """Ask a model behind a server for one word. Raises `ServerError` with the reason if it refuses.

    A busy or slow server may recover: `tell` warns of it, and the run starts. The model is created for this call alone,
    since its connections can't be reused in another event loop.
    """
    provider = name.partition("/")[0]
    if provider in _NO_SERVER or (provider in _STARTED_BY_INSPECT and base_url is None):
        return
    anyio.run(_call, model(), tell)


async def _call(model: Model, tell: Callable[[str], None]) -> None:
    begin_call()
    repair_responses(model)
    address = str(model.api.base_url or model)
    async with model:
        try:
            with anyio.move_on_after(_TIMEOUT) as waiting:
                await checked(model).generate(_ASK, config=GenerateConfig(max_retries=0, batch=False))
        except Exception as error:  # whatever a provider raises
            reason = reason_of(error, address)
            if is_refusal(error):
                raise ServerError(f"the model's server refuses: {reason}") from None
            tell(f"the first call was not answered: {reason}; continuing, as the server may recover")
            HEALTH.begin(HEALTH.give_up_after, tell)
            return
    if waiting.cancelled_caught:
        tell(f"{address} has not answered the first call within {_TIMEOUT:.0f} s; continuing")
