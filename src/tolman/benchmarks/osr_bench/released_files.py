"""The authors' folders: a map, four files of questions, a panorama, and results where there are any."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tolman.benchmarks.osr_bench.grid_map import GridMap, from_lists
from tolman.benchmarks.osr_bench.question import MAP_SKILL, SKILLS, AskedSet, Question, QuestionKind
from tolman.errors import SceneFileError
from tolman.world.json_file import read_json

MAP_FILE = "cognitive_map.json"
PANORAMA_FILE = "rgb.png"
FILES: dict[AskedSet, str] = {"standard": "_qa.json", "negative": "_qa_with_negative.json"}
_KINDS: dict[str, QuestionKind] = {skill: kind for kind, skill in SKILLS.items()}
_COUNTING = re.compile(r"How many (.+)\(s\) are in this room\?")
_DISTANCE = re.compile(r".*which of these objects \((.+)\) is the closest to the (.+) in this PANORAMA\?")
_DIRECTION = re.compile(r"If I am standing by the (.+) and facing the closest (.+), is the closest (.+) to my .*")
_POOL = re.compile(r"in this scene: \{(.*?)\}")


@dataclass(frozen=True)
class ReleasedScene:
    """One panorama with its truth and its questions, as the authors stored them."""

    folder: Path
    truth: GridMap
    questions: Mapping[AskedSet, tuple[Question, ...]]
    pools: Mapping[AskedSet, tuple[str, ...]]
    """Classes named in the prompt for the map."""

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def panorama(self) -> Path:
        return self.folder / PANORAMA_FILE


def is_released(path: Path) -> bool:
    """Whether a folder is one of the authors' scenes, or holds some."""
    return path.is_dir() and any(True for _ in find_scenes(path))


def find_scenes(path: Path) -> Iterator[Path]:
    """The folders of scenes in a folder, in the order of their names."""
    if (path / MAP_FILE).is_file():
        yield path
        return
    for inner in sorted(path.iterdir()):
        if (inner / MAP_FILE).is_file():
            yield inner


def read_scene_folder(folder: Path) -> ReleasedScene:
    """Read a folder of the authors' layout. Which of the question files are there is up to the folder."""
    stored = cast("Mapping[str, object]", read_json(folder / MAP_FILE))
    truth = from_lists(stored.get("cognitive_map"))
    if (counts := stored.get("class_count")) is not None and counts != truth.counts:
        raise SceneFileError(f"{folder / MAP_FILE}: the counts of classes are not those of the map")
    questions: dict[AskedSet, tuple[Question, ...]] = {}
    pools: dict[AskedSet, tuple[str, ...]] = {}
    for asked, suffix in FILES.items():
        file = folder / f"{folder.name}{suffix}"
        if file.is_file():
            turns = _turns(file)
            questions[asked] = tuple(read_turn(turn) for turn in turns if turn.get("skills_tested") != MAP_SKILL)
            pools[asked] = _pool(turns) or truth.classes
    return ReleasedScene(folder, truth, questions, pools)


def _turns(file: Path) -> list[Mapping[str, object]]:
    stored = cast("Mapping[str, object]", read_json(file))
    turns = stored.get("conversation")
    if not isinstance(turns, list):
        raise SceneFileError(f"{file} holds no conversation")
    return cast("list[Mapping[str, object]]", turns)


def _pool(turns: list[Mapping[str, object]]) -> tuple[str, ...]:
    for turn in turns:
        if turn.get("skills_tested") == MAP_SKILL and (found := _POOL.search(str(turn.get("question")))):
            return tuple(name.strip() for name in found[1].split(","))
    return ()


def read_turn(turn: Mapping[str, object]) -> Question:
    """A stored question."""
    text, skill = str(turn["question"]), str(turn["skills_tested"])
    kind = _KINDS.get(skill)
    names = None if kind is None else read_question(kind, text)
    if kind is None or names is None:
        raise SceneFileError(f"this question of {skill} can't be read: {json.dumps(text)[:200]}")
    return Question(int(cast("int", turn["turn_id"])), kind, names, str(turn["answer"]), text)


def read_question(kind: QuestionKind, text: str) -> tuple[str, ...] | None:
    """What a question in the authors' words is about."""
    if kind == "distance":
        found = _DISTANCE.fullmatch(text)
        return None if found is None else (found[2], *found[1].split(", "))
    found = (_COUNTING if kind == "counting" else _DIRECTION).fullmatch(text)
    return None if found is None else found.groups()
