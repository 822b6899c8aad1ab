"""Inspect's messages and settings reach llama.cpp, and its replies come back as Inspect knows them."""

import pytest
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentImage,
    ContentText,
    GenerateConfig,
    StopReason,
)

from tolman.models.local.llama_cpp import LocalModelError
from tolman.models.local.provider import chat_request, model_output

TALK: list[ChatMessage] = [
    ChatMessageSystem(content="You explore."),
    ChatMessageUser(content=[ContentText(text="You see a lamp.")]),
    ChatMessageAssistant(content="Observe()"),
]


def reply(finish: str, tokens: int, **said: str) -> dict[str, object]:
    usage = {"prompt_tokens": 50, "completion_tokens": tokens, "prompt_tokens_details": {"cached_tokens": 40}}
    return {"choices": [{"finish_reason": finish, "message": {"role": "assistant", **said}}], "usage": usage}


def test_a_request_holds_the_talk_and_repeats_by_default():
    request = chat_request(TALK, GenerateConfig())
    assert request == {
        "messages": [
            {"role": "system", "content": "You explore."},
            {"role": "user", "content": "You see a lamp."},
            {"role": "assistant", "content": "Observe()"},
        ],
        "max_tokens": 256,
        "seed": 0,
        "cache_prompt": True,
    }


def test_settings_are_passed_on():
    config = GenerateConfig(temperature=0.0, top_p=0.5, max_tokens=7, seed=3, stop_seqs=["\n"])
    request = chat_request(TALK, config)
    expected = {"temperature": 0.0, "top_p": 0.5, "max_tokens": 7, "seed": 3, "stop": ["\n"]}
    assert {name: request[name] for name in expected} == expected


def test_pictures_are_refused_not_dropped():
    picture = ContentImage(image="data:image/png;base64,AAAA")
    with pytest.raises(LocalModelError, match="text only"):
        chat_request([ChatMessageUser(content=[picture])], GenerateConfig())


@pytest.mark.parametrize(
    ("finish", "tokens", "reason"), [("stop", 3, "stop"), ("length", 256, "max_tokens"), ("length", 9, "model_length")]
)
def test_replies_say_why_they_ended(finish: str, tokens: int, reason: StopReason):
    output = model_output("smollm2", {"max_tokens": 256}, reply(finish, tokens, content="north"))
    assert output.completion == "north"
    assert output.stop_reason == reason


def test_tokens_are_counted_as_inspect_counts_them():
    output = model_output("smollm2", {"max_tokens": 256}, reply("stop", 3, content="north"))
    assert output.usage
    assert (output.usage.input_tokens, output.usage.input_tokens_cache_read) == (10, 40)
    assert (output.usage.output_tokens, output.usage.total_tokens) == (3, 53)


def test_thoughts_are_kept_apart_from_the_reply():
    output = model_output("own", {"max_tokens": 256}, reply("stop", 3, content="north", reasoning_content="Hm."))
    assert output.completion == "north"


def test_a_prompt_that_does_not_fit_gets_an_empty_reply():
    error = {"code": 400, "type": "exceed_context_size_error", "message": "too long", "n_prompt_tokens": 9031}
    output = model_output("smollm2", {"max_tokens": 256}, {"error": error})
    assert (output.completion, output.stop_reason, output.input_context_tokens) == ("", "model_length", 9031)


def test_other_errors_are_told():
    with pytest.raises(LocalModelError, match="roles must alternate"):
        model_output("own", {"max_tokens": 256}, {"error": {"code": 500, "message": "roles must alternate"}})
