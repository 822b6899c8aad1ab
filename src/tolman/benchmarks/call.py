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
    cost: float | None = None
    """US dollars, where the price is known."""
