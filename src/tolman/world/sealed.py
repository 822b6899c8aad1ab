"""A sealed split: scenes from secret seeds, promised beforehand by a hash that gives nothing away.

Who publishes the commitment can later open the file and prove that the scenes were chosen then, and not since. Seeds
have 128 bits, and all draws come from them: nothing that a model is told of a scene can be used to find the rest of it
by trying seeds. The nonce keeps anyone from trying out scenes against the hash.
"""

import hashlib
import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from tolman.core.errors import GenerationError, SceneFileError, SettingsError
from tolman.core.files import read_json
from tolman.core.seeds import canonical_json, is_secret, secret_seed
from tolman.world.generate import generate
from tolman.world.settings import WorldSettings

SEALED_FORMAT: Literal["tolman.sealed/2"] = "tolman.sealed/2"
OLD_FORMAT = "tolman.sealed/1"
MOST_SCENES = 10_000
_DOMAIN = b"tolman sealed split commitment\n"
_Count = Annotated[int, Field(ge=0, le=1000)]
_Hex = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_Seed = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
"""128 bits; a number of this size is not exact in every reader of JSON."""


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
    """Secret seeds with the digests of the scenes that they make under some settings."""

    tolman: str
    """Version that made the scenes."""
    settings: WorldSettings
    nonce: str
    seeds: tuple[int, ...]
    digests: tuple[str, ...]

    def as_dict(self) -> dict[str, object]:
        """Plain values, ready for JSON: all that the commitment is about."""
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
        """SHA-256 of all of it, as 64 hexadecimal digits. It can be published at once."""
        return hashlib.sha256(_DOMAIN + canonical_json(self.as_dict()).encode()).hexdigest()

    @property
    def names(self) -> tuple[str, ...]:
        """What the scenes are called in logs: they tell which split, and no seed."""
        return tuple(f"sealed-{self.commitment[:8]}-{number:03}" for number in range(1, len(self.seeds) + 1))


def seal(count: int, settings: WorldSettings, tolman: str) -> SealedSplit:
    """Draw so many secret seeds, all different, each of a scene that can be made."""
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
    """Write a file that only its owner can read. One that is there already is kept: it may hold an older secret."""
    text = canonical_json(split.as_dict()) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(text)
    except FileExistsError:
        raise SettingsError(f"{path} is there already, and may hold another split; name another file") from None
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def restrict_new_files() -> None:
    """From now on, files that this process makes can be read by their owner only: what is about sealed scenes may
    hold their seeds, as logs do."""
    os.umask(os.umask(0o077) | 0o077)


def is_sealed(values: object) -> bool:
    """Whether the values of a JSON file say that it is a sealed split, of whatever version."""
    return isinstance(values, Mapping) and str(values.get("format", "")).startswith("tolman.sealed/")  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def sealed_from_dict(values: object) -> SealedSplit:
    """The split that `as_dict` told of; a `SceneFileError` says what is wrong with anything else."""
    if isinstance(values, Mapping) and values.get("format") == OLD_FORMAT:  # pyright: ignore[reportUnknownMemberType]
        raise SceneFileError(
            "it was sealed by an earlier version, from seeds of 48 bits: who is sent the first prompt of a scene can "
            "find its seed by trying all, and with it the whole scene. Seal a new split with `tolman seal`"
        )
    try:
        file = _SealedFile.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise SceneFileError(f"not a {SEALED_FORMAT} split: {place}: {first['msg']}") from None
    seeds = tuple(int(seed, 16) for seed in file.seeds)
    if len(set(seeds)) != len(seeds) or len(seeds) != len(file.digests):
        raise SceneFileError(
            f"not a {SEALED_FORMAT} split: its seeds are not all different, or not as many as its digests"
        )
    if not all(map(is_secret, seeds)):
        raise SceneFileError(f"not a {SEALED_FORMAT} split: a seed of it is too small to be a secret")
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
