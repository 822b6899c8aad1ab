"""Answers such as `north-east, near` and `front-left, slightly far`: a direction and a distance, half a point each."""

import re

from tolman.ask.answer_text import published_answer
from tolman.ask.question import UNREADABLE, Grade, unreadable
from tolman.ask.relation_words import Relation, find_relation
from tolman.bins import CardinalBin, DistanceBin, EgoBin
from tolman.reading import Unread
from tolman.rules import Rules


def relation(direction: object, distance: object) -> Relation:
    """The relation with these labels."""
    word = str(direction)
    known = word in EgoBin.__members__.values()
    return Relation(EgoBin(word) if known else CardinalBin(word), DistanceBin(str(distance)))


def grade_relation(truth: Relation, reply: str, rules: Rules, names: tuple[str, ...] = ()) -> Grade:
    """Half a point for the direction and half for the distance. `names` may be mentioned in a sentence."""
    if not rules.forgiving_answers:
        return _grade_published(truth, reply)
    said = find_relation(reply, "ego" if isinstance(truth.direction, EgoBin) else "cardinal", names)
    if isinstance(said, Unread):
        return unreadable(said)
    score = 0.5 * (said.direction == truth.direction) + 0.5 * (said.distance == truth.distance)
    return Grade(score, False, str(said))


# ---- published ----

_ALIASES = {
    "n": "north",
    "s": "south",
    "e": "east",
    "w": "west",
    "ne": "northeast",
    "nw": "northwest",
    "se": "southeast",
    "sw": "southwest",
    "fl": "frontleft",
    "fr": "frontright",
    "leftfront": "frontleft",
    "rightfront": "frontright",
    "slightleftfront": "frontslightleft",
    "slightrightfront": "frontslightright",
    "mid": "middistance",
    "medium": "middistance",
    "same": "samedistance",
    "extreme": "extremelyfar",
}


def _squeezed(text: str) -> str:
    """Lower case, without white space and hyphens, aliases resolved."""
    word = re.sub(r"[\s-]", "", text.lower())
    return _ALIASES.get(word, word)


def _published_items(answer: str) -> list[str]:
    bracketed = re.search(r"\(([^()]*+)\)|\[([^\[\]]*+)\]", answer)
    text = (bracketed[1] or bracketed[2] or "") if bracketed else answer
    items = text.split(",") if "," in text else re.split(r"[;\n]", text)
    items = [item for item in map(str.strip, items) if item]
    if len(items) < 2:
        *first, last = text.split() or [""]
        items = [" ".join(first), last] if first else []
    return items[:2]


_LABELS = frozenset(_squeezed(label) for label in (*CardinalBin, *EgoBin, *DistanceBin))


def _grade_published(truth: Relation, reply: str) -> Grade:
    items = [_squeezed(item) for item in _published_items(published_answer(reply))]
    if len(items) < 2:
        return UNREADABLE
    right = _squeezed(truth.direction), _squeezed(truth.distance)
    score = max(sum(0.5 * (a == b) for a, b in zip(said, right, strict=True)) for said in (items, items[::-1]))
    if not any(item in _LABELS for item in items):
        return UNREADABLE
    return Grade(score, False, ", ".join(items))
