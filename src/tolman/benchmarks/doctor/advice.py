"""What to do about a model that does not work as it should."""

from collections.abc import Sequence

from tolman.benchmarks.model_reply import ModelReply
from tolman.benchmarks.server_health import status_of

_BY_STATUS = {
    400: "the server dislikes the request: what it says names the option; leave it out, or set it with --set or -M",
    402: "the account is out of credit",
    404: "check the model's name and --base-url; addresses of OpenAI's kind end with /v1",
    405: "check --base-url; addresses of OpenAI's kind end with /v1",
    408: "the server is slow: give it more --patience",
    413: "the request is too large for the server",
    429: "over the rate limit, or out of credit: wait, then run with fewer --max-connections",
}


def advice_on(error: BaseException | None, keys: Sequence[str]) -> str:
    """What to do about a call that ended in an error. `keys` are the variables that may hold the provider's key."""
    status = None if error is None else status_of(error)
    if status in (401, 403):
        return f"check the key: {' or '.join(keys) if keys else 'the provider refuses it'}"
    if status is not None:
        usual = "the server fails; its own log says why" if status >= 500 else _BY_STATUS[400]
        return _BY_STATUS.get(status, usual)
    if isinstance(error, TimeoutError):
        return "the server is slow, or not there: check --base-url, or give it more --patience"
    return "check that the server runs, and that --base-url is its address"


def on_text(reply: ModelReply) -> str:
    """What to do about a reply without words."""
    if reply.stop == "max_tokens":
        return "all tokens went into reasoning: give a higher --max-tokens, or a lower --reasoning-effort"
    if reply.stop == "model_length":
        return "the server has too little room: serve the model with a longer context, or lower --max-tokens"
    if reply.stop == "content_filter":
        return "a filter of the provider stands in the way: turn it down, or choose another model"
    if reply.reasoning:
        return "the whole reply came as reasoning: check the server's reasoning parser and chat template"
    return "check the model's chat template, and whether it is an instruction-tuned model"


def on_pictures(*, seen: bool) -> str:
    """What to do about pictures that are refused, or accepted and not `seen` for what they show."""
    why = "the model does not see what it is sent" if seen else "the model, or its server, takes no pictures"
    return f"{why}: Theory of Space in text works without; --world vision, osr-bench and sparrta need pictures"
