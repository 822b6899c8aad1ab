"""Probabilities in a model's reply: `value: number` pairs in lines, sentences, tables or JSON. Never raises.

Numbers may be percentages, fractions or shares of 1. The last of several numbers for one value counts. A closed list
is divided by its sum; of an open one, what is missing to 1 stays on values that are not listed.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from tolman.ask.odds import Odds, OddsSlot
from tolman.core.reading import ParseFailure, final_answer
from tolman.core.rules import STRICT

TOLERANCE = 0.02
"""How far a sum may be from 1 by rounding."""
_LONGEST = 20_000
_MOST_PAIRS = 2_000
_NUMBER = (
    r"(?P<sign>[-−]\s?)?(?:(?P<top>\d{1,9})\s?/\s?(?P<bottom>\d{1,9})"
    r"|(?P<value>\d{1,9}(?:\.\d{1,12})?(?:e-?\d{1,2})?|\.\d{1,12})\s?(?P<percent>%|percent\b|pct\b)?)(?![\w/])"
)
_LINK = (
    r"[\s\"'`*)\]|:=~≈(\[]{0,12}(?:(?:is|has|with|at|about|of|a|probability|chance|p|prob|likelihood|->|→|–|—|-(?=\s))"
    r"[\s\"'`*:=~≈(]{0,8}){0,4}"
)
_BEFORE = r"[\s\"'`*:()=]{0,8}(?:(?:chance|probability|likely|for|of|that|it|is|the)\s{1,3}){0,4}[\"'`*(]{0,3}"
_CELL = (
    r"[(\[]\s{0,3}(?P<x>[-−+]?\d{1,4}(?:\.\d{1,6})?)\s{0,3}[,;]\s{0,3}(?P<y>[-−+]?\d{1,4}(?:\.\d{1,6})?)\s{0,3}[)\]]"
)


@dataclass(frozen=True)
class StatedOdds:
    """The probabilities that a reply states."""

    odds: Odds
    renormalised: bool
    """Whether a list did not add up to 1, by more than rounding, and was divided by its sum."""


def read_odds(reply: str, slots: Sequence[OddsSlot]) -> StatedOdds | ParseFailure:
    """The probabilities of every slot, or why there are none: each needs one number at least."""
    said = final_answer(reply[-10 * _LONGEST :], STRICT)[-_LONGEST:].replace("_", " ").lower()
    if not said.strip():
        return ParseFailure.EMPTY
    found: dict[str, dict[str, float]] = {}
    renormalised = False
    for slot, text in zip(slots, _parts(said, slots), strict=True):
        pairs = _pairs(text, slot)
        if isinstance(pairs, ParseFailure):
            return pairs
        total = sum(pairs.values())
        if not pairs or (total <= 0 and slot.form == "choice"):
            return ParseFailure.INCOMPLETE if found else ParseFailure.NO_ANSWER
        off = abs(total - 1) if slot.form == "choice" else max(0.0, total - 1)
        renormalised |= off > TOLERANCE
        divide = total if slot.form == "choice" or total > 1 else 1.0
        found[slot.name] = {value: chance / divide for value, chance in pairs.items() if chance > 0}
    return StatedOdds(found, renormalised)


def _parts(text: str, slots: Sequence[OddsSlot]) -> list[str]:
    """The part of a text that is about each slot. Lists of points are told apart by the names before them."""
    if len(slots) < 2 or any(slot.form != "cell" for slot in slots):
        return [text] * len(slots)
    names = "|".join(re.escape(slot.name.lower()) for slot in sorted(slots, key=lambda slot: -len(slot.name)))
    marks = list(re.finditer(rf"(?<!\w)({names})(?!\w)", text))
    parts = dict.fromkeys((slot.name.lower() for slot in slots), "")
    for place, mark in enumerate(marks):
        end = marks[place + 1].start() if place + 1 < len(marks) else len(text)
        parts[mark[1]] = text[mark.end() : end] if re.search(_CELL, text[mark.end() : end]) else parts[mark[1]]
    return [parts[slot.name.lower()] for slot in slots]


@lru_cache(maxsize=256)
def _pattern(slot: OddsSlot, before: bool) -> re.Pattern[str]:
    """Pairs of a value and a number; with `before`, the number comes first."""
    label = _CELL if slot.form == "cell" else rf"(?P<label>(?<![\w-]){_labels(slot)}(?![\w-]))"
    number = rf"(?<![\w.,/(-]){_NUMBER}"
    return re.compile(rf"{number}{_BEFORE}{label}" if before else rf"{label}{_LINK}{_NUMBER}")


def _labels(slot: OddsSlot) -> str:
    words = sorted((_flexible(choice) for choice in slot.choices), key=len, reverse=True)
    one = f"(?:{'|'.join(words)})"
    if slot.form == "choice":
        return one
    return rf"{one}(?:\s{{0,3}}(?:,|>|->|→|;|then|\band\b)[\s\"']{{0,3}}{one}){{{len(slot.choices) - 1}}}"


def _flexible(label: str) -> str:
    """A label as a pattern: a space may be a hyphen, and a hyphen a space or nothing."""
    return re.escape(label.lower()).replace(r"\-", "[ -]?").replace(r"\ ", "[ -]?")


def _pairs(text: str, slot: OddsSlot) -> dict[str, float] | ParseFailure:
    """The number of every value, as a share of 1; the last one counts."""
    for before in (False, True):
        found = list(_pattern(slot, before).finditer(text))[:_MOST_PAIRS]
        if found:
            break
    else:
        return {}
    if any(pair["sign"] or pair["bottom"] in ("0", "00") for pair in found):
        return ParseFailure.INCOMPLETE
    bare = [float(pair["value"]) for pair in found if pair["value"] and not pair["percent"]]
    hundred = 100.0 if any(value > 1 for value in bare) else 1.0
    pairs: dict[str, float] = {}
    for pair in found:
        value = _value(pair, slot)
        if value is not None:
            pairs[value] = _share(pair, hundred)
    return pairs


def _share(pair: re.Match[str], hundred: float) -> float:
    if pair["bottom"]:
        return int(pair["top"]) / max(int(pair["bottom"]), 1)
    return float(pair["value"]) / (100.0 if pair["percent"] else hundred)


def _value(pair: re.Match[str], slot: OddsSlot) -> str | None:
    """The value of a pair as it is spelled in the slot; None for an order that leaves a name out."""
    if slot.form == "cell":
        x, y = (round(float(pair[axis].replace("−", "-"))) for axis in ("x", "y"))
        return f"({x}, {y})"
    if slot.form == "choice":
        return next(choice for choice in slot.choices if re.fullmatch(_flexible(choice), pair["label"]))
    spelled = {choice: _flexible(choice) for choice in slot.choices}
    one = re.compile("|".join(sorted(spelled.values(), key=len, reverse=True)))
    order = [
        next(name for name, word in spelled.items() if re.fullmatch(word, at)) for at in one.findall(pair["label"])
    ]
    return ", ".join(order) if len(set(order)) == len(slot.choices) else None
