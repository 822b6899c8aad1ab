"""What a model said and what it thought, whichever way its provider tells them apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from inspect_ai.model import ContentReasoning, ContentText, ModelOutput

from tolman.reading import split_thoughts

NOT_ANSWERED = ("content_filter", "model_length")
"""Ends of replies that may come from an error: then the text is what the provider complains of."""
_PLACEHOLDERS = {
    "stop": "(no content)",
    "content_filter": "BLOCKED: ",
    "unknown": "\nI seem to have had trouble calling a function",
}
"""By the end of a reply, how the text begins that Inspect puts in the place of one that holds none."""


@dataclass(frozen=True)
class ModelReply:
    """One reply."""

    text: str
    """What is graded: nothing that the model only thought, and nothing that a provider says in its place."""
    reasoning: str = ""
    stop: str = "stop"
    """Why it ended, in Inspect's words; a refusal is `content_filter`, whether the model or its provider refuses."""


def reply_of(output: ModelOutput) -> ModelReply:
    """The reply that an output holds."""
    content, stop = output.message.content, output.stop_reason
    parts = [ContentText(text=content)] if isinstance(content, str) else content
    thoughts = [_thought(part) for part in parts if isinstance(part, ContentReasoning)]
    said, inline = split_thoughts(_joined(parts))
    if any(isinstance(part, ContentText) and part.refusal for part in parts):
        stop = "content_filter"
    if _in_its_place(output, said):
        said = ""
    return ModelReply(said, "\n\n".join(filter(None, [*thoughts, inline])), stop)


def _thought(part: ContentReasoning) -> str:
    return (part.summary or "") if part.redacted else (part.reasoning or part.summary or "")


def _joined(parts: Sequence[object]) -> str:
    """Neighbouring texts are one text that was cut anywhere; others stand on lines of their own."""
    texts = [""]
    for part in parts:
        if isinstance(part, ContentText):
            texts[-1] += part.text
        elif texts[-1]:
            texts.append("")
    return "\n".join(filter(None, texts))


def _in_its_place(output: ModelOutput, said: str) -> bool:
    """Whether these are the words of Inspect or of a provider's error, not of the model."""
    if output.stop_reason in NOT_ANSWERED and output.usage is None and output.response_id is None:
        return True
    placeholder = _PLACEHOLDERS.get(output.stop_reason)
    return placeholder is not None and said.startswith(placeholder)
