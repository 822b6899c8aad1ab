"""The hosted form of a set: two tables of questions, `qa.csv` and `qa_with_negative.csv`, and a folder of panoramas.

The true map is the answer of the turn that asks for it, written as Python would print it.
"""

import ast
import csv
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from tolman.benchmarks.osr_bench.grid_map import GridMap, from_lists
from tolman.benchmarks.osr_bench.question import AskedSet
from tolman.benchmarks.osr_bench.question_reading import is_map
from tolman.benchmarks.osr_bench.released_files import ReleasedScene, Turn, find_scenes, read_scene_folder, scene_of
from tolman.errors import SceneFileError
from tolman.limits import TABLE_FILE, check_file

TABLES: dict[AskedSet, str] = {"standard": "qa.csv", "negative": "qa_with_negative.csv"}
COLUMNS = ("image_id", "turn_id", "question", "answer", "skills_tested")
_LONGEST = 100_000
"""Characters of a map; 10 by 10 cells take about two thousand."""


def read_scenes(path: Path) -> Iterator[ReleasedScene]:
    """The scenes of a folder: of one scene, of several, or of a hosted set, whichever it is."""
    folders = list(find_scenes(path)) if path.is_dir() else []
    if folders:
        return map(read_scene_folder, folders)
    if not is_hosted(path):
        raise SceneFileError(f"{path} holds neither scenes (cognitive_map.json) nor a hosted set (qa.csv)")
    return read_hosted(path)


def is_hosted(path: Path) -> bool:
    """Whether a folder is a set in its hosted form."""
    return any((path / table).is_file() for table in TABLES.values())


def read_hosted(path: Path) -> Iterator[ReleasedScene]:
    """The scenes of a hosted set, in the order of its tables."""
    scenes: dict[str, dict[AskedSet, list[Turn]]] = {}
    for asked, table in TABLES.items():
        if (path / table).is_file():
            for row in read_table(path / table, COLUMNS):
                scenes.setdefault(row["image_id"], {}).setdefault(asked, []).append(row)
    for image, turns in scenes.items():
        maps = [turn for stored in turns.values() for turn in stored if is_map(turn)]
        if not maps:
            raise SceneFileError(f"{path}: no row holds the map of {image[:200]!r}")
        yield scene_of(_folder(path, image), read_stored_map(str(maps[0]["answer"])), turns)


def read_table(file: Path, columns: tuple[str, ...]) -> Iterator[Mapping[str, str]]:
    """The rows of a CSV file that has at least some columns."""
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
        raise SceneFileError(f"{file} is no CSV file: {error}") from None


def read_stored_map(text: str) -> GridMap:
    """A map that was written as a list of lists of lists of names; nothing of it is ever run."""
    try:
        value: object = ast.literal_eval(text.strip()) if len(text) <= _LONGEST else None
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        value = None
    if value is None:
        raise SceneFileError(f"this is no map of cells: {text[:80]!r}")
    return from_lists(value)


def _folder(path: Path, image: str) -> Path:
    """The folder of a panorama, which is somewhere below that of the set."""
    place = PurePosixPath(image.replace("\\", "/"))
    if place.is_absolute() or ".." in place.parts or len(place.parts) < 2:
        raise SceneFileError(f"{image[:200]!r} is no panorama of {path}: it should be data/FOLDER/rgb.png")
    return path.absolute() / place.parent
