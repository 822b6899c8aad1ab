"""Which models pictures are made with: several sources in turn, the furniture pack if it is there, else built-in."""

import warnings
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import tolman.render
from tolman.core.errors import UnknownNameError
from tolman.core.seeds import digest
from tolman.render.assets.folder import folder_source
from tolman.render.assets.pack.source import pack_source
from tolman.render.assets.source import AssetError, AssetSource, Credit, DamagedAssetWarning, PackMissingError
from tolman.render.shapes.mesh import Asset
from tolman.world.vocabulary import KIND_BY_NAME


@dataclass(frozen=True)
class FallbackSource:
    """Several sources: the first one that has the kind gives it."""

    sources: tuple[AssetSource, ...]

    @property
    def name(self) -> str:
        """All names, in turn."""
        return ", then ".join(source.name for source in self.sources)

    @property
    def digest(self) -> str:
        """Of all, in turn."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        return digest([source.digest for source in self.sources])

    def kinds(self) -> frozenset[str]:
        """Of all together."""
        return frozenset[str]().union(*(source.kinds() for source in self.sources))

    def model(self, kind: str, seed: int) -> Asset:
        """From the first that has the kind."""
        source = next((source for source in self.sources if kind in source.kinds()), None)
        if source is None:
            raise UnknownNameError(f"no model of {kind!r} in {self.name}")
        return source.model(kind, seed)

    def credits(self) -> tuple[Credit, ...]:
        """Of all."""
        return tuple(credit for source in self.sources for credit in source.credits())


@dataclass(frozen=True)
class BuiltinSource:
    """Models that Tolman makes by itself: every kind, no download."""

    name: str = "built-in"

    @property
    def digest(self) -> str:
        """The code that makes the models is what they are."""
        return _builtin_code_digest()

    def kinds(self) -> frozenset[str]:
        """All of the vocabulary."""
        return frozenset(KIND_BY_NAME)

    def model(self, kind: str, seed: int) -> Asset:
        """A model of the kind; no two seeds give quite the same."""
        from tolman.render.assets.builtin.library import builtin_asset  # noqa: PLC0415 not all need all its makers

        return builtin_asset(kind, seed)

    def credits(self) -> tuple[Credit, ...]:
        """One for all."""
        return (Credit("all kinds", "built-in models", "the authors of Tolman", "MIT"),)


def builtin_source() -> AssetSource:
    """Models that need no download."""
    return BuiltinSource()


def default_source() -> AssetSource:
    """The pack for the kinds that it has and the built-in models for the rest; without a pack, the built-in ones."""
    try:
        return FallbackSource((pack_source(), BuiltinSource()))
    except PackMissingError:
        return BuiltinSource()
    except AssetError as error:
        warnings.warn(f"{error}; built-in models stand in", DamagedAssetWarning, stacklevel=2)
        return BuiltinSource()


def find_source(name: str) -> AssetSource:
    """The source that a word or path names: `auto`, `pack`, `built-in`, or a folder with GLB files and models.toml.

    What a folder has not comes from the default source.
    """
    if name == "auto":
        return default_source()
    if name == "built-in":
        return builtin_source()
    if name == "pack":
        return FallbackSource((pack_source(), BuiltinSource()))
    return FallbackSource((folder_source(Path(name)), default_source()))


@cache
def _builtin_code_digest() -> str:
    """A digest of all that makes built-in models."""
    folder = Path(str(tolman.render.__file__)).parent
    files = sorted([*folder.glob("assets/builtin/**/*.py"), *folder.glob("shapes/**/*.py")])
    return digest([file.read_text(encoding="utf-8") for file in files])
