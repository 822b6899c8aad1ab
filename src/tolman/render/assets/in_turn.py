"""Several sources as one: what the first has not, the next gives."""

from dataclasses import dataclass
from functools import cached_property

from tolman.errors import UnknownNameError
from tolman.render.assets.credits import Credit
from tolman.render.assets.source import Source
from tolman.render.shapes.model import Model
from tolman.seeds import digest


@dataclass(frozen=True)
class InTurn:
    """Several sources: the first one that has the kind gives it."""

    sources: tuple[Source, ...]

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

    def model(self, kind: str, seed: int) -> Model:
        """From the first that has the kind."""
        source = next((source for source in self.sources if kind in source.kinds()), None)
        if source is None:
            raise UnknownNameError(f"no model of {kind!r} in {self.name}")
        return source.model(kind, seed)

    def credits(self) -> tuple[Credit, ...]:
        """Of all."""
        return tuple(credit for source in self.sources for credit in source.credits())
