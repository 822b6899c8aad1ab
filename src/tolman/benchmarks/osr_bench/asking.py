"""Which questions are asked about a room, standard and negative, by the released rules or by the mended ones."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

import numpy as np

from tolman.benchmarks.osr_bench.answers import SPECIAL
from tolman.benchmarks.osr_bench.fair_questions import (
    fair_directions,
    fair_distances,
    fair_negative_directions,
    fair_negative_distances,
)
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.osr_rules import STRICT, OsrRules
from tolman.benchmarks.osr_bench.question import Question, QuestionKind, answer_of, ask
from tolman.seeds import rng

FEW = 5
"""With fewer classes than this a room is asked for counts only."""
EACH = 10
"""Questions of a kind, as published for rooms that differ much from each other; 5 for those that do not."""
Names = tuple[str, ...]
Draw = tuple[QuestionKind, Names]


def standard_questions(world: GridMap, seed: int, each: int = EACH, rules: OsrRules = STRICT) -> list[Question]:
    """Questions about what is in a room, from named streams of a seed."""
    classes, streams = world.classes, _streams(seed, "standard")
    if len(classes) < FEW:
        return _numbered(world, _of("counting", ((name,) for name in classes)))
    distances, directions = _released_draws(world, classes, streams, 2 * each)
    if rules.ties_are_not_asked:
        distances = fair_distances(world, streams["distance"], each)
    else:
        distances = islice(_without_special(world, "distance", distances), each)
    if rules.directions_are_balanced:
        directions = fair_directions(world, streams["direction"], each)
    else:
        directions = islice(_without_special(world, "direction", directions), each)
    return _assembled(world, _counts(classes, streams, each), distances, directions)


def negative_questions(
    world: GridMap, absent: Sequence[str], seed: int, each: int = EACH, rules: OsrRules = STRICT
) -> list[Question]:
    """Questions about a room and about things that are not there, from named streams of a seed."""
    everything, streams = (*world.classes, *absent), _streams(seed, "negative")
    if len(world.classes) < FEW:
        return _numbered(world, _of("counting", _counts(everything, streams, each // 2)))
    distances, directions = _released_draws(world, everything, streams, each)
    if rules.ties_are_not_asked:
        distances = fair_negative_distances(world, absent, streams["distance"], each)
    if rules.directions_are_balanced:
        directions = fair_negative_directions(world, absent, streams["direction"], each)
    return _assembled(world, _counts(everything, streams, each), distances, directions)


def _streams(seed: int, asked: str) -> dict[str, np.random.Generator]:
    return {kind: rng(seed, "osr", asked, kind) for kind in ("counting", "distance", "direction")}


def _counts(names: Sequence[str], streams: dict[str, np.random.Generator], most: int) -> Iterator[Names]:
    return ((names[int(i)],) for i in streams["counting"].permutation(len(names))[:most])


def _released_draws(
    world: GridMap, names: Sequence[str], streams: dict[str, np.random.Generator], tries: int
) -> tuple[Iterator[Names], Iterator[Names]]:
    """Draws for questions of distance and of direction, as the released code makes them."""
    places = [name for name in world.classes if world.counts[name] == 1] or list(names)
    return (
        (_draw(places, names, 4, streams["distance"]) for _ in range(tries)),
        (_draw(places, names, 2, streams["direction"]) for _ in range(tries)),
    )


def _draw(places: Sequence[str], names: Sequence[str], others: int, stream: np.random.Generator) -> Names:
    place = places[int(stream.integers(len(places)))]
    rest = [name for name in names if name != place]
    return place, *(rest[int(i)] for i in stream.permutation(len(rest))[:others])


def _without_special(world: GridMap, kind: QuestionKind, drawn: Iterable[Names]) -> Iterator[Names]:
    """Draws about what is there. One without any answer passes, and is left out in the end."""
    return (names for names in drawn if answer_of(world, kind, names) not in SPECIAL)


def _assembled(
    world: GridMap, counting: Iterable[Names], distances: Iterable[Names], directions: Iterable[Names]
) -> list[Question]:
    return _numbered(world, chain(_of("counting", counting), _of("distance", distances), _of("direction", directions)))


def _of(kind: QuestionKind, drawn: Iterable[Names]) -> Iterator[Draw]:
    return ((kind, names) for names in drawn)


def _numbered(world: GridMap, drawn: Iterable[Draw]) -> list[Question]:
    """Numbers from 1; those of questions without an answer stay gaps, as in the authors' files."""
    asked = (ask(turn, kind, names, world) for turn, (kind, names) in enumerate(drawn, start=1))
    return [question for question in asked if question.answer]
