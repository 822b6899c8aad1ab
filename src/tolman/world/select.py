"""Scene selection for commands: seeds, folders of released scenes, scene files, or a sealed split.

A sealed split has scenes from secret seeds with a published hash commitment that reveals nothing about them.
Publishing the file later proves that the scenes were chosen before the commitment. Seeds have 128 bits and all random
draws come from them, so that no scene can be recovered from its prompts by trying seeds; the nonce prevents testing
guessed scenes against the hash.
"""

import hashlib
import os
import re
import secrets
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from tolman.core.errors import GenerationError, SceneFileError, SettingsError
from tolman.core.files import read_json, validated
from tolman.core.seeds import canonical_json, is_secret, secret_seed
from tolman.world.files import find_released, read_released, read_scene
from tolman.world.generate import generate
from tolman.world.scene import Scene
from tolman.world.settings import WorldSettings

SEALED_FORMAT: Literal["tolman.sealed/2"] = "tolman.sealed/2"
OLD_FORMAT = "tolman.sealed/1"
MOST_SCENES = 10_000
_DOMAIN = b"tolman sealed split commitment\n"
_Count = Annotated[int, Field(ge=0, le=1000)]
_Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Seed = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
"""128 bits as text, because not every JSON parser reads numbers of this size exactly."""


class _SealedFile(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    format: Literal["tolman.sealed/2"]
    tolman: str = Field(pattern=r"^[0-9A-Za-z.+-]{1,60}$")
    settings: dict[str, _Count | list[_Count]] = Field(max_length=20)
    nonce: _Hex
    seeds: list[_Seed] = Field(min_length=1, max_length=MOST_SCENES)
    digests: list[_Hex] = Field(min_length=1, max_length=MOST_SCENES)


@dataclass(frozen=True)
class SealedSplit:
    """Secret seeds, and the digests of their scenes under the given settings."""

    tolman: str
    """Version that generated the scenes."""
    settings: WorldSettings
    nonce: str
    seeds: tuple[int, ...]
    digests: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """The split as JSON values: the content of the commitment."""
        settings = {k: list(v) if isinstance(v, tuple) else v for k, v in self.settings.as_dict().items()}  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
        return {
            "format": SEALED_FORMAT,
            "tolman": self.tolman,
            "settings": settings,
            "nonce": self.nonce,
            "seeds": [f"{seed:032x}" for seed in self.seeds],
            "digests": list(self.digests),
        }

    @cached_property
    def commitment(self) -> str:
        """SHA-256 of the split as 64 hexadecimal digits, to be published when it is sealed."""
        return hashlib.sha256(_DOMAIN + canonical_json(self.as_dict()).encode()).hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the scenes in logs, which identify the split and reveal no seed."""
        return tuple(f"sealed-{self.commitment[:8]}-{number:03}" for number in range(1, len(self.seeds) + 1))


def seal(count: int, settings: WorldSettings, tolman: str) -> SealedSplit:
    """Draw `count` different secret seeds, each of which gives a scene."""
    if not 1 <= count <= MOST_SCENES:
        raise SettingsError(f"a sealed split has 1 to {MOST_SCENES} scenes, not {count}")
    drawn: dict[int, str] = {}
    failures = 0
    while len(drawn) < count:
        seed = secret_seed()
        try:
            drawn[seed] = generate(seed, settings).digest
        except GenerationError:
            failures += 1
            if failures > 100:
                raise
    return SealedSplit(tolman, settings, secrets.token_hex(32), tuple(drawn), tuple(drawn.values()))


def write_sealed(split: SealedSplit, path: Path) -> None:
    """Write a file that only its owner can read. An existing file is never replaced: it may hold an older secret."""
    text = canonical_json(split.as_dict()) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
    except FileExistsError:
        raise SettingsError(f"{path} already exists and may hold another split; name another file") from None
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def restrict_new_files() -> None:
    """Make files that this process creates from now on readable by their owner only: logs of sealed scenes hold their
    seeds."""
    os.umask(os.umask(0o077) | 0o077)


def is_sealed(values: object) -> bool:
    """Whether the values of a JSON file are those of a sealed split, of any version."""
    return isinstance(values, Mapping) and str(values.get("format", "")).startswith("tolman.sealed/")  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def sealed_from_dict(values: object) -> SealedSplit:
    """The split of the values from `as_dict`; raises a `SceneFileError` for anything else."""
    if isinstance(values, Mapping) and values.get("format") == OLD_FORMAT:  # pyright: ignore[reportUnknownMemberType]
        raise SceneFileError(
            "it was sealed by an earlier version with seeds of 48 bits: whoever has the first prompt of a scene can "
            "find its seed, and so the whole scene, by trying all. Seal a new split with `tolman seal`"
        )
    file = validated(_SealedFile, values, f"not a {SEALED_FORMAT} split")
    seeds = tuple(int(seed, 16) for seed in file.seeds)
    if len(set(seeds)) != len(seeds) or len(seeds) != len(file.digests):
        raise SceneFileError(
            f"not a {SEALED_FORMAT} split: its seeds are not all different, or not as many as its digests"
        )
    if not all(map(is_secret, seeds)):
        raise SceneFileError(f"not a {SEALED_FORMAT} split: one of its seeds is too small to be a secret")
    return SealedSplit(file.tolman, _settings(file.settings), file.nonce, seeds, tuple(file.digests))


def _settings(values: Mapping[str, int | list[int]]) -> WorldSettings:
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
    with suppress(TypeError, ValueError):
        settings = WorldSettings(**plain)  # pyright: ignore[reportArgumentType]
        if settings.as_dict().keys() == plain.keys():
            return settings
    raise SceneFileError(f"not a {SEALED_FORMAT} split: its settings are not those of a world")


def read_sealed(path: Path) -> SealedSplit:
    """Read the file that `write_sealed` wrote."""
    values = read_json(path)
    try:
        return sealed_from_dict(values)
    except SceneFileError as error:
        raise SceneFileError(f"{path}: {error}") from None


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
