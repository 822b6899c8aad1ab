"""Numbers as JSON can hold them: what is not a number, such as 0/0, is null, and a report goes on."""

import json
import math
from collections.abc import Mapping
from typing import cast


def finite(value: object) -> object:
    """The same value with None in the place of every NaN and infinity, however deep."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: finite(each) for key, each in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in cast("list[object]", value)]
    return value


def json_text(value: object, indent: int | None = None) -> str:
    """JSON that every program reads: no NaN, no infinity, other letters as they are."""
    signs = None if indent else (",", ":")
    return json.dumps(finite(value), indent=indent, separators=signs, ensure_ascii=False, allow_nan=False)
