"""The cases of an evaluation: rooms generated from seeds, or the scenes of a folder."""

import importlib.util
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from pathlib import Path

from tolman.benchmarks.osr_bench.case import CORNERS, Case
from tolman.benchmarks.osr_bench.dataset.rooms import generated_maps, generated_room
from tolman.benchmarks.osr_bench.maps.grid import GridMap, Handedness
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.distractors import CoOccurrence, absent_classes, prompt_classes
from tolman.benchmarks.osr_bench.questions.question import Question, answer_of
from tolman.benchmarks.osr_bench.questions.sampling import is_clear_direction, is_clear_distance
from tolman.benchmarks.osr_bench.released.scenes import ReleasedScene, read_scenes
from tolman.benchmarks.osr_bench.rules import Rules, find_rules
from tolman.core.errors import RenderError, SettingsError
from tolman.world.select import seeds_in

REFERENCE_SEEDS = range(100)
"""Seeds of the rooms that tell which things are common, and which go together: the same for every choice of scenes."""


def generated_cases(seeds: Sequence[int], options: Options) -> list[Case]:
    """The rooms of some seeds. What is asked about a room depends on its seed and on the options only."""
    company = reference_co_occurrence() if options.asked == "negative" else CoOccurrence()
    chosen = list(dict.fromkeys(seeds))
    rooms = zip(chosen, generated_maps(chosen, options), strict=True)
    cases = [generated_room(seed, truth, company, options).cases[options.asked] for seed, truth in rooms]
    return with_distractors(cases, reference_co_occurrence(), options) if options.lists_distractors else cases


def with_distractors(cases: Iterable[Case], company: CoOccurrence, options: Options) -> list[Case]:
    """The same cases, but for classes in their lists that are not there."""
    rules = find_rules(options.rules)
    return [replace(case, pool=prompt_classes(case.pool, absent_classes(case.truth, company), rules)) for case in cases]


@lru_cache(maxsize=1)
def reference_co_occurrence() -> CoOccurrence:
    """What is common in rooms of our own, and goes together."""
    return CoOccurrence.of(truth.classes for truth in generated_maps(REFERENCE_SEEDS, Options()))


_REPLICA = "ReplicaPano-"
"""Of these scenes it is known where the middle of the panorama lies: to the right on the stored, mirrored map."""


def stored_cases(folder: Path, options: Options) -> list[Case]:
    """The scenes in a folder with their stored questions, the answers worked out on the map as the options want it.

    Under `strict` questions without one clear answer are left out. Lists of classes hold distractors where the
    options say so: those of sets that `tolman make` wrote what our rooms hold, others what their own scenes hold.
    """
    scenes = list(read_scenes(folder))
    cases = [_case(scene, options) for scene in scenes]
    if not options.lists_distractors:
        return cases
    own = all(scene.handedness == "true" for scene in scenes)
    return with_distractors(
        cases, reference_co_occurrence() if own else CoOccurrence.of(scene.truth.classes for scene in scenes), options
    )


def is_generated_set(folder: Path) -> bool:
    """Whether a folder was written by `tolman make`: the authors' maps are mirrored, and those never are."""
    return all(scene.handedness == "true" for scene in islice(read_scenes(folder), 1))


def _case(scene: ReleasedScene, options: Options) -> Case:
    if options.asked not in scene.questions:
        raise SettingsError(f"{scene.folder} has no {options.asked} questions")
    rules = find_rules(options.rules)
    truth, corner = oriented_map(scene, options.hand)
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
    if scene.name.startswith(_REPLICA):
        return scene.truth.mirrored.turned(1), "bottom right"
    return scene.truth.mirrored, None


def _asked(stored: Iterable[Question], truth: GridMap, rules: Rules) -> Iterable[Question]:
    for question in stored:
        answer = answer_of(truth, question.kind, question.names)
        if answer and _is_fair(question, truth, rules):
            yield replace(question, answer=answer)


def _is_fair(question: Question, truth: GridMap, rules: Rules) -> bool:
    match question.kind:
        case "counting":
            return True
        case "distance":
            return is_clear_distance(truth, question.names) or not rules.ties_are_not_asked
        case "direction":
            return is_clear_direction(truth, question.names, rules)


def resolve_options(data: str, options: Options) -> Options:
    """The options with what they leave to the data: exact lists of classes but for rooms of our own, unless told."""
    if options.class_list is not None:
        return options
    own = seeds_in(data) is not None or (Path(data).is_dir() and is_generated_set(Path(data)))
    distractors = own and find_rules(options.rules).class_lists_hold_distractors
    return replace(options, class_list="distractors" if distractors else "exact")


def choose_cases(data: str, options: Options) -> list[Case]:
    """The cases of `7`, `0-49`, `0-9,20-29`, or a folder of scenes. Where pictures can't be had, that is told here."""
    seeds, options = seeds_in(data), resolve_options(data, options)
    if seeds is None and not Path(data).is_dir():
        raise SettingsError(f"{data!r} is neither seeds such as 0-49 nor a folder of scenes")
    if seeds is not None:
        if options.views != "blind":
            _check_renderer(options)
        return generated_cases(seeds, options)
    cases = stored_cases(Path(data), options)
    for case in cases:
        if options.views != "blind" and not Path(case.picture).is_file():
            raise SettingsError(f"scene {case.id} has no panorama: {case.picture} is missing")
    return cases


def _check_renderer(options: Options) -> None:
    """Refuse what can't be rendered here or is not known."""
    if importlib.util.find_spec("mitsuba") is None or importlib.util.find_spec("pyoidn") is None:
        raise RenderError("panoramas are rendered with Mitsuba: pip install 'tolman[render]'")
    from tolman.render.assets.choose import find_source  # noqa: PLC0415 loads all that renders
    from tolman.render.engine.values import find_preset  # noqa: PLC0415

    find_preset(options.preset)
    find_source(options.assets)
