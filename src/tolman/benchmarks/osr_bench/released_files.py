"""Scenes in the authors' layout: a folder with a map, files of questions and a panorama; theirs, or made here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from tolman.benchmarks.osr_bench.chart import Handedness
from tolman.benchmarks.osr_bench.grid_map import GridMap, from_lists
from tolman.benchmarks.osr_bench.question import AskedSet, Question
from tolman.benchmarks.osr_bench.question_reading import is_map, read_pool, read_turn
from tolman.errors import SceneFileError
from tolman.world.json_file import read_json

MAP_FILE = "cognitive_map.json"
PANORAMA_FILE = "rgb.png"
DATA = "data"
"""The folder of scenes in a set as it is hosted."""
FILES: dict[AskedSet, str] = {"standard": "_qa.json", "negative": "_qa_with_negative.json"}
WITHOUT_MAP: dict[AskedSet, str] = {
    "standard": "_qa_without_cogmap.json",
    "negative": "_qa_with_negative_without_cogmap.json",
}
Turn = Mapping[str, object]


@dataclass(frozen=True)
class ReleasedScene:
    """One panorama with its truth and its questions, as they are stored."""

    folder: Path
    truth: GridMap
    questions: Mapping[AskedSet, tuple[Question, ...]]
    pools: Mapping[AskedSet, tuple[str, ...]]
    """Classes named in the prompt for the map."""
    handedness: Handedness = "released"
    """Of the map: mirrored as the authors' are, unless the file says otherwise."""

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
    if (path / DATA).is_dir() and not any((inner / MAP_FILE).is_file() for inner in inside):
        inside = sorted((path / DATA).iterdir())
    yield from (inner for inner in inside if (inner / MAP_FILE).is_file())


def read_scene_folder(folder: Path) -> ReleasedScene:
    """Read a folder of the authors' layout. Which of the question files are there is up to the folder."""
    folder = folder.absolute()
    stored = _object(folder / MAP_FILE)
    truth = from_lists(stored.get("cognitive_map"))
    if (counts := stored.get("class_count")) is not None and counts != truth.counts:
        raise SceneFileError(f"{folder / MAP_FILE}: the counts of classes are not those of the map")
    turns: dict[AskedSet, list[Turn]] = {}
    for asked, suffix in FILES.items():
        if (file := folder / f"{folder.name}{suffix}").is_file():
            turns[asked] = read_conversation(file)
    return scene_of(folder, truth, turns, "true" if stored.get("handedness") == "true" else "released")


def scene_of(
    folder: Path, truth: GridMap, turns: Mapping[AskedSet, Sequence[Turn]], handedness: Handedness = "released"
) -> ReleasedScene:
    """A scene from its stored turns, the one for the map among them."""
    questions: dict[AskedSet, tuple[Question, ...]] = {}
    pools: dict[AskedSet, tuple[str, ...]] = {}
    for asked, stored in turns.items():
        questions[asked] = tuple(read_turn(turn) for turn in stored if not is_map(turn))
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
