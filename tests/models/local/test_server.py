"""The same weights behind xllamacpp's OpenAI-compatible server, reached by Inspect's own provider."""

import asyncio
import secrets
from collections.abc import Generator
from importlib.util import find_spec

import pytest
from inspect_ai.model import ChatMessageUser, GenerateConfig, Model, get_model

from tolman.core.files import cache_folder
from tolman.core.package_archive import in_cache
from tolman.models.local.llama_cpp import SMOLLM2, bindings

HISTORY = "You stand in a room. " + "To the north there is a lamp, and to the east there is a sofa. " * 10


@pytest.fixture
def served() -> Generator[Model]:
    gguf = in_cache(SMOLLM2, cache_folder())
    if find_spec("xllamacpp") is None or gguf is None:
        pytest.skip("needs xllamacpp and the weights of smollm2")
    settings = bindings().CommonParams()
    settings.model.path, settings.n_ctx, settings.n_parallel = str(gguf), 2048, 1
    settings.port, settings.verbosity = 0, -1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.api_keys = [key := secrets.token_urlsafe()]
    server = bindings().Server(settings)
    yield get_model("openai-api/own/smollm2", base_url=f"{server.listening_address}/v1", api_key=key)
    del server  # it ends with its last reference


@pytest.mark.slow
def test_a_served_model_counts_what_it_did_not_read_again(served: Model):
    async def ask(question: str):
        messages = [ChatMessageUser(content=f"{HISTORY} {question}")]
        return await served.generate(list(messages), config=GenerateConfig(max_tokens=16, temperature=0))

    async def both():
        return await ask("Where is the lamp?"), await ask("What is to the east?")

    first, second = asyncio.run(both())
    assert first.completion
    assert second.usage
    assert (second.usage.input_tokens_cache_read or 0) > 100
    assert second.usage.input_tokens < 30
