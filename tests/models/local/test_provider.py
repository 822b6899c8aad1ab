"""A real model answers in this process. The slow tests need xllamacpp and weights that were fetched before."""

import asyncio
import os
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from inspect_ai.model import ChatMessage, ChatMessageUser, GenerateConfig, Model, ModelOutput, get_model

from tolman.core.files import cache_folder
from tolman.core.package_archive import in_cache
from tolman.models.local import provider
from tolman.models.local.llama_cpp import SMOLLM2, LocalModelError, bindings

pytestmark = pytest.mark.filterwarnings("ignore:The 'initial' parameter:DeprecationWarning")  # Inspect, of tenacity

HISTORY = "You stand in a room. " + "To the north there is a lamp, and to the east there is a sofa. " * 10
SHORT = GenerateConfig(max_tokens=16)


@pytest.fixture
def smollm2() -> Model:
    if find_spec("xllamacpp") is None or in_cache(SMOLLM2, cache_folder()) is None:
        pytest.skip("needs xllamacpp and the weights of smollm2")
    return get_model("local/smollm2")


def ask(model: Model, *texts: str, config: GenerateConfig = SHORT) -> ModelOutput:
    messages: list[ChatMessage] = [ChatMessageUser(content=text) for text in texts]
    return asyncio.run(model.generate(messages, config=config))


def test_without_the_extra_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    before = dict(os.environ)
    bindings.cache_clear()
    with pytest.raises(LocalModelError, match=r"pip install 'tolman\[local\]'"):
        provider.LocalAPI("smollm2")
    assert dict(os.environ) == before


@pytest.mark.slow
def test_a_real_reply_has_its_tokens_counted(smollm2: Model, capfd: pytest.CaptureFixture[str]):
    output = ask(smollm2, "What is 2+2?", config=GenerateConfig(temperature=0))
    assert "4" in output.completion
    assert output.stop_reason == "stop"
    assert output.usage
    assert output.usage.output_tokens > 0
    assert output.input_context_tokens == 37
    assert capfd.readouterr() == ("", "")


@pytest.mark.slow
def test_a_history_is_read_once(smollm2: Model):
    ask(smollm2, HISTORY, "Where is the lamp?")
    output = ask(smollm2, HISTORY, "What is to the east?")
    assert output.usage
    assert (output.usage.input_tokens_cache_read or 0) > 100
    assert output.usage.input_tokens < 20


@pytest.mark.slow
def test_limits_of_length_are_reported(smollm2: Model):
    assert ask(smollm2, "Name three colours.", config=GenerateConfig(max_tokens=4)).stop_reason == "max_tokens"
    long = ask(smollm2, "hello " * 9000)
    assert (long.completion, long.stop_reason) == ("", "model_length")
    assert (long.input_context_tokens or 0) > provider.CONTEXT


@pytest.mark.slow
def test_a_file_that_is_no_model_is_explained(tmp_path: Path):
    pytest.importorskip("xllamacpp")
    own = tmp_path / "own.gguf"
    own.write_bytes(b"not a model")
    with pytest.raises(LocalModelError, match="can't load"):
        ask(get_model(f"local/{own}"), "Hello?")
