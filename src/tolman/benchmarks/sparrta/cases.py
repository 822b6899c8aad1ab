"""The cases of an evaluation, from a folder of pictures in the authors' layout."""

import math
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from tolman.benchmarks.sparrta.case import Case, ask
from tolman.benchmarks.sparrta.dataset.files import StoredPicture, picture_paths, read_set, whole_path
from tolman.benchmarks.sparrta.options import Options
from tolman.benchmarks.sparrta.sample import TRIPLES, Actor, Sample, Triple
from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.grouping import grouped
from tolman.core.seeds import digest

LOOK_ALIKES: dict[str, frozenset[str]] = {
    "forest": frozenset({"tree", "rock"}),
    "desert": frozenset({"rock"}),
    "winter_town": frozenset({"tree"}),
    "bridge": frozenset({"tree"}),
}
"""Kinds of source that also occur in the background of an environment."""


def has_look_alikes(sample: Sample) -> bool:
    """Whether the background has objects of the source's kind."""
    return sample.source.kind in LOOK_ALIKES.get(sample.triple.environment, frozenset())


def place_in_picture(sample: Sample, actor: Actor) -> tuple[float, float]:
    """Position of an actor's base in the picture, as fractions of width from the left and of height from the top.

    NaN for an actor behind the camera.
    """
    camera = sample.camera
    ahead = _unit(
        tuple(there - here for there, here in zip(camera.looks_at, (camera.x, camera.y, camera.z), strict=True))
    )
    right = _unit((ahead[1], -ahead[0], 0.0))
    up = (
        right[1] * ahead[2] - right[2] * ahead[1],
        right[2] * ahead[0] - right[0] * ahead[2],
        right[0] * ahead[1] - right[1] * ahead[0],
    )
    away = actor.x - camera.x, actor.y - camera.y, actor.z - camera.z
    far = _dot(away, ahead)
    if far <= 0:
        return math.nan, math.nan
    half = far * math.tan(math.radians(camera.field) / 2)
    return 0.5 + _dot(away, right) / half / 2, 0.5 - _dot(away, up) / half / 2


def _dot(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


def _unit(vector: tuple[float, ...]) -> tuple[float, ...]:
    length = math.sqrt(_dot(vector, vector)) or 1.0
    return tuple(value / length for value in vector)


def stored_cases(
    folder: Path,
    options: Options,
    most: int | None = None,
    triples: Sequence[Triple] = TRIPLES,
    indices: Sequence[int] | None = None,
) -> list[Case]:
    """Cases of the pictures in a folder, all or those of some triples and numbers; at most `most`, from triples in
    turn."""
    if not folder.is_dir():
        raise SettingsError(f"{folder} is not a folder of pictures; `tolman make sparrta` makes one")
    pictures = (stored for stored in read_set(folder) if stored.sample.triple in triples)
    numbers = None if indices is None else set(indices)
    return chosen_cases((one for one in pictures if numbers is None or one.sample.index in numbers), options, most)


def generated_cases(
    folder: Path, triples: Sequence[Triple], indices: Sequence[int], options: Options, most: int | None = None
) -> list[Case]:
    """Cases of generated pictures by triple and number, in a folder that may hold more."""
    wanted = {picture_paths(folder, triple, index)["image"] for triple in triples for index in indices}
    return chosen_cases((stored for stored in read_set(folder) if stored.image in wanted), options, most)


def chosen_cases(pictures: Iterable[StoredPicture], options: Options, most: int | None) -> list[Case]:
    """Cases of the pictures that are unambiguous from some viewpoint; at most `most`, from triples in turn."""
    if most is not None and most < 1:
        raise SettingsError(f"--max-pictures is at least 1, not {most}")
    clear = (case for stored in pictures if (case := case_of(stored, options)) is not None)
    by_triple = grouped(clear, lambda case: case.id.rpartition("-")[0])
    # ordered by digest, not by number: in a balanced set the number determines the relation
    drawn = (sorted(cases, key=lambda case: digest(case.id)) for cases in by_triple.values())
    in_turn = [case for case in chain(*zip_longest(*drawn)) if case is not None]
    kept = {case.id for case in in_turn[:most]}
    cases = [case for of_triple in by_triple.values() for case in of_triple if case.id in kept]
    if not cases:
        raise SceneFileError("no picture can be asked about: all are ambiguous, or none was selected")
    if len(kept) < len(cases):
        raise SceneFileError("two pictures of one triple have the same number; keep one of them")
    return cases


def case_of(stored: StoredPicture, options: Options) -> Case | None:
    """The case of a picture; None where it is ambiguous from every viewpoint."""
    sample = stored.sample
    name = f"{whole_path(stored.image).parent.parent.name}-{sample.index}"
    asked = (ask(sample, name, viewpoint, options.ambiguity) for viewpoint in options.viewpoints)
    questions = tuple(question for question in asked if question is not None)
    if not questions:
        return None
    return Case(
        id=name,
        environment=sample.triple.environment,
        triple=sample.triple.number,
        source=sample.triple.source,
        target=sample.triple.target,
        picture=str(stored.image),
        places={"camera": sample.camera.ground, **{actor.role: actor.ground for actor in sample.actors}},
        questions=questions,
        pointed=_pointed(sample, options),
    )


def _pointed(sample: Sample, options: Options) -> tuple[float, float] | None:
    if options.point == "never" or (options.point == "auto" and not has_look_alikes(sample)):
        return None
    across, down = place_in_picture(sample, sample.source)
    return None if math.isnan(across) else (round(across, 3), round(down, 3))
