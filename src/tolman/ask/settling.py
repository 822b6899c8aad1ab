"""Which look would settle a question? The request, and parsing of the letter that a reply chooses."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from tolman.ask.answer_extraction import without_markup
from tolman.core.geometry import Heading
from tolman.core.reading import ParseFailure, final_answer
from tolman.core.rules import STRICT
from tolman.core.wording import Wording, wording
from tolman.world import START

LETTERS = "ABCDEFGH"
_LONGEST = 4_000
_MARKED = re.compile(
    r"(?:look|option|choice|letter|answer)(?:\s+(?:is|would be))?\s*[:=]?\s*[\"'(]?([A-H])\b(?!')", re.IGNORECASE
)
_BARE = re.compile(r"[\s\"'(]*([A-Ha-h])\s*(?:[).:,;\"'-].*)?", re.DOTALL)


@dataclass(frozen=True)
class Look:
    """One look: the thing or door to stand on, or the start, and the heading to face."""

    place: str
    heading: Heading

    def __str__(self) -> str:
        where = "where you started" if self.place == START else f"at the {self.place}"
        return f"standing {where}, facing {self.heading.word}"


def settle_request(looks: Sequence[Look]) -> str:
    """The text below a question, with the looks to choose from."""
    return _request().fill(looks="\n".join(f"{letter}: {look}" for letter, look in zip(LETTERS, looks, strict=False)))


def looks_in(text: str) -> tuple[Look, ...] | None:
    """The looks in a message with `settle_request`; None without one."""
    found = _request().read(text)
    if found is None:
        return None
    looks: list[Look] = []
    for line in found["looks"].splitlines():
        where, _, heading = line.partition(": standing ")[2].rpartition(", facing ")
        if heading.upper() not in Heading.__members__:
            return None
        place = START if where == "where you started" else where.removeprefix("at the ")
        looks.append(Look(place, Heading[heading.upper()]))
    return tuple(looks)


def _request() -> Wording:
    return wording("tolman.ask", "settle")


def read_letter(reply: str, count: int) -> int | ParseFailure:
    """The index of the one look that a reply chooses, or why there is none. Never raises, whatever the text.

    A letter alone, or one at the beginning of the final answer or of its last line; else one letter after a word such
    as `look` or `answer`, if all such agree.
    """
    text = without_markup(final_answer(reply, STRICT)[-_LONGEST:]).strip()
    text = re.sub(r"^f?box(?:ed)?\s*", "", text)
    if not text:
        return ParseFailure.EMPTY
    allowed = LETTERS[:count]
    lines = [line for line in text.splitlines() if line.strip()]
    for line in (lines[0], lines[-1]):
        bare = _BARE.fullmatch(line)
        if bare and bare[1].upper() in allowed:
            return allowed.index(bare[1].upper())
    said = {letter.upper() for letter in _MARKED.findall(text)}
    if len(said) > 1:
        return ParseFailure.SEVERAL
    letter = next(iter(said), "")
    return allowed.index(letter) if letter and letter in allowed else ParseFailure.NO_ANSWER
