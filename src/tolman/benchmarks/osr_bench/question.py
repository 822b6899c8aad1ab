"""A question: what it is about and its answer. Its words are ours, or those of the authors' files."""

from dataclasses import dataclass
from typing import Literal

from tolman.benchmarks.osr_bench.answers import closest_of, count_of, direction_of
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.wording import wording

QuestionKind = Literal["counting", "distance", "direction"]
QUESTION_KINDS: tuple[QuestionKind, ...] = ("counting", "distance", "direction")
SKILLS: dict[QuestionKind, str] = {
    "counting": "object_counting",
    "distance": "relative_distance",
    "direction": "relative_direction",
}
"""What the authors' files call them."""
MAP_SKILL = "cognitive_map"
ASKED = ("standard", "negative")
"""Sets of questions: about what is there, and with objects among them that are not."""
AskedSet = Literal["standard", "negative"]


@dataclass(frozen=True)
class Question:
    """One question about a room."""

    turn: int
    """Its number in its set, from 1; the map is number 0. Numbers can have gaps."""
    kind: QuestionKind
    names: tuple[str, ...]
    """Counting: the class. Distance: the place and four candidates. Direction: the place, what is faced and sought."""
    answer: str
    text: str


def answer_of(world: GridMap, kind: QuestionKind, names: tuple[str, ...]) -> str:
    """The answer to a question, worked out from a map."""
    if kind == "counting":
        return count_of(world, names[0])
    if kind == "distance":
        return closest_of(world, names[0], names[1:])
    place, faced, wanted = names
    return direction_of(world, place, faced, wanted)


def ask(turn: int, kind: QuestionKind, names: tuple[str, ...], world: GridMap) -> Question:
    """A question in our words, with its answer."""
    return Question(turn, kind, names, answer_of(world, kind, names), _words(kind, names))


def _words(kind: QuestionKind, names: tuple[str, ...]) -> str:
    text = wording(__package__ or "", kind)
    if kind == "distance":
        return text.fill(place=names[0], candidates=", ".join(names[1:]))
    if kind == "direction":
        return text.fill(place=names[0], faced=names[1], wanted=names[2])
    return text.fill(name=names[0])
