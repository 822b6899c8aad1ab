"""Generate the standard and negative questions about a room under either rule set, and their distractors: classes
that are absent from a room but plausible, being frequent or co-occurring with what is there.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice, permutations
from typing import Literal

import numpy as np

from tolman.benchmarks.osr_bench.maps.grid import GridMap
from tolman.benchmarks.osr_bench.questions.question import (
    QUESTION_KINDS,
    SPECIAL,
    Question,
    QuestionKind,
    answer_of,
    ask,
)
from tolman.benchmarks.osr_bench.questions.sampling import (
    Names,
    absence_samplers,
    direction_samplers,
    is_clear_direction,
    is_clear_distance,
    negative_distance_samplers,
    sample_clear_distances,
    sample_in_turn,
    unbalanced_direction_samplers,
)
from tolman.benchmarks.osr_bench.rules import STRICT, Rules
from tolman.core.seeds import digest, rng

DistractorChoice = Literal["code", "paper"]
"""How co-occurring classes are chosen: by the largest count (code), or for one present class after another (paper)."""
DISTRACTORS_OF_A_SORT = 5
"""Number of frequent and of co-occurring distractors, as published."""


def prompt_classes(present: Sequence[str], absent: Sequence[str], rules: Rules) -> tuple[str, ...]:
    """The classes that the map prompt lists; sorted under strict rules, as the order of the map reveals positions."""
    pool = (*present, *absent)
    return tuple(sorted(pool)) if rules.pools_tell_nothing else pool


def absent_classes(truth: GridMap, co_occurrence: "CoOccurrence") -> list[str]:
    """As many absent classes as there are classes in a room, or all known ones if there are fewer.

    They are drawn with probability proportional to the number of rooms that hold them. The random stream depends on
    the true map only, so the same room gets the same list.
    """
    absent = {name: rooms for name, rooms in co_occurrence.rooms.items() if name not in truth.counts}
    if not absent:
        return []
    stream = rng(0, "osr", "class list", digest(truth.as_lists))
    rooms = np.array(list(absent.values()), dtype=np.float64)
    count = min(len(truth.classes), len(absent))
    chosen = stream.choice(len(absent), size=count, replace=False, p=rooms / rooms.sum())
    names = list(absent)
    return [names[int(i)] for i in chosen]


@dataclass(frozen=True)
class CoOccurrence:
    """Number of rooms that hold each class, and each pair of classes. Ties are ordered by first occurrence."""

    rooms: Counter[str] = field(default_factory=Counter[str])
    together: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])

    @staticmethod
    def of(rooms: Iterable[Sequence[str]]) -> "CoOccurrence":
        """Over all rooms of a set, each given by its classes."""
        co_occurrence = CoOccurrence()
        for classes in rooms:
            co_occurrence.rooms.update(classes)
            for one, other in permutations(classes, 2):
                co_occurrence.together.setdefault(one, Counter())[other] += 1
        return co_occurrence

    def frequent(self, present: Sequence[str], count: int = DISTRACTORS_OF_A_SORT) -> list[str]:
        """The most frequent classes that are absent."""
        return [name for name, _ in self.rooms.most_common() if name not in present][:count]

    def companions(
        self,
        present: Sequence[str],
        besides: Sequence[str],
        count: int = DISTRACTORS_OF_A_SORT,
        choice: DistractorChoice = "code",
    ) -> list[str]:
        """Absent classes that co-occur with those present, without those in `besides`."""
        taken = {*present, *besides}
        if choice == "paper":
            walked = (name for one in present for name, _ in self.together.get(one, Counter()).most_common())
            return list(dict.fromkeys(name for name in walked if name not in taken))[:count]
        scores = dict.fromkeys((name for name in self.rooms if name not in taken), 0)
        for one in (name for name in present if name in self.together):
            for name, rooms in self.together[one].items():
                if rooms > scores.get(name, rooms):
                    scores[name] = rooms
        return sorted(scores, key=lambda name: -scores[name])[:count]

    def distractors(self, present: Sequence[str], choice: DistractorChoice = "code") -> list[str]:
        """Frequent absent classes, then co-occurring ones."""
        frequent = self.frequent(present)
        return [*frequent, *self.companions(present, frequent, choice=choice)]

    @property
    def as_dict(self) -> dict[str, object]:
        """As the authors' statistics file has it."""
        together = {one: dict(others.most_common()) for one, others in self.together.items()}
        return {"object_frequency": dict(self.rooms.most_common()), "cooccurrence_count": together}


MIN_CLASSES = 5
"""A room with fewer classes gets counting questions only."""
QUESTIONS_OF_A_KIND = 10
"""Questions per kind, as published for diverse rooms; the authors use 5 for similar rooms."""
_TRIES = 40
"""Draws per question where some draws are rejected."""
Draw = tuple[QuestionKind, Names]
Streams = dict[QuestionKind, np.random.Generator]


def standard_questions(
    world: GridMap, seed: int, each: int = QUESTIONS_OF_A_KIND, rules: Rules = STRICT
) -> list[Question]:
    """Questions about what is in a room, from named streams of a seed."""
    classes, streams = world.classes, _streams(seed, "standard")
    if len(classes) < MIN_CLASSES:
        return _numbered(world, _of("counting", ((name,) for name in classes)))
    return _assembled(
        world,
        _counts(classes, streams, each),
        _standard_distances(world, streams["distance"], each, rules),
        _standard_directions(world, streams["direction"], each, rules),
    )


def _standard_distances(world: GridMap, stream: np.random.Generator, each: int, rules: Rules) -> Iterable[Names]:
    if rules.ties_are_not_asked:
        drawn = sample_clear_distances(world, stream, each)
    else:
        drawn = _without_special(world, "distance", _released_draws(world, world.classes, 4, stream, 2 * each))
    return islice(_new(drawn, rules), each)


def _standard_directions(world: GridMap, stream: np.random.Generator, each: int, rules: Rules) -> Iterable[Names]:
    if rules.directions_are_balanced:
        return sample_in_turn(stream, direction_samplers(world, stream, rules), each, once=rules.questions_come_once)
    tries = _TRIES * each if _is_selective(rules) else 2 * each
    drawn = _without_special(world, "direction", _released_draws(world, world.classes, 2, stream, tries))
    return islice(_new((names for names in drawn if is_clear_direction(world, names, rules)), rules), each)


def negative_questions(
    world: GridMap, absent: Sequence[str], seed: int, each: int = QUESTIONS_OF_A_KIND, rules: Rules = STRICT
) -> list[Question]:
    """Questions about present and absent objects, from named streams of a seed."""
    everything, streams = (*world.classes, *absent), _streams(seed, "negative")
    if len(world.classes) < MIN_CLASSES:
        return _numbered(world, _of("counting", _counts(everything, streams, each // 2)))
    return _assembled(
        world,
        _counts(everything, streams, each),
        _negative_distances(world, absent, streams["distance"], each, rules),
        _negative_directions(world, absent, streams["direction"], each, rules),
    )


def _negative_distances(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, each: int, rules: Rules
) -> Iterable[Names]:
    if rules.absences_are_asked:
        samplers = negative_distance_samplers(world, absent, stream, rules)
        return sample_in_turn(stream, samplers, each, once=rules.questions_come_once)
    drawn = _released_draws(world, (*world.classes, *absent), 4, stream, _TRIES * each)
    fit = (names for names in drawn if is_clear_distance(world, names)) if rules.ties_are_not_asked else drawn
    return islice(_new(fit, rules), each)


def _negative_directions(
    world: GridMap, absent: Sequence[str], stream: np.random.Generator, each: int, rules: Rules
) -> Iterable[Names]:
    if rules.directions_are_balanced or rules.absences_are_asked:
        answered = direction_samplers if rules.directions_are_balanced else unbalanced_direction_samplers
        samplers = answered(world, stream, rules) | absence_samplers(world, absent, stream, rules)
        return sample_in_turn(stream, samplers, each, once=rules.questions_come_once)
    drawn = _released_draws(world, (*world.classes, *absent), 2, stream, _TRIES * each)
    return islice(_new((names for names in drawn if is_clear_direction(world, names, rules)), rules), each)


def _is_selective(rules: Rules) -> bool:
    """Whether the rules reject some triples that have an answer."""
    return rules.objects_never_share_a_cell or rules.ties_are_not_asked or rules.near_alignment_is_not_asked


def _streams(seed: int, asked: str) -> Streams:
    return {kind: rng(seed, "osr", asked, kind) for kind in QUESTION_KINDS}


def _counts(names: Sequence[str], streams: Streams, most: int) -> Iterator[Names]:
    return ((names[int(i)],) for i in streams["counting"].permutation(len(names))[:most])


def _released_draws(
    world: GridMap, names: Sequence[str], others: int, stream: np.random.Generator, tries: int
) -> Iterator[Names]:
    """Draws of a positioning object and other classes, as in the released code."""
    places = [name for name in world.classes if world.counts[name] == 1] or list(names)
    return (_draw(places, names, others, stream) for _ in range(tries))


def _draw(places: Sequence[str], names: Sequence[str], others: int, stream: np.random.Generator) -> Names:
    place = places[int(stream.integers(len(places)))]
    rest = [name for name in names if name != place]
    return place, *(rest[int(i)] for i in stream.permutation(len(rest))[:others])


def _without_special(world: GridMap, kind: QuestionKind, drawn: Iterable[Names]) -> Iterator[Names]:
    """Draws without a special answer. Draws without any answer pass and are dropped by `_numbered`."""
    return (names for names in drawn if answer_of(world, kind, names) not in SPECIAL)


def _new(drawn: Iterable[Names], rules: Rules) -> Iterator[Names]:
    """Drop repeated questions, if the rules say so."""
    done: set[Names] = set()
    for names in drawn:
        if names not in done:
            yield names
        if rules.questions_come_once:
            done.add(names)


def _assembled(
    world: GridMap, counting: Iterable[Names], distances: Iterable[Names], directions: Iterable[Names]
) -> list[Question]:
    return _numbered(world, chain(_of("counting", counting), _of("distance", distances), _of("direction", directions)))


def _of(kind: QuestionKind, drawn: Iterable[Names]) -> Iterator[Draw]:
    return ((kind, names) for names in drawn)


def _numbered(world: GridMap, drawn: Iterable[Draw]) -> list[Question]:
    """Number questions from 1; those without an answer leave gaps, as in the authors' files."""
    asked = (ask(turn, kind, names, world) for turn, (kind, names) in enumerate(drawn, start=1))
    return [question for question in asked if question.answer]
