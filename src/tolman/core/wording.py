"""Text templates that can be filled in and parsed back: one file each, with `$name` for each placeholder.

The environment's messages and the parsers of scripted agents use the same file, so they can't drift apart.
"""

import re
from functools import cache
from importlib.resources import files
from string import Template

_PLACEHOLDER = re.compile(r"\$(\w+)")


class Wording:
    """One template."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._template = Template(text)
        self._pattern = _pattern_of(text)

    def fill(self, **parts: object) -> str:
        """The text with its placeholders replaced; placeholders inside the parts are not."""
        return self._template.substitute({name: str(part) for name, part in parts.items()})

    def read(self, text: str) -> dict[str, str] | None:
        """The parts of the first occurrence of this wording in a text, or None if there is none."""
        found = self._pattern.search(text)
        return None if found is None else found.groupdict()


@cache
def wording(package: str, name: str) -> Wording:
    """The wording in `PACKAGE/wordings/NAME.txt`."""
    return Wording((files(package) / "wordings" / f"{name}.txt").read_text(encoding="utf-8").strip())


def _pattern_of(text: str) -> re.Pattern[str]:
    """A pattern that matches the filled-in text; all occurrences of a placeholder must match the same."""
    pieces: list[str] = []
    names: set[str] = set()
    literal_from = 0
    for placeholder in _PLACEHOLDER.finditer(text):
        pieces.append(re.escape(text[literal_from : placeholder.start()]))
        name = placeholder.group(1)
        pieces.append(f"(?P={name})" if name in names else rf"(?P<{name}>[\s\S]*?)")
        names.add(name)
        literal_from = placeholder.end()
    ending = re.escape(text[literal_from:])
    return re.compile("".join(pieces) + (ending or r"(?=\n\n|\Z)"))
