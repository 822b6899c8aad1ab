"""What a tour asks about the place it goes through: of someone who has the floor plan, or of someone who only heard.

Rooms are numbers. What they are counted by is the place's own affair; a tour only compares them.
"""

from typing import Protocol

from tolman.explore.agents.acquaintance import Look
from tolman.geometry import Heading
from tolman.sense import Observation

Way = tuple[int, str]
"""A room and the door that leads there."""


class Place(Protocol):
    """Names, rooms, doors and ways, as far as they are known."""

    @property
    def names(self) -> tuple[str, ...]:
        """All things and doors there are, seen or not."""
        ...

    @property
    def extent(self) -> int:
        """Cells from the start within which everything lies."""
        ...

    @property
    def first_room(self) -> int:
        """The room in which the tour starts."""
        ...

    def learn(self, observation: Observation) -> None:
        """Take in one look."""
        ...

    def rooms_of(self, name: str) -> tuple[int, ...]:
        """The rooms that something is known to be in: two for a door."""
        ...

    def names_in(self, room: int) -> tuple[str, ...]:
        """What is known to be in a room, doors included, in the order of `names`."""
        ...

    def ways_on(self, room: int) -> tuple[Way, ...]:
        """The rooms next to a room, each with its door, in the order in which a tour should take them."""
        ...

    def into(self, door: str, room: int) -> Heading:
        """The heading of someone who walks through a door into a room."""
        ...

    def route(self, origin: str, name: str) -> tuple[Look, ...]:
        """Places to go to one after the other, each with the heading to face before; empty if no way is known."""
        ...
