"""The actions of an agent, as values. A turn is any number of moves ended by one final action."""

from dataclasses import dataclass
from typing import Literal

from tolman.world import Change


@dataclass(frozen=True, slots=True)
class Goto:
    """Move onto a thing or into a doorway that is in view; the heading stays."""

    name: str

    def __str__(self) -> str:
        return f"Goto({self.name})"


@dataclass(frozen=True, slots=True)
class Rotate:
    """Turn on the spot, clockwise degrees."""

    degrees: int

    def __str__(self) -> str:
        return f"Rotate({self.degrees})"


@dataclass(frozen=True, slots=True)
class Observe:
    """List what is in the field of view. Costs 1."""

    def __str__(self) -> str:
        return "Observe()"


@dataclass(frozen=True, slots=True)
class Query:
    """Ask for the exact position of something seen before. Costs 2."""

    name: str

    def __str__(self) -> str:
        return f"Query({self.name})"


@dataclass(frozen=True, slots=True)
class Term:
    """End the phase; in the revision phase, with a report of what changed."""

    changes: tuple[Change, ...] | None = None

    def __str__(self) -> str:
        if self.changes is None:
            return "Term()"
        report = ", ".join(f"{change.name}: {change.kind}" for change in self.changes)
        return f'Term(changes="{report}")'


Move = Goto | Rotate
Final = Observe | Query | Term
Action = Move | Final
Phase = Literal["explore", "revise"]

COST = {Observe: 1, Query: 2, Term: 0}
ROTATIONS = (0, 90, -90, 180, -180, 270, -270)


@dataclass(frozen=True, slots=True)
class Actions:
    """What an agent does in one turn: moves in order, then one final action."""

    moves: tuple[Move, ...]
    final: Final

    def __str__(self) -> str:
        """The published notation: `Actions: [Rotate(90), Goto(sofa), Observe()]`."""
        return f"Actions: [{', '.join(map(str, (*self.moves, self.final)))}]"
