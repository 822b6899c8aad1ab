"""Texts that are filled in and can be read back: one file each, with `$name` where a part goes.

What a world says and what a scripted agent hears go through the same file, so neither can drift from the other.
"""

import re
from functools import cache
from importlib.resources import files
from string import Template

_PART = re.compile(r"\$(\w+)")


class Wording:
    """One text with gaps."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._template = Template(text)
        self._pattern = _reader(text)

    def fill(self, **parts: object) -> str:
        """The text with its gaps filled. Parts are put in as they are: one that looks like a gap stays as it is."""
        return self._template.substitute({name: str(part) for name, part in parts.items()})

    def read(self, text: str) -> dict[str, str] | None:
        """The parts of the first place where this wording stands in a text, or None where it does not."""
        found = self._pattern.search(text)
        return None if found is None else found.groupdict()


@cache
def wording(package: str, name: str) -> Wording:
    """The wording in `PACKAGE/wordings/NAME.txt`."""
    return Wording((files(package) / "wordings" / f"{name}.txt").read_text(encoding="utf-8").strip())


def _reader(text: str) -> re.Pattern[str]:
    """A pattern that finds a filled-in text; a gap that comes again must hold the same."""
    pieces: list[str] = []
    known: set[str] = set()
    literal_from = 0
    for gap in _PART.finditer(text):
        pieces.append(re.escape(text[literal_from : gap.start()]))
        name = gap.group(1)
        pieces.append(f"(?P={name})" if name in known else rf"(?P<{name}>[\s\S]*?)")
        known.add(name)
        literal_from = gap.end()
    ending = re.escape(text[literal_from:])
    return re.compile("".join(pieces) + (ending or r"(?=\n\n|\Z)"))
