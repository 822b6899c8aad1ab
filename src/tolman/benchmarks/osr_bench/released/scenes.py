"""Scenes in the authors' layout, as folders or in the hosted form (`qa.csv`, `qa_with_negative.csv` and a folder of
panoramas), with questions read back from their texts.
"""

import ast
import csv
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import cast

from tolman.benchmarks.osr_bench.maps.grid import GridMap, Handedness, map_from_lists
from tolman.benchmarks.osr_bench.questions.question import MAP_SKILL, SKILLS, AskedSet, Question, QuestionKind
from tolman.core.errors import SceneFileError
from tolman.core.files import read_json
from tolman.core.limits import TABLE_FILE, check_file
from tolman.core.wording import own_wording

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
        raise SceneFileError(
            f"turn_id, and the answer to a counting question, must be numbers: {json.dumps(text)[:200]}"
        )
    return Question(int(number), kind, names, answer, text)


def read_question(kind: QuestionKind, text: str) -> tuple[str, ...] | None:
    """The class names in a question's text; None if it matches neither our wording nor the authors'."""
    parts = _ours(kind, text) or _theirs(kind, text)
    if parts is None or kind != "distance":
        return parts
    place, candidates = parts
    names = place, *candidates.split(", ")
    return names if len(names) == 1 + _CANDIDATES else None


def read_pool(turn: Mapping[str, object]) -> tuple[str, ...]:
    """The classes that the map prompt lists."""
    found = _POOL.search(str(turn.get("question"))) if asks_for_map(turn) else None
    return tuple(name.strip() for name in found[1].split(",")) if found else ()


def asks_for_map(turn: Mapping[str, object]) -> bool:
    """Whether a turn asks for the map."""
    return turn.get("skills_tested") == MAP_SKILL


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _ours(kind: QuestionKind, text: str) -> tuple[str, ...] | None:
    parts = own_wording("tolman.benchmarks.osr_bench.questions", kind).read(text)
    return None if parts is None else tuple(parts.values())


def _theirs(kind: QuestionKind, text: str) -> tuple[str, ...] | None:
    if kind == "distance":
        found = _DISTANCE.fullmatch(text)
        return None if found is None else (found[2], found[1])
    found = (_COUNTING if kind == "counting" else _DIRECTION).fullmatch(text)
    return None if found is None else cast("tuple[str, ...]", found.groups())


MAP_FILE = "cognitive_map.json"
PANORAMA_FILE = "rgb.png"
DATA_FOLDER = "data"
"""The folder of scenes in a set as it is hosted."""
QUESTION_FILES: dict[AskedSet, str] = {"standard": "_qa.json", "negative": "_qa_with_negative.json"}
QUESTION_FILES_WITHOUT_MAP: dict[AskedSet, str] = {
    "standard": "_qa_without_cogmap.json",
    "negative": "_qa_with_negative_without_cogmap.json",
}
Turn = Mapping[str, object]


@dataclass(frozen=True)
class ReleasedScene:
    """One stored panorama with its true map and questions."""

    folder: Path
    truth: GridMap
    questions: Mapping[AskedSet, tuple[Question, ...]]
    pools: Mapping[AskedSet, tuple[str, ...]]
    """Classes named in the prompt for the map."""
    handedness: Handedness = "released"
    """Handedness of the map: mirrored like the authors', unless the file says otherwise."""
    ahead: str = ""
    """Where on a mirrored map the middle of the panorama is: right, up, left or down; empty if unknown."""
    generated: bool = False
    """Whether the room was generated, so that all that can be seen in it is known."""

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
    """The folders of scenes in a folder, or in the folder `data` there, in the order of their names."""
    if (path / MAP_FILE).is_file():
        yield path
        return
    inside = sorted(path.iterdir())
    if (path / DATA_FOLDER).is_dir() and not any((inner / MAP_FILE).is_file() for inner in inside):
        inside = sorted((path / DATA_FOLDER).iterdir())
    yield from (inner for inner in inside if (inner / MAP_FILE).is_file())


def read_scene_folder(folder: Path) -> ReleasedScene:
    """Read a scene folder in the authors' layout. Question files may be missing."""
    folder = folder.absolute()
    stored = _object(folder / MAP_FILE)
    truth = map_from_lists(stored.get("cognitive_map"))
    if (counts := stored.get("class_count")) is not None and counts != truth.counts:
        raise SceneFileError(f"{folder / MAP_FILE}: class_count does not match the map")
    turns: dict[AskedSet, list[Turn]] = {}
    for asked, suffix in QUESTION_FILES.items():
        if (file := folder / f"{folder.name}{suffix}").is_file():
            turns[asked] = read_conversation(file)
    own = stored.get("handedness") == "true"
    scene = scene_of(folder, truth, turns, "true" if own else "released")
    return replace(scene, ahead=str(stored.get("ahead") or ""), generated=own and "source" not in stored)


def scene_of(
    folder: Path, truth: GridMap, turns: Mapping[AskedSet, Sequence[Turn]], handedness: Handedness = "released"
) -> ReleasedScene:
    """A scene from its stored turns, including the one for the map."""
    questions: dict[AskedSet, tuple[Question, ...]] = {}
    pools: dict[AskedSet, tuple[str, ...]] = {}
    for asked, stored in turns.items():
        questions[asked] = tuple(read_turn(turn) for turn in stored if not asks_for_map(turn))
        pools[asked] = next((pool for turn in stored if (pool := read_pool(turn))), truth.classes)
    return ReleasedScene(folder, truth, questions, pools, handedness)


def read_conversation(file: Path) -> list[Turn]:
    """The turns in a file of questions."""
    turns = _object(file).get("conversation")
    if not isinstance(turns, list) or not all(isinstance(turn, dict) for turn in cast("list[object]", turns)):
        raise SceneFileError(f"{file} holds no conversation")
    return cast("list[Turn]", turns)


def _object(file: Path) -> Mapping[str, object]:
    value = read_json(file)
    if not isinstance(value, dict):
        raise SceneFileError(f"{file} holds no JSON object")
    return cast("Mapping[str, object]", value)


QUESTION_TABLES: dict[AskedSet, str] = {"standard": "qa.csv", "negative": "qa_with_negative.csv"}
QUESTION_COLUMNS = ("image_id", "turn_id", "question", "answer", "skills_tested")
_LONGEST = 100_000
"""Characters of a map; 10 by 10 cells take about two thousand."""


def read_scenes(path: Path) -> Iterator[ReleasedScene]:
    """The scenes of a folder, which holds one scene, several, or a hosted set."""
    folders = list(find_scenes(path)) if path.is_dir() else []
    if folders:
        return map(read_scene_folder, folders)
    if not is_hosted(path):
        raise SceneFileError(f"{path} holds neither scenes (cognitive_map.json) nor a hosted set (qa.csv)")
    return read_hosted(path)


def is_hosted(path: Path) -> bool:
    """Whether a folder is a set in its hosted form."""
    return any((path / table).is_file() for table in QUESTION_TABLES.values())


def read_hosted(path: Path) -> Iterator[ReleasedScene]:
    """The scenes of a hosted set, in the order of its tables."""
    scenes: dict[str, dict[AskedSet, list[Turn]]] = {}
    for asked, table in QUESTION_TABLES.items():
        if (path / table).is_file():
            for row in read_table(path / table, QUESTION_COLUMNS):
                scenes.setdefault(row["image_id"], {}).setdefault(asked, []).append(row)
    for image, turns in scenes.items():
        maps = [turn for stored in turns.values() for turn in stored if asks_for_map(turn)]
        if not maps:
            raise SceneFileError(f"{path}: no row holds the map of {image[:200]!r}")
        yield scene_of(_folder(path, image), read_stored_map(str(maps[0]["answer"])), turns)


def read_table(file: Path, columns: tuple[str, ...]) -> Iterator[Mapping[str, str]]:
    """The rows of a CSV file that must have these columns."""
    try:
        check_file(file, TABLE_FILE)
        with file.open(encoding="utf-8", newline="") as lines:
            rows = csv.DictReader(lines, restval="")
            missing = [name for name in columns if name not in (rows.fieldnames or ())]
            if missing:
                raise SceneFileError(f"{file} has no column {missing[0]}")
            yield from rows
    except OSError as error:
        raise SceneFileError(f"{file} can't be read: {error.strerror}") from None
    except (csv.Error, UnicodeDecodeError) as error:
        raise SceneFileError(f"{file} is not a CSV file: {error}") from None


def read_stored_map(text: str) -> GridMap:
    """Parse a map written as a Python list literal; nothing is executed."""
    try:
        value: object = ast.literal_eval(text.strip()) if len(text) <= _LONGEST else None
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        value = None
    if value is None:
        raise SceneFileError(f"this is not a map of cells: {text[:80]!r}")
    return map_from_lists(value)


def _folder(path: Path, image: str) -> Path:
    """The folder of a panorama, which is somewhere below that of the set."""
    place = PurePosixPath(image.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or len(place.parts) < 2:
        raise SceneFileError(f"{image[:200]!r} is not a panorama of {path}; expected data/FOLDER/rgb.png")
    return path.absolute() / place.parent


_COLUMNS = ("image_id", "model", "turn_id", "skills_tested", "question", "model_answer", "ground_truth", "score")
_NAMES = "*results*.csv"
ScoreValues = Mapping[str, float]


@dataclass(frozen=True)
class ReleasedMap:
    """A stated map with its stored score."""

    place: str
    model: str
    truth: GridMap
    reply: str
    overall: ScoreValues
    classes: Mapping[str, ScoreValues]
    """In the order of summation; empty for an unparseable map."""


@dataclass(frozen=True)
class ReleasedAnswer:
    """An answer with its stored score."""

    place: str
    model: str
    asked: AskedSet
    question: Question
    reply: str
    score: float
    truth: GridMap | None
    """The true map, if the file holds it."""


def is_results(path: Path) -> bool:
    """Whether a path is a result file, or a folder with some."""
    return path.suffix == ".csv" if path.is_file() else any(True for _ in path.rglob(_NAMES))


def find_results(path: Path) -> list[Path]:
    """The result files at a path, or anywhere below it."""
    return [path] if path.is_file() else sorted(path.rglob(_NAMES))


def read_results(file: Path) -> Iterator[ReleasedMap | ReleasedAnswer]:
    """The maps and answers of a result file, row by row."""
    truths: dict[str, GridMap] = {}
    asked: AskedSet = "negative" if "negative" in file.name else "standard"
    for row in read_table(file, _COLUMNS):
        image, model, reply = row["image_id"], row["model"], row["model_answer"]
        place = f"{Path(image).parent.name or file.stem}, turn {row['turn_id']}"[:200]
        if asks_for_map(row):
            truths[image] = read_stored_map(row["ground_truth"])
            yield ReleasedMap(place, model, truths[image], reply, *_map_score(row["score"], place))
        else:
            question = read_turn({**row, "answer": row["ground_truth"]})
            yield ReleasedAnswer(place, model, asked, question, reply, _number(row["score"], place), truths.get(image))


def _number(text: str, place: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise SceneFileError(f"{place}: the score {text[:40]!r} is not a number") from None


def _map_score(text: str, place: str) -> tuple[ScoreValues, Mapping[str, ScoreValues]]:
    try:
        score = cast("Mapping[str, object]", json.loads(text))
        classes = cast("Mapping[str, Mapping[str, object]]", score["per_class"])
        overall = cast("Mapping[str, object]", score["overall"])
        return _values(overall), {str(name): _values(values) for name, values in classes.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise SceneFileError(f"{place}: the score is not that of a map: {text[:80]!r}") from None


def _values(stored: Mapping[str, object]) -> ScoreValues:
    return {name: float(value) for name, value in stored.items() if isinstance(value, int | float)}
