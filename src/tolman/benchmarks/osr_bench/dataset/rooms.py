"""Rooms generated from seeds: the true map, both sets of questions, and the rendered pictures."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TypeVar

from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.maps.grid import GRID_SIZE, GridMap, Handedness, map_of_room
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.distractors import CoOccurrence, prompt_classes
from tolman.benchmarks.osr_bench.questions.generate import negative_questions, standard_questions
from tolman.benchmarks.osr_bench.questions.question import AskedSet
from tolman.benchmarks.osr_bench.rules import find_rules
from tolman.core.parallel import parallel_map
from tolman.world.space import Space, SpaceSettings, generate_space


def room_map(room: Space, size: int = GRID_SIZE, handedness: Handedness = "true") -> GridMap:
    """The true map of a space: north is up, and each object is in the cell of its centre."""
    objects = ((piece.category, (piece.x, piece.y)) for piece in room.pieces)
    return map_of_room(room.layout, objects, size=size, handedness=handedness)


def panorama_png(
    seed: int,
    settings: SpaceSettings | None = None,
    *,
    width: int = 1024,
    turn: float = 0.0,
    preset: str = "standard",
    assets: str = "auto",
) -> bytes:
    """The panorama of the space that a seed makes, as a PNG file, cached on disk.

    `turn` is the direction of the middle column in clockwise degrees from north. `assets` names the source of 3D
    assets.
    """
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415 maps need no renderer

    return SpacePictures(generate_space(seed, settings), preset, assets).panorama(width, turn)


def top_down_png(
    seed: int,
    settings: SpaceSettings | None = None,
    *,
    scale: float = 64.0,
    preset: str = "standard",
    assets: str = "auto",
) -> bytes:
    """The same space from above without its ceiling, north up, `scale` pixels per metre."""
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415

    return SpacePictures(generate_space(seed, settings), preset, assets).top_down(scale)


def pixels_seen(
    seed: int, settings: SpaceSettings | None = None, *, width: int = 1024, assets: str = "auto"
) -> dict[int, int]:
    """Number of pixels of the panorama that each object of a space covers, by index of the object."""
    from tolman.render.space_renderer import SpacePictures  # noqa: PLC0415

    return SpacePictures(generate_space(seed, settings), "draft", assets).pixels_seen(width)


PREFIX = "Tolman"
"""Prefix of scene names; the authors' names begin with the source of the picture too."""
T = TypeVar("T")
_BATCH = 25


@dataclass(frozen=True)
class AskedRoom:
    """One room with both sets of questions."""

    name: str
    """Name of its folder."""
    cases: dict[AskedSet, Case]
    about: Mapping[str, object]
    """Where it comes from: the seed of a generated room, or the source of an annotated one."""

    @property
    def truth(self) -> GridMap:
        return self.cases["standard"].truth


def scene_name(seed: int) -> str:
    """The name of the folder of a room."""
    return f"{PREFIX}-room-{seed:05}"


def generated_maps(seeds: Sequence[int], options: Options, jobs: int = 1) -> Iterator[GridMap]:
    """The true maps of rooms, computed by `jobs` processes."""
    return chain.from_iterable(parallel_map(partial(_maps, options=options), batches(seeds), jobs))


def generated_room(seed: int, truth: GridMap, co_occurrence: CoOccurrence, options: Options) -> AskedRoom:
    """A generated room with its questions."""
    base = Case(str(seed), truth, (), (), seed)
    return AskedRoom(scene_name(seed), cases_of(base, seed, co_occurrence, options), {"seed": seed})


def cases_of(base: Case, seed: int, co_occurrence: CoOccurrence, options: Options) -> dict[AskedSet, Case]:
    """A case with its standard and with its negative questions, from the random streams of a seed."""
    rules, truth = find_rules(options.rules), base.truth
    absent = co_occurrence.distractors(truth.classes, options.distractors)
    standard = standard_questions(truth, seed, options.each, rules)
    negative = negative_questions(truth, absent, seed, options.each, rules)
    return {
        "standard": replace(base, pool=prompt_classes(truth.classes, (), rules), questions=tuple(standard)),
        "negative": replace(base, pool=prompt_classes(truth.classes, absent, rules), questions=tuple(negative)),
    }


def _maps(seeds: Sequence[int], options: Options) -> list[GridMap]:
    return [
        room_map(generate_space(seed, options.space_settings), options.grid, options.map_handedness) for seed in seeds
    ]


def batches(things: Sequence[T]) -> list[Sequence[T]]:
    """Split a sequence into batches for the workers."""
    return [things[first : first + _BATCH] for first in range(0, len(things), _BATCH)]
