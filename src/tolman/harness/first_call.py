"""One small call before a run, so that a server that refuses is known within seconds, and not after minutes."""

from collections.abc import Callable

import anyio
from inspect_ai.model import GenerateConfig, Model

from tolman.core.errors import ServerError
from tolman.harness.server_health import HEALTH, begin_call, checked, is_refusal, reason_of
from tolman.models.human import HUMAN, HUMAN_WITH_TOOLS
from tolman.models.response_repair import repair_responses

_ASK = "Reply with the single word: ready"
_LONGEST = 30.0
"""Seconds that are waited for the reply. One that thinks longer is not dead."""
_NO_SERVER = (
    *("tolman", "replay", "local", HUMAN, HUMAN_WITH_TOOLS),
    *("mockmodel", "none", "hf", "transformer_lens", "nnterp"),
)
_STARTED_BY_INSPECT = ("vllm", "sglang")


def first_call(name: str, model: Callable[[], Model], base_url: str | None, tell: Callable[[str], None]) -> None:
    """Ask a model behind a server for one word. A `ServerError` says which address refused, with what.

    One that is busy, or slow, may get better: it is told of, and the run begins. The model is made for this call alone,
    since its connections can't be used again in another event loop.
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
            with anyio.move_on_after(_LONGEST) as waiting:
                await checked(model).generate(_ASK, config=GenerateConfig(max_retries=0, batch=False))
        except Exception as error:  # whatever a provider raises
            reason = reason_of(error, address)
            if is_refusal(error):
                raise ServerError(f"the model's server refuses: {reason}") from None
            tell(f"the first call was not answered: {reason}; going on, for it may get better")
            HEALTH.begin(HEALTH.give_up_after, tell)
            return
    if waiting.cancelled_caught:
        tell(f"{address} has not answered the first call within {_LONGEST:.0f} s; going on")
