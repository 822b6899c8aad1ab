"""Text templates that can be filled in and parsed back: one file each, with `$name` for each gap.

The environment's messages and the parsers of scripted agents use the same file, so they can't drift apart. Other
texts can be put in place of ours for a while (`replaced_wordings`); both sides then use those.
"""

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.resources import files
from string import Template

WordingKey = tuple[str, str]
"""Package and name of a wording, which is in `PACKAGE/wordings/NAME.txt`."""


class Wording:
    """One template."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._template = Template(text)
        self._pattern = _pattern_of(text)

    @property
    def gaps(self) -> tuple[str, ...]:
        """Names of the gaps, each once, in the order of the text."""
        return tuple(self._template.get_identifiers())

    def fill(self, **parts: object) -> str:
        """The text with its gaps filled; gaps inside the parts are not."""
        return self._template.substitute({name: str(part) for name, part in parts.items()})

    def read(self, text: str) -> dict[str, str] | None:
        """The parts of the first occurrence of this wording in a text, or None if there is none."""
        found = self._pattern.search(text)
        return None if found is None else found.groupdict()


_REPLACED: ContextVar[Mapping[WordingKey, Wording]] = ContextVar("wordings", default={})  # noqa: B039 is never changed


def wording(package: str, name: str) -> Wording:
    """The wording of a name: the one that replaces ours here, or `PACKAGE/wordings/NAME.txt`."""
    return _REPLACED.get().get((package, name)) or own_wording(package, name)


@cache
def own_wording(package: str, name: str) -> Wording:
    """The wording in `PACKAGE/wordings/NAME.txt`."""
    return Wording((files(package) / "wordings" / f"{name}.txt").read_text(encoding="utf-8").strip())


@contextmanager
def replaced_wordings(texts: Mapping[WordingKey, Wording]) -> Generator[None]:
    """Within this context, and in tasks and threads begun in it, these wordings are used in place of ours."""
    before = _REPLACED.set(texts)
    try:
        yield
    finally:
        _REPLACED.reset(before)


def _pattern_of(text: str) -> re.Pattern[str]:
    """A pattern that matches the filled-in text; all occurrences of a gap must match the same."""
    pieces: list[str] = []
    names: set[str] = set()
    literal_from = 0
    for gap in Template.pattern.finditer(text):
        pieces.append(re.escape(text[literal_from : gap.start()]))
        literal_from = gap.end()
        name = gap["named"] or gap["braced"]
        if name is None:
            pieces.append(re.escape("$"))
        else:
            pieces.append(f"(?P={name})" if name in names else rf"(?P<{name}>[\s\S]*?)")
            names.add(name)
    ending = re.escape(text[literal_from:])
    return re.compile("".join(pieces) + (ending or r"(?=\n\n|\Z)"))
