"""What an ideal observer makes of a scene: how much of each score could be had from what the agent was told."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from tolman.belief.cognitive_map import Point
from tolman.benchmarks.theory_of_space.options import MapMode
from tolman.geometry import Cell

Verdict = Literal["right", "unlucky", "impossible"]
"""`unlucky`: wrong, but nothing that was told rules it out. `impossible`: it contradicts what was told."""


@dataclass(frozen=True)
class QuestionInsight:
    """One answer under the strict rules, against the best that could be expected of anyone who was told as much.

    Score, `exploration`, `reasoning` and `form` add up to 1.
    """

    call: str
    """Name of the call, such as `ask/none/direction/2`."""
    kind: str
    mode: MapMode
    score: float
    unread: bool
    """Whether no answer was found in the reply."""
    ceiling: float
    """Expected score of the best reply."""
    best: str
    """That reply."""

    @property
    def exploration(self) -> float:
        """Lost because it was never observed."""
        return 1.0 - self.ceiling

    @property
    def form(self) -> float:
        """Lost because the reply could not be read."""
        return self.ceiling if self.unread else 0.0

    @property
    def reasoning(self) -> float:
        """Lost though it was observed; below 0 for a lucky guess."""
        return 0.0 if self.unread else self.ceiling - self.score


@dataclass(frozen=True)
class StatedPosition:
    """Where a stated map puts one thing or door, in cells east and north of the start, held against the evidence."""

    name: str
    said: Point
    verdict: Verdict
    chance: float
    """Probability of the nearest cell, given what was told; for a name never mentioned, that of any cell."""


@dataclass(frozen=True)
class Overwritten:
    """A belief that was right in the map before and is wrong, or gone, in this one."""

    name: str
    before: Point
    after: Point | None
    verdict: Verdict | None
    """Of the new position; None where the name was dropped."""
    in_view: bool
    """Whether the thing was in view in this turn, so that what was said of it there was misread."""


@dataclass(frozen=True)
class StatedMap:
    """One global map as it was stated, against the evidence at that turn."""

    call: str
    """Name of the call, such as `explore/3/global/1`."""
    positions: tuple[StatedPosition, ...]
    """Without the agent; empty where the reply held no map."""
    overwritten: tuple[Overwritten, ...]
    score: float | None = None
    """Strict overall score against all that had been seen by then, and the agent."""
    ceiling: float | None = None
    """Expected score of the best map."""


@dataclass(frozen=True)
class TurnInsight:
    """What could be known after one turn of the exploration."""

    number: int
    """Of the reply, from 1, as in the names of calls; unreadable ones count."""
    gain: float
    """Information gain so far."""
    entropy: float
    """Bits that are unknown about all positions together."""
    marginals: Mapping[str, Mapping[Cell, float]]
    """Probabilities of positions, by name of all that was mentioned; cells east and north of the start."""
    stated: StatedMap | None
    """The map stated after this turn (the first, where it was asked for repeatedly)."""


@dataclass(frozen=True)
class SceneInsight:
    """Everything about one scene."""

    questions: tuple[QuestionInsight, ...]
    turns: tuple[TurnInsight, ...]
    """Turns of the exploration that could be read, in order."""
    final_ceiling: float | None
    """Expected correctness of the best map of the whole scene at the end of the exploration."""
    exact: bool
    """Whether every probability was counted, and none estimated from draws."""
