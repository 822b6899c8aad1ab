"""Which models pictures are made with: the furniture pack for what it has, when it was fetched, else built-in ones."""

import warnings
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import tolman.render
from tolman.render.assets.credits import Credit
from tolman.render.assets.folder import folder_source
from tolman.render.assets.in_turn import InTurn
from tolman.render.assets.pack.source import pack_source
from tolman.render.assets.source import AssetError, DamagedPart, NoPack, Source
from tolman.render.shapes.model import Model
from tolman.seeds import digest
from tolman.world.vocabulary import KIND_BY_NAME


@dataclass(frozen=True)
class BuiltIn:
    """Models that Tolman makes by itself: every kind, no download."""

    name: str = "built-in"

    @property
    def digest(self) -> str:
        """The code that makes the models is what they are."""
        return _code()

    def kinds(self) -> frozenset[str]:
        """All of the vocabulary."""
        return frozenset(KIND_BY_NAME)

    def model(self, kind: str, seed: int) -> Model:
        """A model of the kind; no two seeds give quite the same."""
        from tolman.render.assets.builtin.library import builtin_model  # noqa: PLC0415 not all need all its makers

        return builtin_model(kind, seed)

    def credits(self) -> tuple[Credit, ...]:
        """One for all."""
        return (Credit("all kinds", "built-in models", "the authors of Tolman", "MIT"),)


def builtin_source() -> Source:
    """Models that need no download."""
    return BuiltIn()


def default_source() -> Source:
    """The pack for the kinds that it has and the built-in models for the rest; without a pack, the built-in ones."""
    try:
        return InTurn((pack_source(), BuiltIn()))
    except NoPack:
        return BuiltIn()
    except AssetError as error:
        warnings.warn(f"{error}; built-in models stand in", DamagedPart, stacklevel=2)
        return BuiltIn()


def find_source(name: str) -> Source:
    """The source that a word or path names: `auto`, `pack`, `built-in`, or a folder with GLB files and models.toml.

    What a folder has not comes from the default source.
    """
    if name == "auto":
        return default_source()
    if name == "built-in":
        return builtin_source()
    if name == "pack":
        return InTurn((pack_source(), BuiltIn()))
    return InTurn((folder_source(Path(name)), default_source()))


@cache
def _code() -> str:
    """A digest of all that makes built-in models."""
    folder = Path(str(tolman.render.__file__)).parent
    files = sorted([*folder.glob("assets/builtin/**/*.py"), *folder.glob("shapes/**/*.py")])
    return digest([file.read_text(encoding="utf-8") for file in files])
