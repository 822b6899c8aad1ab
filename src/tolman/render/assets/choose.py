"""Choice of the asset source: the furniture pack if it was fetched, built-in assets, or a folder with fallbacks."""

import warnings
from dataclasses import dataclass
from pathlib import Path

from tolman.core.errors import UnknownNameError
from tolman.core.seeds import digest, rng
from tolman.render.assets.folder import folder_source
from tolman.render.assets.pack.source import pack_source
from tolman.render.assets.source import AssetError, AssetSource, Credit, DamagedAssetWarning, PackMissingError
from tolman.render.assets.textures.source import TextureSource, texture_source
from tolman.render.shapes.mesh import Asset
from tolman.world.vocabulary import KIND_BY_NAME


@dataclass(frozen=True)
class FallbackSource:
    """Several sources; each kind comes from the first one that has it.

    Where that one has fewer than `least` assets of a kind, the next one that has the kind makes up the number.
    """

    sources: tuple[AssetSource, ...]
    least: int = 1

    @property
    def name(self) -> str:
        return ", then ".join(source.name for source in self.sources)

    @property
    def digest(self) -> str:
        """Over the digests of all sources."""
        return digest([self.least, *(source.digest for source in self.sources)])

    def kinds(self) -> frozenset[str]:
        return frozenset[str]().union(*(source.kinds() for source in self.sources))

    def asset(self, kind: str, seed: int, version: int = 1) -> Asset:
        owners = self.owners(kind)
        if not owners:
            raise UnknownNameError(f"there is no asset of {kind!r} in {self.name}")
        first = int(rng(seed, "asset source", kind).integers(self.least)) < self._count(kind) if owners[1:] else True
        return owners[0 if first else 1].asset(kind, seed, version)

    def owners(self, kind: str) -> tuple[AssetSource, ...]:
        """The sources that assets of a kind come from: one, or two where the first has too few."""
        owners = tuple(source for source in self.sources if kind in source.kinds())
        return owners[: 2 if owners and self._count(kind) < self.least else 1]

    def _count(self, kind: str) -> int:
        """Assets of a kind in the first source that has it; as many as are needed where they are generated."""
        if self.least == 1:
            return 1
        source = next(source for source in self.sources if kind in source.kinds())
        return sum(credit.kind == kind for credit in source.credits()) or self.least

    def credits(self) -> tuple[Credit, ...]:
        return tuple(credit for source in self.sources for credit in source.credits())


LEAST_ASSETS = 4
"""Of each kind, where the furniture pack is used: built-in ones make up the number."""
BUILTIN_VERSION = 3
"""Raised whenever a built-in asset changes, so that stored pictures of it are made again."""


@dataclass(frozen=True)
class BuiltinSource:
    """Procedural assets of every kind, without a download."""

    name: str = "built-in"

    @property
    def digest(self) -> str:
        return digest(["built-in", BUILTIN_VERSION])

    def kinds(self) -> frozenset[str]:
        return frozenset(KIND_BY_NAME)

    def asset(self, kind: str, seed: int, version: int = 1) -> Asset:
        """An asset of the kind; every seed gives a different one."""
        from tolman.render.assets.builtin.library import builtin_asset  # noqa: PLC0415 imported only when needed

        return builtin_asset(kind, seed, version)

    def credits(self) -> tuple[Credit, ...]:
        return (Credit("all kinds", "built-in models", "the authors of Tolman", "MIT"),)


def builtin_source() -> AssetSource:
    return BuiltinSource()


def default_source() -> AssetSource:
    """The furniture and texture packs as far as they were fetched, and built-in assets for kinds that they lack."""
    fetched: list[AssetSource] = []
    for open_pack in (pack_source, texture_source):
        try:
            fetched.append(open_pack())
        except PackMissingError:
            continue
        except AssetError as error:
            warnings.warn(f"{error}; built-in assets are used instead", DamagedAssetWarning, stacklevel=2)
    return FallbackSource((*fetched, BuiltinSource()), LEAST_ASSETS) if fetched else BuiltinSource()


def surface_pack(source: AssetSource) -> TextureSource | None:
    """The texture pack that is part of a source; None where finishes are made here."""
    if isinstance(source, TextureSource):
        return source
    parts = source.sources if isinstance(source, FallbackSource) else ()
    return next((pack for part in parts if (pack := surface_pack(part)) is not None), None)


def find_source(name: str) -> AssetSource:
    """The source called `auto`, `pack` or `built-in`, or of a folder with GLB files and models.toml.

    Kinds that a folder lacks come from the default source; `pack` is the furniture pack without fetched textures.
    """
    if name == "auto":
        return default_source()
    if name == "built-in":
        return builtin_source()
    if name == "pack":
        return FallbackSource((pack_source(), BuiltinSource()), LEAST_ASSETS)
    return FallbackSource((folder_source(Path(name)), default_source()))
