"""Which scenes a command means: seeds to generate from, the authors' folders, or scene files."""

import re
from dataclasses import dataclass
from pathlib import Path

from tolman.errors import SettingsError
from tolman.world.files import read_scene
from tolman.world.generate import generate
from tolman.world.released import find_released, read_released
from tolman.world.scene import Scene
from tolman.world.settings import WorldSettings

_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_MOST = 1_000_000


@dataclass(frozen=True)
class SceneChoice:
    """One scene to come: made from a seed, or read from a file or folder. `seed` also feeds random explorers."""

    seed: int
    settings: WorldSettings
    path: Path | None = None

    def load(self) -> Scene:
        """The scene itself."""
        if self.path is None:
            return generate(self.seed, self.settings)
        return read_scene(self.path) if self.path.is_file() else read_released(self.path)


def choose_scenes(text: str, settings: WorldSettings | None = None) -> list[SceneChoice]:
    """Scenes named by `7`, `0-49`, `0-9,20-29`, a folder of released scenes, or a scene file of ours."""
    settings = settings or WorldSettings()
    parts = [_RANGE.fullmatch(part.strip()) for part in text.split(",")]
    if all(parts):
        seeds = [seed for part in parts if part for seed in _seeds(part)]
        return [SceneChoice(seed, settings) for seed in seeds]
    path = Path(text)
    if path.is_file():
        return [SceneChoice(0, settings, path)]
    folders = find_released(path) if path.is_dir() else []
    if not folders:
        problem = (
            "holds no released scene (meta_data.json)" if path.is_dir() else "is neither a seed range nor a folder"
        )
        raise SettingsError(f"--scenes {text!r} {problem}; give seeds such as 0-49, a folder, or a scene file")
    return [SceneChoice(number, settings, folder) for number, folder in enumerate(folders)]


def _seeds(part: re.Match[str]) -> range:
    first, last = int(part[1]), int(part[2] or part[1])
    if last < first or last - first >= _MOST:
        raise SettingsError(f"the seed range {part[0]} is empty or too long; write FIRST-LAST, such as 0-49")
    return range(first, last + 1)
