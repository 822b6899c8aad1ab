"""Choose a pose among candidates, and what of its view a question shows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from tolman.sense import visible
from tolman.world import Item, Pose, Scene

MOST_SHOWN = 3
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Chosen:
    """A candidate's number, its pose, and at most three things or doors in view from there."""

    number: int
    pose: Pose
    shown: tuple[Item, ...]


def select(scene: Scene, poses: Iterable[Pose], least: int, stream: np.random.Generator) -> Chosen | None:
    """One of the poses that see at least `least` items, drawn in proportion to how many they see."""
    views = [(number, pose, visible(scene, pose)) for number, pose in enumerate(poses)]
    views = [view for view in views if len(view[2]) >= least]
    if not views:
        return None
    weights = np.array([len(items) for _, _, items in views], dtype=float)
    number, pose, items = views[int(stream.choice(len(views), p=weights / weights.sum()))]
    if len(items) > MOST_SHOWN:
        items = shuffled(items, stream)
    return Chosen(number, pose, items[:MOST_SHOWN])


def shuffled(items: Iterable[T], stream: np.random.Generator) -> tuple[T, ...]:
    """The items in random order."""
    pool = tuple(items)
    return tuple(pool[int(i)] for i in stream.permutation(len(pool)))
