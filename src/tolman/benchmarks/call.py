"""One reply of a model, as every record keeps it."""

from pydantic import BaseModel, ConfigDict


class Call(BaseModel):
    """One reply of a model. `stop` tells why it ended: `stop`, `max_tokens`, `content_filter`, ..."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    reply: str
    stop: str = "stop"
    input_tokens: int = 0
    output_tokens: int = 0
    """Reasoning included."""
    reasoning: str = ""
    """What the model thought before its reply, as far as its provider tells. Kept to be read, never graded."""
    reasoning_tokens: int = 0
    """As far as the provider counts them."""
    cost: float | None = None
    """US dollars, where the price is known."""
