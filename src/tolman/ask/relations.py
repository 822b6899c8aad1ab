"""Answers that are a direction and a distance: parsing, grading, and the base class of the kinds that ask for them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import ClassVar, Literal, cast

from tolman.ask.answer_extraction import HEDGE, published_answer, strict_answer
from tolman.ask.kinds.registry import Kind
from tolman.ask.question import UNPARSEABLE, Grade, Json, Question, unparseable
from tolman.core.bins import CardinalBin, DistanceBin, EgoBin, ego_relation
from tolman.core.geometry import difference
from tolman.core.reading import Mention, ParseFailure, resolve_slots, retracts
from tolman.core.rules import Rules
from tolman.world import Pose, Scene

DirectionFrame = Literal["cardinal", "ego"]
Label = CardinalBin | EgoBin | DistanceBin


@dataclass(frozen=True, slots=True)
class RelationAnswer:
    """An egocentric or cardinal direction, and a distance."""

    direction: CardinalBin | EgoBin
    distance: DistanceBin

    def __str__(self) -> str:
        return f"{self.direction}, {self.distance}"


_FRONT = r"(?:front|ahead|forward)"
_GAP = r"(?:[ -]|, ?| and | but )(?:(?:to|on) the )?"
_SLIGHT = r"slight(?:ly)?[ -](?:to the )?"
_CARDINAL_WORDS: dict[Label, str] = {
    label: label.replace(" ", "[ -]?") for label in sorted(CardinalBin, key=len, reverse=True)
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
"""`right` in the sense of correct, which is no direction."""


@cache
def _pattern(frame: DirectionFrame, letters: bool) -> tuple[re.Pattern[str], tuple[Label, ...]]:
    """Every label of a frame as one alternative each, the longest words first."""
    words = _CARDINAL_WORDS if frame == "cardinal" else _EGO_WORDS
    short = _CARDINAL_LETTERS if frame == "cardinal" else _EGO_LETTERS
    listed = [*words.items(), *_DISTANCE_WORDS.items(), *(short.items() if letters else ())]
    if frame == "ego":
        listed.append((EgoBin.BEYOND_FOV, _EGO_SIDES))
    choices = "|".join(f"({word})" for _, word in listed)
    return re.compile(rf"(?<![\w'])(?:{choices})(?!\w)"), tuple(label for label, _ in listed)


def find_relation(reply: str, frame: DirectionFrame, names: tuple[str, ...] = ()) -> RelationAnswer | ParseFailure:
    """The one relation in a reply, or why there is none. The `names` of objects are ignored."""

    def words(text: str) -> str:
        kept = re.sub(r"[^\S\n]++|_", " ", text).lower()
        return _CORRECT.sub(" ", _without(names, kept))

    def read(text: str) -> RelationAnswer | ParseFailure:
        found = _one_relation(words(text), frame)
        asides = {
            aside for aside in re.findall(r"\([^()]*+\)", text) if not HEDGE.search(aside) and not retracts(aside)
        }
        if found in (ParseFailure.SEVERAL, ParseFailure.INCOMPLETE) and asides:
            found = _one_relation(words(re.sub(r"\([^()]*+\)", lambda m: " " if m[0] in asides else m[0], text)), frame)
        return found

    def read_bare(line: str) -> RelationAnswer | ParseFailure:
        text = words(line)
        pattern, _ = _pattern(frame, letters=True)
        rest = _FILLERS.sub("", pattern.sub("", text))
        return _one_relation(text, frame, letters=True) if _NOTHING.fullmatch(rest) else ParseFailure.NO_ANSWER

    return strict_answer(reply, read, read_bare)


def _without(names: tuple[str, ...], text: str) -> str:
    """Text without the names of objects, as a name may contain a word such as `north`."""
    for name in sorted(names, key=len, reverse=True):
        if name in text:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text)
    return text


def _one_relation(text: str, frame: DirectionFrame, letters: bool = False) -> RelationAnswer | ParseFailure:
    """The direction and the distance in a text, if there is exactly one of each.

    A direction of the other frame is accepted where there is none of this one: it is an answer, though a wrong one.
    """
    found = _mentions(text, frame, letters)
    distances = [mention for mention in found if isinstance(mention.value, DistanceBin)]
    directions = [mention for mention in found if not isinstance(mention.value, DistanceBin)]
    if not directions:
        other = _mentions(text, "ego" if frame == "cardinal" else "cardinal", letters)
        directions = [mention for mention in other if not isinstance(mention.value, DistanceBin)]
    said = resolve_slots(text, directions, distances)
    if isinstance(said, ParseFailure):
        return said
    direction, distance = said
    return RelationAnswer(cast("CardinalBin | EgoBin", direction), cast("DistanceBin", distance))


def _mentions(text: str, frame: DirectionFrame, letters: bool) -> list[Mention[Label]]:
    pattern, labels = _pattern(frame, letters)
    return [Mention(*found.span(), labels[(found.lastindex or 0) - 1]) for found in pattern.finditer(text)]


def relation(direction: object, distance: object) -> RelationAnswer:
    """The relation with these labels."""
    word = str(direction)
    is_ego = word in EgoBin.__members__.values()
    return RelationAnswer(EgoBin(word) if is_ego else CardinalBin(word), DistanceBin(str(distance)))


def grade_relation(truth: RelationAnswer, reply: str, rules: Rules, names: tuple[str, ...] = ()) -> Grade:
    """Half a point for the direction and half for the distance. `names` of objects in a sentence are ignored."""
    if not rules.forgiving_answers:
        return _grade_published(truth, reply)
    said = find_relation(reply, "ego" if isinstance(truth.direction, EgoBin) else "cardinal", names)
    if isinstance(said, ParseFailure):
        return unparseable(said)
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


def _normalised(text: str) -> str:
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


_LABELS = frozenset(_normalised(label) for label in (*CardinalBin, *EgoBin, *DistanceBin))


def _grade_published(truth: RelationAnswer, reply: str) -> Grade:
    items = [_normalised(item) for item in _published_items(published_answer(reply))]
    if len(items) < 2:
        return UNPARSEABLE
    right = _normalised(truth.direction), _normalised(truth.distance)
    score = max(sum(0.5 * (a == b) for a, b in zip(said, right, strict=True)) for said in (items, items[::-1]))
    if not any(item in _LABELS for item in items):
        return UNPARSEABLE
    return Grade(score, False, ", ".join(items))


DISTANCES = tuple(distance for distance in DistanceBin if distance is not DistanceBin.SAME)
SEEN_DIRECTIONS = tuple(direction for direction in EgoBin if direction is not EgoBin.BEYOND_FOV)


class RelationKind(Kind):
    """A kind whose answer is `<direction>, <distance>`.

    The valid answers are all pairs of a direction and a nonzero distance; for views, of a direction in view.
    """

    directions: ClassVar[Sequence[CardinalBin | EgoBin]] = SEEN_DIRECTIONS

    def grade(self, question: Question, reply: str, rules: Rules) -> Grade:
        truth = relation(question.truth["direction"], question.truth["distance"])
        return grade_relation(truth, reply, rules, question.scene.names)

    def oracle(self, question: Question) -> str:
        return str(self.relation(question))

    def relation(self, question: Question) -> RelationAnswer:
        """The relation asked for, derived from the scene."""
        raise NotImplementedError

    def wrong(self, question: Question) -> str:
        truth = relation(question.truth["direction"], question.truth["distance"])
        direction = next(d for d in self.directions if d != truth.direction)
        return str(RelationAnswer(direction, next(d for d in DISTANCES if d != truth.distance)))

    def answers(self, question: Question) -> Sequence[str]:
        del question
        return [str(RelationAnswer(*pair)) for pair in product(self.directions, DISTANCES)]

    def constant(self, question: Question) -> str:
        del question
        usual = EgoBin.FRONT if EgoBin.FRONT in self.directions else CardinalBin.NORTH
        return str(RelationAnswer(usual, DistanceBin.SLIGHTLY_FAR))


def seen_from(scene: Scene, pose: Pose, name: str) -> RelationAnswer:
    """Where a thing or door is for an observer in a pose."""
    return RelationAnswer(*ego_relation(difference(scene.item(name).cell, pose.cell), pose.heading))


def truth_of(relation: RelationAnswer) -> dict[str, Json]:
    """A relation as JSON values."""
    return {"direction": str(relation.direction), "distance": str(relation.distance)}
