"""Candidates as Google's Gemini sends them."""

from typing import Any

from tests.harness.provider_servers.reply import THOUGHT, Body, Shape, without


def gemini(parts: list[Body] | None, stop: str | None = "STOP", **fields: Any) -> Body:
    """One candidate with parts."""
    content = {} if parts is None else {"content": {"role": "model", "parts": parts}}
    candidate = {**content, "index": 0, **({} if stop is None else {"finishReason": stop})}
    usage = {"promptTokenCount": 12, "candidatesTokenCount": 5, "totalTokenCount": 17}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m", "responseId": "r1", **fields}


_THOUGHT_PART = {"text": THOUGHT, "thought": True}
GOOGLE = (
    Shape("text", lambda text: gemini([{"text": text}])),
    Shape("two parts", lambda text: gemini([{"text": text[:5]}, {"text": text[5:]}])),
    Shape("thought", lambda text: gemini([_THOUGHT_PART, {"text": text}]), thinks=True),
    Shape("thought signature", lambda text: gemini([{"text": text, "thoughtSignature": "aGVsbG8="}])),
    Shape(
        "thought counted apart",
        lambda text: gemini(
            [_THOUGHT_PART, {"text": text}],
            usageMetadata={
                "promptTokenCount": 12,
                "candidatesTokenCount": 5,
                "thoughtsTokenCount": 7,
                "totalTokenCount": 24,
            },
        ),
        thinks=True,
    ),
    Shape("no parts", lambda _: gemini([]), "nothing"),
    Shape("no content", lambda _: gemini(None), "nothing"),
    Shape(
        "content without parts",
        lambda _: {"candidates": [{"content": {"role": "model"}, "finishReason": "STOP"}]},
        "nothing",
    ),
    Shape("empty", lambda _: gemini([{"text": ""}]), "nothing"),
    Shape("no candidates", lambda _: {"usageMetadata": {"promptTokenCount": 12}, "modelVersion": "m"}, "nothing"),
    Shape("safety", lambda _: gemini(None, "SAFETY", safetyRatings=None), "nothing", "content_filter"),
    Shape("recitation", lambda _: gemini(None, "RECITATION"), "nothing", "content_filter"),
    Shape(
        "blocked",
        lambda _: {"promptFeedback": {"blockReason": "SAFETY", "safetyRatings": []}, "modelVersion": "m"},
        "nothing",
        "content_filter",
    ),
    Shape(
        "tool call",
        lambda _: gemini([{"functionCall": {"name": "move", "args": {"to": "east"}}}]),
        "nothing",
    ),
    Shape("broken tool call", lambda _: gemini(None, "MALFORMED_FUNCTION_CALL"), "nothing", "unknown"),
    Shape("length", lambda text: gemini([{"text": text}], "MAX_TOKENS"), stop="max_tokens"),
    Shape("cut while thinking", lambda _: gemini(None, "MAX_TOKENS"), "nothing", "max_tokens"),
    Shape("an unknown end", lambda text: gemini([{"text": text}], "OTHER"), stop="unknown"),
    Shape("no end", lambda text: gemini([{"text": text}], None)),
    Shape("no usage", lambda text: without(gemini([{"text": text}]), "usageMetadata")),
    Shape("half of the usage", lambda text: gemini([{"text": text}], usageMetadata={"promptTokenCount": 12})),
)
