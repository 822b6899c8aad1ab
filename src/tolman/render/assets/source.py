"""What a source of models is: anything that has a model for a kind of thing, and can say whose it is."""

from typing import Protocol

from tolman.errors import TolmanError
from tolman.render.assets.credits import Credit
from tolman.render.shapes.model import Model


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
