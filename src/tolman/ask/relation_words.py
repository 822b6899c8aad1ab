"""Read a direction and a distance in plain words: `The table is to the north-east, near.`"""

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal, cast

from tolman.ask.answer_text import HEDGE, strict_answer
from tolman.bins import CardinalBin, DistanceBin, EgoBin
from tolman.reading import Mention, Unread, or_none, settle_slots, takes_back

Frame = Literal["cardinal", "ego"]
Label = CardinalBin | EgoBin | DistanceBin


@dataclass(frozen=True, slots=True)
class Relation:
    """Where something is from somewhere: a direction of one of the two vocabularies, and a distance."""

    direction: CardinalBin | EgoBin
    distance: DistanceBin

    def __str__(self) -> str:
        return f"{self.direction}, {self.distance}"


_FRONT = r"(?:front|ahead|forward)"
_GAP = r"(?:[ -]|, ?| and | but )(?:(?:to|on) the )?"
_SLIGHT = r"slight(?:ly)?[ -](?:to the )?"
_CARDINAL_WORDS: dict[Label, str] = {
    CardinalBin.NORTH_EAST: "north[ -]?east",
    CardinalBin.NORTH_WEST: "north[ -]?west",
    CardinalBin.SOUTH_EAST: "south[ -]?east",
    CardinalBin.SOUTH_WEST: "south[ -]?west",
    CardinalBin.NORTH: "north",
    CardinalBin.SOUTH: "south",
    CardinalBin.EAST: "east",
    CardinalBin.WEST: "west",
}
_CARDINAL_LETTERS: dict[Label, str] = {label: "".join(word[0] for word in label.split(" ")) for label in CardinalBin}
_EGO_WORDS: dict[Label, str] = {
    EgoBin.FRONT_SLIGHT_LEFT: rf"{_FRONT}{_GAP}{_SLIGHT}left|{_SLIGHT}left[ -]{_FRONT}|{_SLIGHT}{_FRONT}[ -]left",
    EgoBin.FRONT_SLIGHT_RIGHT: rf"{_FRONT}{_GAP}{_SLIGHT}right|{_SLIGHT}right[ -]{_FRONT}|{_SLIGHT}{_FRONT}[ -]right",
    EgoBin.BEYOND_FOV: r"(?:back|rear|behind)(?:ward)?(?:[ -](?:left|right))?"
    r"|(?:beyond|outside|out of)[ -](?:the |my |your )?(?:fov|field of view|view)",
    EgoBin.FRONT_LEFT: rf"{_FRONT}{_GAP}left|left[ -]{_FRONT}",
    EgoBin.FRONT_RIGHT: rf"{_FRONT}{_GAP}right|right[ -]front",
    EgoBin.FRONT: rf"(?:(?:straight|directly|right)[ -])?{_FRONT}",
}
_EGO_SIDES = "left|right"
_EGO_LETTERS: dict[Label, str] = {EgoBin.FRONT_LEFT: "fl", EgoBin.FRONT_RIGHT: "fr"}
_DISTANCE_WORDS: dict[Label, str] = {
    DistanceBin.SAME: r"same(?:[ -]distance)?",
    DistanceBin.SLIGHTLY_FAR: r"slightly[ -]far",
    DistanceBin.VERY_FAR: r"very[ -]far",
    DistanceBin.EXTREMELY_FAR: r"extreme(?:ly[ -]far)?",
    DistanceBin.MID: r"(?:mid|middle|medium)(?:[ -](?:distance|range))?",
    DistanceBin.NEAR: r"near(?:by)?|close",
    DistanceBin.FAR: "far",
}
_FILLERS = re.compile(
    r"\b(?:the|it|its|is|lies|to|of|at|in|a|an|and|away|from|me|you|answer|final|direction|distance|ego|relation)\b"
)
_NOTHING = re.compile(r"[\s,;:.!()\[\]\"'<>=|/-]*+")
_CORRECT = re.compile(r"\b(?:that'?s|that is|all) right\b|\bright (?=answer\b)")
"""The other meaning of the word."""


@cache
def _pattern(frame: Frame, letters: bool) -> tuple[re.Pattern[str], tuple[Label, ...]]:
    """Every label of a frame as one alternative each, the longest words first."""
    words = _CARDINAL_WORDS if frame == "cardinal" else _EGO_WORDS
    short = _CARDINAL_LETTERS if frame == "cardinal" else _EGO_LETTERS
    listed = [*words.items(), *_DISTANCE_WORDS.items(), *(short.items() if letters else ())]
    if frame == "ego":
        listed.append((EgoBin.BEYOND_FOV, _EGO_SIDES))
    choices = "|".join(f"({word})" for _, word in listed)
    return re.compile(rf"(?<![\w'])(?:{choices})(?!\w)"), tuple(label for label, _ in listed)


def read_relation(reply: str, frame: Frame, names: tuple[str, ...] = ()) -> Relation | None:
    """The one relation that a reply tells, or None. Things may be mentioned by their `names`."""
    return or_none(find_relation(reply, frame, names))


def find_relation(reply: str, frame: Frame, names: tuple[str, ...] = ()) -> Relation | Unread:
    """The one relation that a reply tells, or why there is none."""

    def words(text: str) -> str:
        kept = re.sub(r"[^\S\n]++|_", " ", text).lower()
        return _CORRECT.sub(" ", _without(names, kept))

    def read(text: str) -> Relation | Unread:
        found = _one_relation(words(text), frame)
        asides = {
            aside for aside in re.findall(r"\([^()]*+\)", text) if not HEDGE.search(aside) and not takes_back(aside)
        }
        if found in (Unread.SEVERAL, Unread.INCOMPLETE) and asides:
            found = _one_relation(words(re.sub(r"\([^()]*+\)", lambda m: " " if m[0] in asides else m[0], text)), frame)
        return found

    def read_bare(line: str) -> Relation | Unread:
        text = words(line)
        pattern, _ = _pattern(frame, letters=True)
        rest = _FILLERS.sub("", pattern.sub("", text))
        return _one_relation(text, frame, letters=True) if _NOTHING.fullmatch(rest) else Unread.NO_ANSWER

    return strict_answer(reply, read, read_bare)


def _without(names: tuple[str, ...], text: str) -> str:
    """Text with the names of things taken out, as a name may hold a word such as `north`."""
    for name in sorted(names, key=len, reverse=True):
        if name in text:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    return text


def _one_relation(text: str, frame: Frame, letters: bool = False) -> Relation | Unread:
    """The direction and the distance of a text, if it says exactly one of each.

    A direction of the other vocabulary is read too, where there is none of this one: it is an answer, if a wrong one.
    """
    found = _mentions(text, frame, letters)
    distances = [mention for mention in found if isinstance(mention.value, DistanceBin)]
    directions = [mention for mention in found if not isinstance(mention.value, DistanceBin)]
    if not directions:
        other = _mentions(text, "ego" if frame == "cardinal" else "cardinal", letters)
        directions = [mention for mention in other if not isinstance(mention.value, DistanceBin)]
    said = settle_slots(text, directions, distances)
    if isinstance(said, Unread):
        return said
    direction, distance = said
    return Relation(cast("CardinalBin | EgoBin", direction), cast("DistanceBin", distance))


def _mentions(text: str, frame: Frame, letters: bool) -> list[Mention[Label]]:
    pattern, labels = _pattern(frame, letters)
    return [Mention(*found.span(), labels[(found.lastindex or 0) - 1]) for found in pattern.finditer(text)]
