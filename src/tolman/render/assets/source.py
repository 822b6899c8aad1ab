"""What a source of models is, and whom to thank: author and licence of every model that pictures may show."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from tolman.errors import TolmanError
from tolman.render.shapes.model import Model


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


class NoPack(AssetError):
    """The furniture pack was never fetched."""


class DamagedPart(UserWarning):
    """A model or a pack is damaged, so others stand in for it."""


class Source(Protocol):
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

    def model(self, kind: str, seed: int) -> Model:
        """A model of the kind; the seed picks one of several. UnknownNameError for a kind that it has not."""
        ...

    def credits(self) -> tuple[Credit, ...]:
        """Every model that it may give."""
        ...
