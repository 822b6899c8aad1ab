"""What a stored question is about: read back from its words, be they ours or the authors'."""

import json
import re
from collections.abc import Mapping
from typing import cast

from tolman.benchmarks.osr_bench.question import MAP_SKILL, SKILLS, Question, QuestionKind
from tolman.errors import SceneFileError
from tolman.wording import wording

_KINDS: dict[str, QuestionKind] = {skill: kind for kind, skill in SKILLS.items()}
_COUNTING = re.compile(r"How many (.+)\(s\) are in this room\?")
_DISTANCE = re.compile(r".*which of these objects \((.+)\) is the closest to the (.+) in this PANORAMA\?")
_DIRECTION = re.compile(r"If I am standing by the (.+) and facing the closest (.+), is the closest (.+) to my .*")
_POOL = re.compile(r"\{([^{}\"]*)\}")
_CANDIDATES = 4


def read_turn(turn: Mapping[str, object]) -> Question:
    """A stored question."""
    text, skill, number, answer = (str(turn.get(key)) for key in ("question", "skills_tested", "turn_id", "answer"))
    kind = _KINDS.get(skill)
    names = None if kind is None else read_question(kind, text)
    if kind is None or names is None:
        raise SceneFileError(f"this question of {skill[:40]} can't be read: {json.dumps(text)[:200]}")
    if not _is_number(number) or (kind == "counting" and not _is_number(answer)):
        raise SceneFileError(f"this question needs a number for turn_id, and counts need one: {json.dumps(text)[:200]}")
    return Question(int(number), kind, names, answer, text)


def read_question(kind: QuestionKind, text: str) -> tuple[str, ...] | None:
    """What a question is about; None where it is in nobody's words."""
    parts = _ours(kind, text) or _theirs(kind, text)
    if parts is None or kind != "distance":
        return parts
    place, candidates = parts
    names = place, *candidates.split(", ")
    return names if len(names) == 1 + _CANDIDATES else None


def read_pool(turn: Mapping[str, object]) -> tuple[str, ...]:
    """The classes that the prompt for the map names."""
    found = _POOL.search(str(turn.get("question"))) if is_map(turn) else None
    return tuple(name.strip() for name in found[1].split(",")) if found else ()


def is_map(turn: Mapping[str, object]) -> bool:
    """Whether a turn asks for the map."""
    return turn.get("skills_tested") == MAP_SKILL


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _ours(kind: QuestionKind, text: str) -> tuple[str, ...] | None:
    parts = wording(__package__ or "", kind).read(text)
    return None if parts is None else tuple(parts.values())


def _theirs(kind: QuestionKind, text: str) -> tuple[str, ...] | None:
    if kind == "distance":
        found = _DISTANCE.fullmatch(text)
        return None if found is None else (found[2], found[1])
    found = (_COUNTING if kind == "counting" else _DIRECTION).fullmatch(text)
    return None if found is None else cast("tuple[str, ...]", found.groups())
