"""What a source of assets is, the credits of assets, and errors and warnings about missing or damaged ones."""

import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TextIO

from tolman.core.errors import TolmanError
from tolman.render.shapes.mesh import Asset


@dataclass(frozen=True, order=True)
class Credit:
    """One model: what it stands for, its own name, who made it, and on what terms."""

    kind: str
    model: str
    author: str
    licence: str
    link: str = ""


def credit_lines(rows: Iterable[Credit]) -> list[str]:
    """Credits as lines of plain text, one a model, by author: fit for the end of a paper or a page."""
    ordered = sorted(set(rows), key=lambda credit: (credit.author.lower(), credit.model, credit.kind))
    return [
        f"{row.model} ({row.kind}) by {row.author}, {row.licence}{', ' * bool(row.link)}{row.link}" for row in ordered
    ]


class AssetError(TolmanError):
    """A model or a pack of models is missing or damaged."""


class PackMissingError(AssetError):
    """The furniture pack was never fetched."""


class DamagedAssetWarning(UserWarning):
    """A model or a pack is damaged, so others stand in for it."""


class AssetSource(Protocol):
    """Models of things. The same kind and seed give the same model, as long as the digest is the same."""

    @property
    def name(self) -> str:
        """A word for people."""
        ...

    @property
    def digest(self) -> str:
        """SHA-256 over all its models: part of the identity of every picture that is made with them."""
        ...

    def kinds(self) -> frozenset[str]:
        """Kinds of things that it has a model for."""
        ...

    def model(self, kind: str, seed: int) -> Asset:
        """A model of the kind; the seed picks one of several. UnknownNameError for a kind that it has not."""
        ...

    def credits(self) -> tuple[Credit, ...]:
        """Every model that it may give."""
        ...


_default_showwarning = warnings.showwarning


def show_asset_warnings_in_one_line() -> None:
    """From now on, warnings of damaged models are single lines without places in the code. For whole programs only."""
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
