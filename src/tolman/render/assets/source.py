"""The protocol of asset sources, credits of assets, and errors and warnings about missing or damaged ones."""

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TextIO

from tolman.core.errors import TolmanError
from tolman.render.shapes.mesh import Asset


@dataclass(frozen=True, order=True)
class Credit:
    """Kind, name, author and licence of one asset."""

    kind: str
    model: str
    author: str
    licence: str
    link: str = ""


def credit_lines(rows: Iterable[Credit]) -> list[str]:
    """Credits as lines of text, one per asset, sorted by author."""
    ordered = sorted(set(rows), key=lambda credit: (credit.author.lower(), credit.model, credit.kind))
    return [
        f"{row.model} ({row.kind}) by {row.author}, {row.licence}{', ' * bool(row.link)}{row.link}" for row in ordered
    ]


class AssetError(TolmanError):
    """An asset or the asset pack is missing or damaged."""


class PackMissingError(AssetError):
    """The furniture pack has not been fetched."""


class DamagedAssetWarning(UserWarning):
    """An asset or the asset pack is damaged and is replaced by others."""


class AssetSource(Protocol):
    """Assets by kind. The same kind and seed give the same asset as long as the digest is the same."""

    @property
    def name(self) -> str:
        """Its name for users."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 over all its assets: part of the identity of every picture made with them."""
        ...

    def kinds(self) -> frozenset[str]:
        """Kinds that it has assets of."""
        ...

    def asset(self, kind: str, seed: int, version: int = 1) -> Asset:
        """An asset of the kind with its size in a world version; the seed selects one of several. UnknownNameError for
        an unknown kind."""
        ...

    def credits(self) -> tuple[Credit, ...]:
        """Credits of all its assets."""
        ...


_default_showwarning = warnings.showwarning


def show_asset_warnings_in_one_line() -> None:
    """Print warnings of damaged assets as one line without source location, for the rest of the process."""
    warnings.showwarning = _show_in_one_line


def _show_in_one_line(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    if issubclass(category, DamagedAssetWarning):
        (file or sys.stderr).write(f"tolman: {message}\n")
    else:
        _default_showwarning(message, category, filename, lineno, file, line)
