"""The cases of an evaluation: rooms generated from seeds, or the scenes of a folder."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from tolman.benchmarks.osr_bench.case import CORNERS, Case
from tolman.benchmarks.osr_bench.dataset.files import generated_maps, generated_room
from tolman.benchmarks.osr_bench.maps.grid import GridMap, Handedness
from tolman.benchmarks.osr_bench.options import Options, RoomVersion
from tolman.benchmarks.osr_bench.panoramas import check_renderer
from tolman.benchmarks.osr_bench.questions.generate import CoOccurrence, absent_classes, prompt_classes
from tolman.benchmarks.osr_bench.questions.question import Question, answer_of
from tolman.benchmarks.osr_bench.questions.sampling import is_clear_direction, is_clear_distance
from tolman.benchmarks.osr_bench.released.scenes import ReleasedScene, read_scenes
from tolman.benchmarks.osr_bench.rules import Rules, find_rules
from tolman.core.errors import SettingsError
from tolman.world.select import seeds_in

REFERENCE_SEEDS = range(100)
"""Seeds of the rooms from which frequency and co-occurrence of classes are counted, whatever scenes are chosen."""


def generated_cases(seeds: Sequence[int], options: Options) -> list[Case]:
    """The rooms of some seeds. The questions about a room depend on its seed and the options only."""
    co_occurrence = reference_co_occurrence(options.room_version) if options.asked == "negative" else CoOccurrence()
    chosen = list(dict.fromkeys(seeds))
    rooms = zip(chosen, generated_maps(chosen, options), strict=True)
    cases = [generated_room(seed, truth, co_occurrence, options).cases[options.asked] for seed, truth in rooms]
    if not options.lists_distractors:
        return cases
    return with_distractors(cases, reference_co_occurrence(options.room_version), options)


def with_distractors(cases: Iterable[Case], co_occurrence: CoOccurrence, options: Options) -> list[Case]:
    """The same cases with absent classes added to the class lists of their prompts."""
    rules = find_rules(options.rules)
    return [
        replace(case, pool=prompt_classes(case.pool, absent_classes(case.truth, co_occurrence), rules))
        for case in cases
    ]


@lru_cache(maxsize=2)
def reference_co_occurrence(room_version: RoomVersion = 1) -> CoOccurrence:
    """Frequency and co-occurrence of classes in generated rooms of a version."""
    options = Options(room_version=room_version)
    return CoOccurrence.of(truth.classes for truth in generated_maps(REFERENCE_SEEDS, options))


_REPLICA = "ReplicaPano-"
"""In these scenes the middle of the panorama points to the right on the stored, mirrored map, unless the file says
otherwise."""
_QUARTERS = {"up": 0, "right": 1, "down": 2, "left": 3}
"""Clockwise quarter turns after which what is ahead on a mirrored map is up, once the map is mirrored back."""


def stored_cases(folder: Path, options: Options) -> list[Case]:
    """The scenes in a folder with their stored questions, answers recomputed on the map as oriented by the options.

    Under `strict`, questions without one clear answer are left out. Distractors in class lists, if the options ask for
    them, are drawn from generated rooms for sets made by `tolman make`, else from the folder.
    """
    scenes = list(read_scenes(folder))
    cases = [_case(scene, options) for scene in scenes]
    if not options.lists_distractors:
        return cases
    own = all(scene.generated for scene in scenes)
    known = reference_co_occurrence() if own else CoOccurrence.of(scene.truth.classes for scene in scenes)
    return with_distractors(cases, known, options)


def is_generated_set(folder: Path) -> bool:
    """Whether a folder holds rooms that `tolman make` generated, and not annotated panoramas."""
    return all(scene.generated for scene in islice(read_scenes(folder), 1))


def _case(scene: ReleasedScene, options: Options) -> Case:
    if options.asked not in scene.questions:
        raise SettingsError(f"{scene.folder} has no {options.asked} questions")
    rules = find_rules(options.rules)
    truth, corner = oriented_map(scene, options.map_handedness)
    return Case(
        id=re.sub(r"[^\w.-]", "_", scene.name),
        truth=truth,
        pool=prompt_classes(scene.pools[options.asked], (), rules),
        questions=tuple(_asked(scene.questions[options.asked], truth, rules)),
        picture=str(scene.panorama),
        corner=corner,
    )


def oriented_map(scene: ReleasedScene, wanted: Handedness) -> tuple[GridMap, str | None]:
    """The true map of a scene in the wanted handedness, and the corner that the room lies in; see `Case.corner`."""
    if wanted in ("released", scene.handedness):
        truth = scene.truth if scene.handedness == wanted else scene.truth.mirrored
        return truth, CORNERS[0] if wanted == "true" else None
    ahead = scene.ahead or ("right" if scene.name.startswith(_REPLICA) else "")
    if ahead not in _QUARTERS:
        return scene.truth.mirrored, None
    quarters = _QUARTERS[ahead]
    return scene.truth.mirrored.turned(quarters), CORNERS[(1 + quarters) % 4]


def _asked(stored: Iterable[Question], truth: GridMap, rules: Rules) -> Iterable[Question]:
    for question in stored:
        answer = answer_of(truth, question.kind, question.names)
        if answer and _is_fair(question, truth, rules):
            yield replace(question, answer=answer)


def _is_fair(question: Question, truth: GridMap, rules: Rules) -> bool:
    if question.kind == "distance":
        return is_clear_distance(truth, question.names) or not rules.ties_are_not_asked
    return question.kind == "counting" or is_clear_direction(truth, question.names, rules)


def resolve_options(data: str, options: Options) -> Options:
    """The options with `class_list` filled in where it is unset: distractors need generated rooms."""
    if options.class_list is not None:
        return options
    own = seeds_in(data) is not None or (Path(data).is_dir() and is_generated_set(Path(data)))
    distractors = own and find_rules(options.rules).class_lists_hold_distractors
    return replace(options, class_list="distractors" if distractors else "exact")


def choose_cases(data: str, options: Options) -> list[Case]:
    """The cases of `7`, `0-49`, `0-9,20-29`, or a folder of scenes. Raises here if pictures are missing."""
    seeds, options = seeds_in(data), resolve_options(data, options)
    if seeds is None and not Path(data).is_dir():
        raise SettingsError(f"{data!r} is neither seeds such as 0-49 nor a folder of scenes")
    if seeds is not None:
        if options.views != "blind":
            check_renderer(options)
        return generated_cases(seeds, options)
    cases = stored_cases(Path(data), options)
    for case in cases:
        if options.views != "blind" and not Path(case.picture).is_file():
            raise SettingsError(f"scene {case.id} has no panorama: {case.picture} is missing")
    return cases
