"""Scene selection for commands: seeds, folders of released scenes, scene files, or a sealed split."""

import re
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.files import read_json
from tolman.world.files import find_released, read_released, read_scene
from tolman.world.generate import generate
from tolman.world.scene import Scene
from tolman.world.sealed import SealedSplit, is_sealed, read_sealed, restrict_new_files
from tolman.world.settings import WorldSettings

_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_MAX_SEEDS = 1_000_000


@dataclass(frozen=True)
class SceneChoice:
    """A scene to load: generated from a seed, or read from a file or folder. `seed` also seeds random explorers."""

    seed: int
    settings: WorldSettings
    path: Path | None = None
    name: str = ""
    """Its label if its seed is a secret."""
    digest: str = ""
    """The digest that it must have, if it is sealed."""

    def load(self) -> Scene:
        if self.path is not None:
            return read_scene(self.path) if self.path.is_file() else read_released(self.path)
        scene = generate(self.seed, self.settings)
        if self.digest not in ("", scene.digest):
            raise SceneFileError(f"{self.name} differs from the sealed scene; use the Tolman version that sealed it")
        return replace(scene, label=self.name) if self.name else scene


def choose_scenes(text: str, settings: WorldSettings | None = None) -> list[SceneChoice]:
    """Scenes given by `7`, `0-49`, `0-9,20-29`, a folder of released scenes, a scene file, or a sealed split.

    A sealed split has its own settings, and files created after it was chosen are readable by their owner only.
    """
    settings = settings or WorldSettings()
    seeds = seeds_in(text)
    if seeds is not None:
        return [SceneChoice(seed, settings) for seed in seeds]
    path = Path(text)
    if path.is_file():
        if not is_sealed(read_json(path)):
            return [SceneChoice(0, settings, path)]
        choices = sealed_choices(read_sealed(path))
        restrict_new_files()
        return choices
    folders = find_released(path) if path.is_dir() else []
    if not folders:
        problem = "holds no released scene (meta_data.json)" if path.is_dir() else "is neither a seed range nor a path"
        raise SettingsError(f"--scenes {text!r} {problem}; give seeds such as 0-49, a folder, or a file")
    return [SceneChoice(number, settings, folder) for number, folder in enumerate(folders)]


def seeds_in(text: str) -> list[int] | None:
    """The seeds of `7`, `0-49` or `0-9,20-29`; None for any other text. Refuses repeated seeds."""
    parts = [_RANGE.fullmatch(part.strip()) for part in text.split(",")]
    if not all(parts):
        return None
    ranges = [_seed_range(part) for part in parts if part]
    if sum(map(len, ranges)) > _MAX_SEEDS:
        raise SettingsError(f"{text[:60]!r} names more than {_MAX_SEEDS:,} seeds; name fewer")
    seeds = dict.fromkeys(seed for each in ranges for seed in each)
    if len(seeds) < sum(map(len, ranges)):
        repeated = next(seed for seed, times in Counter(seed for each in ranges for seed in each).items() if times > 1)
        raise SettingsError(f"{text[:60]!r} names {repeated} more than once; name each seed once, such as 0-49")
    return list(seeds)


def sealed_choices(split: SealedSplit) -> list[SceneChoice]:
    """The scenes of a sealed split, with names that reveal no seed."""
    return [
        SceneChoice(seed, split.settings, name=name, digest=digest)
        for seed, name, digest in zip(split.seeds, split.names, split.digests, strict=True)
    ]


def _seed_range(part: re.Match[str]) -> range:
    first, last = int(part[1]), int(part[2] or part[1])
    if last < first or last - first >= _MAX_SEEDS:
        raise SettingsError(f"the seed range {part[0]} is empty or too long; write FIRST-LAST, such as 0-49")
    return range(first, last + 1)
