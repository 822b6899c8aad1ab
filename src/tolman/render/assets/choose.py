"""Choice of the asset source: the furniture pack if it was fetched, built-in assets, or a folder with fallbacks."""

import warnings
from dataclasses import dataclass
from pathlib import Path

from tolman.core.errors import UnknownNameError
from tolman.core.seeds import digest
from tolman.render.assets.folder import folder_source
from tolman.render.assets.pack.source import pack_source
from tolman.render.assets.source import AssetError, AssetSource, Credit, DamagedAssetWarning, PackMissingError
from tolman.render.assets.textures.source import TextureSource, texture_source
from tolman.render.shapes.mesh import Asset
from tolman.world.vocabulary import KIND_BY_NAME


@dataclass(frozen=True)
class FallbackSource:
    """Several sources; each kind comes from the first one that has it."""

    sources: tuple[AssetSource, ...]

    @property
    def name(self) -> str:
        return ", then ".join(source.name for source in self.sources)

    @property
    def digest(self) -> str:
        """Over the digests of all sources."""
        return digest([source.digest for source in self.sources])

    def kinds(self) -> frozenset[str]:
        return frozenset[str]().union(*(source.kinds() for source in self.sources))

    def asset(self, kind: str, seed: int) -> Asset:
        source = next((source for source in self.sources if kind in source.kinds()), None)
        if source is None:
            raise UnknownNameError(f"there is no asset of {kind!r} in {self.name}")
        return source.asset(kind, seed)

    def credits(self) -> tuple[Credit, ...]:
        return tuple(credit for source in self.sources for credit in source.credits())


BUILTIN_VERSION = 1
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

    def asset(self, kind: str, seed: int) -> Asset:
        """An asset of the kind; every seed gives a different one."""
        from tolman.render.assets.builtin.library import builtin_asset  # noqa: PLC0415 imported only when needed

        return builtin_asset(kind, seed)

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
    return FallbackSource((*fetched, BuiltinSource())) if fetched else BuiltinSource()


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
        return FallbackSource((pack_source(), BuiltinSource()))
    return FallbackSource((folder_source(Path(name)), default_source()))
