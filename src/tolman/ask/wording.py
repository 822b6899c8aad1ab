"""The words of questions: one text file for each kind, with `$name` where a part of the question goes."""

from functools import cache
from importlib.resources import files
from string import Template


@cache
def _template(kind: str) -> Template:
    return Template((files("tolman.ask") / "wordings" / f"{kind}.txt").read_text(encoding="utf-8").strip())


def word(kind: str, **parts: object) -> str:
    """The text of a question. Parts are put in as they are: a name that looks like a placeholder stays as it is."""
    return _template(kind).safe_substitute({name: str(part) for name, part in parts.items()})
