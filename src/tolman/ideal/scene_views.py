"""What is in view in many possible scenes at once, and how likely a question about a view is in each of them.

A question is drawn from the true scene, so a scene in which it would be asked more often is more probable. How
questions are drawn is written in `tolman.ask`; here are the same probabilities, up to a factor that all scenes share.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tolman.ask.views import MOST_SHOWN
from tolman.core.bins import FacingLabel, WallLabel, wall_label
from tolman.core.geometry import Heading
from tolman.ideal.generative import WeightedScenes
from tolman.ideal.labels import BEYOND, DISTANCE, EGO, FRONTLESS, QUARTERS, SAME, LabelTables, label_tables
from tolman.ideal.question_content import AnswerCases, BestAnswer
from tolman.ideal.scene_prior import Bools, Floats, Ints
from tolman.sense import Sighting
from tolman.world import START

_INWARD = {wall_label(Heading(quarter), Heading.NORTH): quarter for quarter in range(4)}


@dataclass(frozen=True, eq=False)
class SceneViews:
    """Possible scenes as arrays over all things and doors, things first, in the order of the brief."""

    scenes: WeightedScenes
    rows: Ints
    """The rows of the scenes that count here; arrays have a row for each."""

    @staticmethod
    def of(scenes: WeightedScenes) -> "SceneViews":
        """All scenes."""
        return SceneViews(scenes, np.arange(len(scenes)))

    def take(self, kept: Ints) -> "SceneViews":
        """Some of the rows."""
        return SceneViews(self.scenes, self.rows[kept])

    @property
    def names(self) -> tuple[str, ...]:
        return self.scenes.brief.names

    @property
    def things(self) -> int:
        """Number of things, which are before the doors."""
        return len(self.scenes.brief.things)

    @cached_property
    def weights(self) -> Floats:
        return self.scenes.weights[self.rows]

    @property
    def picking(self) -> Bools:
        """The rows that a reply is chosen by. Its expected score is taken over the others, or it would be too high."""
        return np.full(len(self.rows), self.scenes.exact) | (self.rows % 2 == 0)

    @property
    def labels(self) -> LabelTables:
        return label_tables(64)

    def index(self, name: str) -> int:
        """The index of a thing or door."""
        return self.names.index(name)

    def at(self, name: str) -> Ints:
        """The cells of one name, of shape (scenes, 2)."""
        return self.scenes.cells[name][self.rows]

    @cached_property
    def cells(self) -> Ints:
        """Of shape (scenes, names, 2)."""
        return np.stack([self.at(name) for name in self.names], axis=1)

    @cached_property
    def fronts(self) -> Ints:
        """Of shape (scenes, things)."""
        return np.stack([self.scenes.fronts[name][self.rows] for name in self.scenes.brief.things], axis=1)

    @cached_property
    def lows(self) -> Ints:
        """The corners of all rooms, of shape (scenes, rooms, 2)."""
        return self.scenes.lows[self.rows]

    @cached_property
    def inside(self) -> Ints:
        """The rooms of every name as bits, of shape (scenes, names); a door has two."""
        beyond = 1 << np.stack([self.scenes.rooms[name][self.rows] for name in self.names], axis=1)
        beyond[:, self.things :] |= 1
        return beyond

    @cached_property
    def walls(self) -> Ints:
        """For every door the wall of the start's room that holds it, as a heading; of shape (scenes, doors)."""
        cells = self.cells[:, self.things :]
        low, side = self.lows[:, 0], self.scenes.prior.side
        x, y = cells[..., 0] - low[:, 0, None], cells[..., 1] - low[:, 1, None]
        return np.select([y == side, x == side, y == -1], [0, 1, 2], 3)

    def is_free(self, seen: Sighting) -> bool:
        """Whether the facing of a thing that is shown was never told.

        It is then as shown in one scene of four, whatever else they hold, and is not compared: it has the true heading
        of the pose only.
        """
        return isinstance(seen.detail, FacingLabel) and seen.name not in self.scenes.told.fronts

    def look(self, at: Ints, heading: Ints | int, rooms: Ints, only: Sequence[Sighting] | None = None) -> "View":
        """The view from cells of some rooms (as bits); `at` is of shape (scenes, 2) or (scenes, poses, 2).

        With `only`, just those names are looked for.
        """
        columns = np.arange(len(self.names)) if only is None else np.array([self.index(seen.name) for seen in only])
        cells, inside = self.cells[:, columns], self.inside[:, columns]
        if at.ndim == 3:
            cells, inside = cells[:, None], inside[:, None]
        turned = heading if isinstance(heading, int) else heading[..., None]
        direction, distance = self.labels.seen(cells - at[..., None, :], turned)
        visible = (direction != BEYOND) & (distance != SAME) & (inside & rooms[..., None] != 0)
        return View(self, heading, rooms, columns.tolist(), direction, distance, visible)


@dataclass(frozen=True, eq=False)
class View:
    """What is in view from one or several poses in each scene; names along the last axis."""

    of: SceneViews
    heading: Ints | int
    rooms: Ints
    names: list[int]
    """Indices of the names looked for."""
    direction: Ints
    distance: Ints
    visible: Bools

    @cached_property
    def count(self) -> Ints:
        """The number of things and doors in view."""
        return self.visible.sum(axis=-1)

    def fits(self, shown: Sequence[Sighting]) -> Bools:
        """Whether everything shown is in view as shown; more may be."""
        right = np.ones(self.visible.shape[:-1], np.bool_)
        for seen in shown:
            name = self.of.index(seen.name)
            i = self.names.index(name)
            right &= self.visible[..., i]
            right &= self.direction[..., i] == EGO.index(seen.direction)
            right &= self.distance[..., i] == DISTANCE.index(seen.distance)
            right &= self._looks(seen, name)
        return right

    def _looks(self, seen: Sighting, i: int) -> Bools:
        """Whether the facing or the wall of a name is as shown."""
        things, heading = self.of.things, np.broadcast_to(np.asarray(self.heading), self.visible.shape[:-1])
        if isinstance(seen.detail, WallLabel):
            walls = _column(self.of.walls, i - things, heading)
            inward = np.where(self.rooms & 1 != 0, (walls + 2) % 4, walls)
            return (inward - heading) % 4 == _INWARD[seen.detail]
        if i >= things:
            return np.zeros(heading.shape, np.bool_)
        fronts = _column(self.of.fronts, i, heading)
        if seen.detail is None:
            return fronts == FRONTLESS
        if self.of.is_free(seen):
            return fronts != FRONTLESS
        return (fronts != FRONTLESS) & ((fronts - heading) % 4 == QUARTERS[FacingLabel(seen.detail)])

    def shown_chance(self, shown: Sequence[Sighting]) -> Floats:
        """The probability that a question about this view lists just these, in this order.

        Up to `MOST_SHOWN` are listed in the order of the brief; of more, so many in random order.
        """
        count = self.count.astype(np.float64)
        chance = np.where(count == len(shown), float(self._in_order(shown)), 0.0)
        if len(shown) == MOST_SHOWN:
            more = 1.0 / np.maximum(count * (count - 1) * (count - 2), 1.0)
            chance = np.where(count > MOST_SHOWN, more, chance)
        return np.where(self.fits(shown), chance, 0.0)

    def first_chance(self, name: str) -> Floats:
        """The probability that a question about this view asks for this name, which is the first that it would list."""
        i = self.of.index(name)
        first = ~self.visible[..., :i].any(axis=-1)
        chance = np.where(self.count > MOST_SHOWN, 1.0 / np.maximum(self.count, 1), first)
        return np.where(self.visible[..., i], chance, 0.0)

    def _in_order(self, shown: Sequence[Sighting]) -> bool:
        order = [self.of.index(seen.name) for seen in shown]
        return order == sorted(order)


def _column(table: Ints, i: int, like: Ints) -> Ints:
    """A column of a table by scene, in the shape of an array by scene, or by scene and pose."""
    return np.broadcast_to(table[:, i] if like.ndim == 1 else table[:, i, None], like.shape)


def main_room(views: SceneViews) -> Ints:
    """The start's room as bits, for each scene."""
    return np.ones(len(views.weights), np.int64)


def room_of(views: SceneViews, origin: str) -> Ints:
    """The room, as bits, of a pose whose coordinates count from an origin: the start's, else the one beyond a door."""
    return main_room(views) if origin == START else 1 << views.scenes.rooms[origin][views.rows]


def is_free(views: SceneViews, at: Ints, rooms: Ints) -> Bools:
    """Whether cells, of shape (scenes, 2) or (scenes, cells, 2), are floor of a room (as bits) without a thing."""
    number = np.log2(np.maximum(rooms, 1)).astype(np.int64)
    low = views.lows[np.arange(len(number)), number]
    things = views.cells[:, : views.things]
    if at.ndim == 3:
        low, things = low[:, None], things[:, None]
    inside = ((at >= low) & (at < low + views.scenes.prior.side)).all(axis=-1)
    return inside & (things != at[..., None, :]).any(axis=-1).all(axis=-1)


def chance_of_targets(rooms: int, things: int, jumps: int) -> Mapping[str, float]:
    """Where a random plan of some jumps ends: the probability of each `main` or `leaf` thing, and of each `door`.

    From a doorway it leads to a thing beyond; else to a door with probability 0.6, and to a thing of the room.
    """
    doors = rooms - 1
    to_door = 0.6 if doors else 0.0
    at = {"main": 0.0, "leaf": 0.0, "outward": 0.0, "inward": 0.0}
    for jump in range(jumps):
        if jump == 0:
            at = {"main": 1 - to_door, "leaf": 0.0, "outward": to_door, "inward": 0.0}
        else:
            at = {
                "main": at["main"] * (1 - to_door) + at["inward"],
                "leaf": at["leaf"] * (1 - to_door) + at["outward"],
                "outward": at["main"] * to_door,
                "inward": at["leaf"] * to_door,
            }
    return {
        "main": at["main"] / things,
        "leaf": at["leaf"] / (things * doors) if doors else 0.0,
        "door": (at["outward"] + at["inward"]) / doors if doors else 0.0,
    }


def picked(views: SceneViews, weights: Floats) -> Floats:
    """The weights of the rows that a reply is chosen by; all of them if those have none."""
    part = np.where(views.picking, weights, 0.0)
    return part if part.any() else weights


RIGHT = 1.0 - 1e-9
"""Least score of a reply that is right in full."""


def score_of(
    views: SceneViews, reply: str, weights: Floats, score: Floats, cases: AnswerCases | None = None
) -> BestAnswer:
    """A reply with its expected score and the standard error of it, given its score in each scene."""
    scenes = views.scenes
    part = weights if scenes.exact else np.where(views.picking, 0.0, weights)
    shares = (part if part.any() else weights) / (part if part.any() else weights).sum()
    expected = min(float(shares @ score), 1.0)
    sure = min(float(shares @ (score >= RIGHT)), 1.0)
    if scenes.exact:
        return BestAnswer(reply, expected, True, 0.0, sure, cases)
    size = 1 / float((shares**2).sum())
    variance = max(float(shares @ (score - expected) ** 2), 1 / (size + 1) ** 2)
    error = math.sqrt(variance / size * len(scenes) / scenes.ess)
    return BestAnswer(reply, expected, False, error, sure, cases)
