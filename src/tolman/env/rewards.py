"""Scores that rewards are made of, each as the evaluation computes it under the strict rules."""

from collections.abc import Mapping, Sequence

from tolman.ask import grade
from tolman.belief import Belief, posterior
from tolman.belief.map_dimensions import score_turns
from tolman.belief.map_scores import MapScale
from tolman.benchmarks.theory_of_space.case import Case, question_calls
from tolman.benchmarks.theory_of_space.explored_turns import explored_turns
from tolman.benchmarks.theory_of_space.scores import map_turns
from tolman.core.rules import STRICT
from tolman.explore.episode import Episode
from tolman.ideal.best_map import ScoredNames, best_map
from tolman.world import START, Scene


def map_ceiling(scene: Scene, belief: Belief, seen: Sequence[str]) -> float:
    """The ideal observer's ceiling: expected correctness of the best map of the whole scene, given what was seen."""
    counted = ScoredNames(tuple(thing.name for thing in scene.things), MapScale.of(scene))
    return best_map(posterior(belief), START, seen, counted).expected


def map_score(scene: Scene, episode: Episode, replies: Mapping[str, str]) -> float:
    """Correctness of the map that was stated after an exploration; 0 where there is none."""
    scores = score_turns(scene, map_turns(replies, explored_turns(episode)), STRICT)
    correctness = scores[-1].complete if scores else None
    return 0.0 if correctness is None else correctness.overall or 0.0


def answer_score(case: Case, replies: Mapping[str, str]) -> float:
    """Mean score of the answers to the questions of a case; 0 for one that was not answered."""
    scores = [
        grade(question, replies[call], STRICT).score if call in replies else 0.0
        for call, question in question_calls("none", case.questions)
    ]
    return sum(scores) / len(scores) if scores else 0.0
