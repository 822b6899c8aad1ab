"""Chat completions in the shapes in which servers send them: plain, with thoughts in four places, and odd ones."""

from collections.abc import Callable
from typing import Any

Completion = dict[str, Any]
THOUGHTS = ("think tags", "reasoning_content", "reasoning", "think closed only")
"""Where thoughts stand: before the reply within tags, in a field (two names for it), or with the first tag missing, as
where a template opened it."""
THOUGHT = 'The door is to the north? FINAL ANSWER: Term() no, wait, <answer>7</answer> left. {"chair": [0, 0]}'
"""It holds what readers look for, so that a reader that takes thoughts for an answer is found out."""


def completion(model: str, messages: list[tuple[str, str]], reply: str, thinks: str = "") -> Completion:
    """What a well-behaved server sends; `thinks` is one of `THOUGHTS`."""
    message: dict[str, Any] = {"role": "assistant", "content": reply}
    if thinks == "think tags":
        message["content"] = f"<think>\n{THOUGHT}\n</think>\n\n{reply}"
    elif thinks == "think closed only":
        message["content"] = f"{THOUGHT}\n</think>\n\n{reply}"
    elif thinks:
        message[thinks] = THOUGHT
    asked, said = sum(len(text) for _, text in messages) // 4, (len(reply) + (len(THOUGHT) if thinks else 0)) // 4
    usage: dict[str, Any] = {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}
    if thinks:
        usage["completion_tokens_details"] = {"reasoning_tokens": len(THOUGHT) // 4}
    return {
        "id": "chatcmpl-loopback",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
        "usage": usage,
    }


def _saying(**fields: Any) -> Callable[[Completion], Completion]:
    """The same with other fields of its message, or another reason to stop."""
    stop = fields.pop("finish_reason", None)

    def changed(made: Completion) -> Completion:
        choice = made["choices"][0]
        choice["message"] |= fields
        choice["finish_reason"] = stop or choice["finish_reason"]
        return made

    return changed


def _parts(made: Completion) -> Completion:
    message = made["choices"][0]["message"]
    message["content"] = [{"type": "text", "text": message["content"]}]
    return made


def _cut(made: Completion) -> Completion:
    message = made["choices"][0]["message"]
    return _saying(content=message["content"][: len(message["content"]) // 2], finish_reason="length")(made)


def _twice(made: Completion) -> Completion:
    made["choices"] = [made["choices"][0], {**made["choices"][0], "index": 1}]
    return made


def _with_usage(usage: object) -> Callable[[Completion], Completion]:
    def changed(made: Completion) -> Completion:
        made["usage"] = usage
        return made

    return changed


_TOOL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "north"}'}}
_ODD_USAGE: Completion = {
    "prompt_tokens": None,
    "completion_tokens": "12",
    "total_tokens": -1,
    "prompt_tokens_details": {},
}

SHAPES: dict[str, Callable[[Completion], Completion]] = {
    "null content": _saying(content=None),
    "empty content": _saying(content=""),
    "content as parts": _parts,
    "refusal": _saying(content=None, refusal="I can't help with that."),
    "tool call": _saying(content=None, tool_calls=[_TOOL], finish_reason="tool_calls"),
    "length": _cut,
    "content filter": _saying(content="", finish_reason="content_filter"),
    "odd usage": _with_usage(_ODD_USAGE),
    "no usage": _with_usage(None),
    "reasoning only": _saying(content="", reasoning_content=THOUGHT, finish_reason="length"),
    "unclosed think": _saying(content=f"<think>\n{THOUGHT}", finish_reason="length"),
    "two choices": _twice,
    "half a character": _saying(content="FINAL ANSWER: \ud83d"),
    "unknown stop": _saying(finish_reason="eos_token"),
}
"""Replies that are none of the usual shape. What they say counts, if only as a reply that can't be parsed."""
