"""JSON that is nearly JSON: trailing commas, comments, single quotes, pairs in round brackets, words of Python."""

import json
import re
from typing import cast

LONGEST = 40_000
"""Characters of a text that is repaired; longer ones must be right as they are."""
_TOKEN = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\\\n]|\\.)*+'|//[^\n]*+|\#[^\n]*+|/\*|\+(?=\.?\d)|\b(?:None|True|False)\b"
    r"|[()]|[^\"'/#+()NTF]++|[/NTF]",
    re.DOTALL,
)
_TRAILING = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|,(?=\s*+[}\]])")
_PYTHON = {"None": "null", "True": "true", "False": "false", "(": "[", ")": "]", "+": ""}
_ESCAPED = re.compile(r"\\.|\"", re.DOTALL)


def load_json(text: str) -> object:
    """The value of a JSON text; None for anything else (and for `null`)."""
    try:
        return cast("object", json.loads(text))
    except (ValueError, RecursionError):
        return None


def repair_json(text: str) -> str | None:
    """The text as JSON, where only small things were wrong with it; None where it can't be told what was meant."""
    parts: list[str] = []
    place = 0
    while place < len(text) <= LONGEST:
        token = _TOKEN.match(text, place)
        if token is None:
            return None
        found, place = token[0], token.end()
        if found == "/*":
            end = text.find("*/", place)
            if end < 0:
                return None
            place = end + 2
        elif found[0] == "'":
            parts.append(f'"{_ESCAPED.sub(_requoted, found[1:-1])}"')
        elif found[0] != "#" and found[:2] != "//":
            parts.append(_PYTHON.get(found, found))
    joined = "".join(parts)
    return _TRAILING.sub(lambda match: match[0] if match[0] != "," else "", joined) if joined else None


def _requoted(match: re.Match[str]) -> str:
    return {'"': '\\"', "\\'": "'"}.get(match[0], match[0])


def load_nearly_json(text: str) -> tuple[object, bool]:
    """The value of a text that is JSON or nearly so (None where it is neither), and whether it had to be repaired."""
    value = load_json(text)
    if value is not None:
        return value, False
    repaired = repair_json(text)
    return (None, False) if repaired is None else (load_json(repaired), True)
