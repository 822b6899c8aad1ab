"""Cases from a folder of scenes: the authors', as folders or in their hosted form, or what `tolman make` wrote."""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice
from pathlib import Path

from tolman.benchmarks.osr_bench.chart import Handedness
from tolman.benchmarks.osr_bench.fair_directions import may_be_asked
from tolman.benchmarks.osr_bench.fair_distances import is_clear
from tolman.benchmarks.osr_bench.grid_map import GridMap
from tolman.benchmarks.osr_bench.hosted_files import read_scenes
from tolman.benchmarks.osr_bench.negatives import Company, pool_of
from tolman.benchmarks.osr_bench.osr_case import CORNERS, OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_rules import OsrRules, osr_rules
from tolman.benchmarks.osr_bench.own_cases import society, with_decoys
from tolman.benchmarks.osr_bench.question import Question, answer_of
from tolman.benchmarks.osr_bench.released_files import ReleasedScene
from tolman.errors import SettingsError

_REPLICA = "ReplicaPano-"
"""Of these scenes it is known where the middle of the panorama lies: to the right on the stored, mirrored map."""


def stored_cases(folder: Path, options: OsrOptions) -> list[OsrCase]:
    """The scenes in a folder with their stored questions, the answers worked out on the map as the options want it.

    Under `strict` questions without one clear answer are left out. Lists of classes hold distractors where the
    options say so: those of sets that `tolman make` wrote what our rooms hold, others what their own scenes hold.
    """
    scenes = list(read_scenes(folder))
    cases = [_case(scene, options) for scene in scenes]
    if not options.lists_distractors:
        return cases
    own = all(scene.handedness == "true" for scene in scenes)
    return with_decoys(cases, society() if own else Company.of(scene.truth.classes for scene in scenes), options)


def is_own_set(folder: Path) -> bool:
    """Whether a folder was written by `tolman make`: the authors' maps are mirrored, and those never are."""
    return all(scene.handedness == "true" for scene in islice(read_scenes(folder), 1))


def _case(scene: ReleasedScene, options: OsrOptions) -> OsrCase:
    if options.asked not in scene.questions:
        raise SettingsError(f"{scene.folder} has no {options.asked} questions")
    rules = osr_rules(options.rules)
    truth, corner = laid_out(scene, options.hand)
    return OsrCase(
        id=re.sub(r"[^\w.-]", "_", scene.name),
        truth=truth,
        pool=pool_of(scene.pools[options.asked], (), rules),
        questions=tuple(_asked(scene.questions[options.asked], truth, rules)),
        picture=str(scene.panorama),
        corner=corner,
    )


def laid_out(scene: ReleasedScene, wanted: Handedness) -> tuple[GridMap, str | None]:
    """The true map of a scene in the wanted handedness, and the corner that the room lies in; see `OsrCase.corner`."""
    if wanted in ("released", scene.handedness):
        truth = scene.truth if scene.handedness == wanted else scene.truth.mirrored
        return truth, CORNERS[0] if wanted == "true" else None
    if scene.name.startswith(_REPLICA):
        return scene.truth.mirrored.turned(1), "bottom right"
    return scene.truth.mirrored, None


def _asked(stored: Iterable[Question], truth: GridMap, rules: OsrRules) -> Iterable[Question]:
    for question in stored:
        answer = answer_of(truth, question.kind, question.names)
        if answer and _is_fair(question, truth, rules):
            yield replace(question, answer=answer)


def _is_fair(question: Question, truth: GridMap, rules: OsrRules) -> bool:
    match question.kind:
        case "counting":
            return True
        case "distance":
            return is_clear(truth, question.names) or not rules.ties_are_not_asked
        case "direction":
            return may_be_asked(truth, question.names, rules)
