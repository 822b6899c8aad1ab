"""The cases of an evaluation, from a folder of pictures in the authors' layout."""

import math
from collections.abc import Iterable, Sequence
from itertools import chain, zip_longest
from pathlib import Path

from tolman.benchmarks.sparrta.pointing import has_look_alikes, place_in_picture
from tolman.benchmarks.sparrta.question import ask
from tolman.benchmarks.sparrta.reading import StoredPicture, read_set
from tolman.benchmarks.sparrta.sample import Sample
from tolman.benchmarks.sparrta.set_layout import set_files
from tolman.benchmarks.sparrta.sparrta_case import SparrtaCase
from tolman.benchmarks.sparrta.sparrta_options import SparrtaOptions
from tolman.benchmarks.sparrta.triples import TRIPLES, Triple
from tolman.errors import SceneFileError, SettingsError
from tolman.seeds import digest


def stored_cases(
    folder: Path,
    options: SparrtaOptions,
    most: int | None = None,
    triples: Sequence[Triple] = TRIPLES,
    indices: Sequence[int] | None = None,
) -> list[SparrtaCase]:
    """Pictures below a folder that can be asked about from a viewpoint: all, or those of some triples and numbers; at
    the most so many, from triples in turn."""
    if not folder.is_dir():
        raise SettingsError(f"{folder} is no folder of pictures; `tolman make sparrta` makes one")
    pictures = (stored for stored in read_set(folder) if stored.sample.triple in triples)
    numbers = None if indices is None else set(indices)
    return chosen_cases((one for one in pictures if numbers is None or one.sample.index in numbers), options, most)


def own_cases(
    folder: Path, triples: Sequence[Triple], indices: Sequence[int], options: SparrtaOptions, most: int | None = None
) -> list[SparrtaCase]:
    """The same of some pictures only, by triples and numbers, in a folder that may hold more."""
    wanted = {set_files(folder, triple, index)["image"] for triple in triples for index in indices}
    return chosen_cases((stored for stored in read_set(folder) if stored.image in wanted), options, most)


def chosen_cases(pictures: Iterable[StoredPicture], options: SparrtaOptions, most: int | None) -> list[SparrtaCase]:
    """Cases of the pictures that can be asked about."""
    if most is not None and most < 1:
        raise SettingsError(f"--max-pictures is at least 1, not {most}")
    by_triple: dict[str, list[SparrtaCase]] = {}
    for stored in pictures:
        if (case := case_of(stored, options)) is not None:
            by_triple.setdefault(case.id.rpartition("-")[0], []).append(case)
    # not in the order of their numbers: in a balanced set relations go by these
    drawn = (sorted(cases, key=lambda case: digest(case.id)) for cases in by_triple.values())
    in_turn = [case for case in chain(*zip_longest(*drawn)) if case is not None]
    kept = {case.id for case in in_turn[:most]}
    cases = [case for of_triple in by_triple.values() for case in of_triple if case.id in kept]
    if not cases:
        raise SceneFileError("no picture there can be asked about: all are ambiguous, or none was chosen")
    if len(kept) < len(cases):
        raise SceneFileError("two pictures of one triple have the same number; keep one of them")
    return cases


def case_of(stored: StoredPicture, options: SparrtaOptions) -> SparrtaCase | None:
    """The case of a picture; None where it is ambiguous from every viewpoint."""
    sample = stored.sample
    name = f"{stored.image.parent.parent.resolve().name}-{sample.index}"
    asked = (ask(sample, name, viewpoint, options.ambiguity) for viewpoint in options.viewpoints)
    questions = tuple(question for question in asked if question is not None)
    if not questions:
        return None
    return SparrtaCase(
        id=name,
        environment=sample.triple.environment,
        triple=sample.triple.number,
        source=sample.triple.source,
        target=sample.triple.target,
        picture=str(stored.image),
        places={"camera": sample.eye.ground, **{actor.role: actor.ground for actor in sample.actors}},
        questions=questions,
        pointed=_pointed(sample, options),
    )


def _pointed(sample: Sample, options: SparrtaOptions) -> tuple[float, float] | None:
    if options.point == "never" or (options.point == "auto" and not has_look_alikes(sample)):
        return None
    across, down = place_in_picture(sample, sample.source)
    return None if math.isnan(across) else (round(across, 3), round(down, 3))
