"""What models charge: a file `{"openai/gpt-5.2": {"input": 1.25, "output": 10}}`, US dollars for a million tokens.

Prices change, so none come along. Tokens read from or written to a provider's cache cost as much as others unless the
file says otherwise (`input_cache_read`, `input_cache_write`).
"""

from pathlib import Path

import yaml
from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info
from pydantic import BaseModel, ConfigDict, NonNegativeFloat, TypeAdapter, ValidationError

from tolman.errors import SettingsError


class Price(BaseModel):
    """US dollars for a million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: NonNegativeFloat
    output: NonNegativeFloat
    input_cache_read: NonNegativeFloat | None = None
    input_cache_write: NonNegativeFloat | None = None


_PRICES = TypeAdapter(dict[str, Price])


def read_prices(file: Path) -> dict[str, Price]:
    """Prices by model from a JSON or YAML file."""
    try:
        return _PRICES.validate_python(yaml.safe_load(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise SettingsError(f"{file} can't be read: {error.strerror}") from None
    except (ValidationError, yaml.YAMLError, UnicodeDecodeError):
        example = '{"openai/gpt-5.2": {"input": 1.25, "output": 10}}'
        raise SettingsError(f"{file} is not a list of prices; write, for example, {example}") from None


def set_price(model: str, file: Path | None, *, needed: bool) -> None:
    """Tell Inspect what a model charges. `needed`: a limit makes no sense without a price."""
    if file is None and not needed:
        return
    prices = {} if file is None else read_prices(file)
    price = prices.get(model)
    if price is None:
        known = get_model_info(model)
        if needed and (known is None or known.cost is None):
            raise SettingsError(f"a limit of cost needs the price of {model}: name a file that has it with --prices")
        return
    read = price.input if price.input_cache_read is None else price.input_cache_read
    write = price.input if price.input_cache_write is None else price.input_cache_write
    cost = ModelCost(input=price.input, output=price.output, input_cache_write=write, input_cache_read=read)
    info = get_model_info(model) or ModelInfo()
    set_model_info(model, info.model_copy(update={"cost": cost}))
