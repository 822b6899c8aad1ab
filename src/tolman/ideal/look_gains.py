"""How much a look would tell about a question: expected bits about its answer, over possible scenes.

A look counts by what it would show of the things that the question is about: whether each is in view, its direction,
distance and facing. Other things in view tell something too, so this is a lower bound of the whole gain.
"""

import math
from collections.abc import Sequence

import numpy as np

from tolman.ask.settling import Look
from tolman.core.geometry import Heading
from tolman.ideal.generative import WeightedScenes
from tolman.ideal.question_content import AnswerCases, QuestionContent, names_asked
from tolman.ideal.scene_answers import answer_over
from tolman.ideal.scene_prior import Floats, Ints
from tolman.ideal.scene_views import SceneViews, main_room
from tolman.world import START


def possible_looks(scenes: WeightedScenes) -> tuple[Look, ...]:
    """Every look from the start, or from a name to which observed sight lines lead, that has not been taken."""
    topology = scenes.told.topology
    places = dict.fromkeys((START, *topology.routes(START, {})))
    every = (Look(place, heading) for place in places for heading in Heading)
    return tuple(look for look in every if (look.place, look.heading) not in topology.looks)


def look_gains(content: QuestionContent, scenes: WeightedScenes, looks: Sequence[Look]) -> list[float] | None:
    """Expected gain of each look in bits; None for a question whose answer can't be listed.

    Entropies of draws are corrected for the number of distinct outcomes (Miller and Madow).
    """
    best = answer_over(content, scenes)
    cases = None if best is None else best.cases
    if cases is None or not cases.weights.any():
        return None
    answers = cases.joint()
    return [_mutual_information(cases, answers, _shown(content, scenes, cases.rows, look), scenes) for look in looks]


def _shown(content: QuestionContent, scenes: WeightedScenes, rows: Ints, look: Look) -> Ints:
    """One code in each case for what a look would show of the things that a question is about."""
    views = SceneViews(scenes, rows)
    start = look.place == START
    at = views.at(look.place)
    inside = main_room(views) if start else views.inside[:, views.index(look.place)]
    view = views.look(at, int(look.heading), inside)
    columns: list[Ints] = []
    for name in names_asked(content):
        i = views.index(name)
        seen = view.visible[:, i]
        columns += [np.where(seen, 1 + label[:, i], 0) for label in (view.direction, view.distance)]
        if i < views.things:
            columns.append(np.where(seen, views.fronts[:, i], 0))
    if not columns:
        return np.zeros(len(rows), np.int64)
    return np.unique(np.stack(columns, axis=1), axis=0, return_inverse=True)[1].ravel()


def _mutual_information(cases: AnswerCases, answers: Ints, shown: Ints, scenes: WeightedScenes) -> float:
    weights: Floats = cases.weights / cases.weights.sum()
    joint = answers * (int(shown.max(initial=0)) + 1) + shown
    size = math.inf if scenes.exact else float(1 / (weights**2).sum()) * scenes.ess / len(scenes)
    entropies = [_entropy(codes, weights, size) for codes in (answers, shown, joint)]
    return max(0.0, entropies[0] + entropies[1] - entropies[2])


def _entropy(codes: Ints, weights: Floats, size: float) -> float:
    """Entropy in bits; from draws worth `size` independent ones, with Miller and Madow's correction."""
    _, which = np.unique(codes, return_inverse=True)
    sums = np.asarray(np.bincount(which.ravel(), weights), np.float64)
    chances = sums[sums > 0]
    return -float(chances @ np.log2(chances)) + (len(chances) - 1) / (2 * size * math.log(2))
