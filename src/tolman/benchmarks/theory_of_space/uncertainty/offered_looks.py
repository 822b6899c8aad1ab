"""The looks that a model may choose from to settle a question, with what each would tell.

A pure function of a scene and its exploration, so that a run and its scoring agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tolman.ask import Question, QuestionKind
from tolman.ask.settling import Look
from tolman.benchmarks.theory_of_space.case import Case
from tolman.core.seeds import rng
from tolman.explore.episode import Episode
from tolman.ideal.knowledge import evidence_in, knowledge_from
from tolman.ideal.look_gains import look_gains, possible_looks
from tolman.ideal.observer import GenerativeObserver, Observer, ObserverName, observer_of
from tolman.ideal.question_content import LEAST_SURE, question_content
from tolman.ideal.scene_prior import prior_of

OBSERVER: ObserverName = "generative"
"""The observer that labels questions: an absence that was told decides as much as a presence."""
SETTLED_KINDS: tuple[str, ...] = (
    QuestionKind.DIRECTION,
    QuestionKind.PERSPECTIVE_TAKING,
    QuestionKind.LOCATION_TO_VIEW,
)
"""Kinds of question about one or two things, for which the gain of a look is asked for."""
OFFERED = 4
"""Most looks to choose from."""
LEAST_BITS = 0.1
"""Least gain of the best look to a question that is asked."""
CLEARLY_WORSE = 0.8
"""Other looks that are offered gain at most this share of the best; those that gain something come first."""


def final_observer(case: Case, episode: Episode) -> Observer:
    """The ideal observer after the whole exploration."""
    turns = [turn for turn in episode.turns if turn.phase == "explore"]
    knowledge = knowledge_from(episode.brief, evidence_in(turns), case.scene.extent)
    return observer_of(OBSERVER, knowledge, turns, prior_of(case.scene))


@dataclass(frozen=True)
class OfferedLooks:
    """The looks to choose from for one question, in the order in which they are listed, and their gains in bits."""

    looks: tuple[Look, ...]
    gains: tuple[float, ...]

    @property
    def best(self) -> float:
        return max(self.gains)

    @property
    def chance(self) -> float:
        """The share of the best gain that a random choice expects."""
        return sum(self.gains) / len(self.gains) / self.best


def offered_looks(case: Case, episode: Episode) -> Mapping[str, OfferedLooks]:
    """By id of the question: the looks for every question that is not decided and that a look would tell about.

    None where the posterior over whole scenes is not available.
    """
    observer = final_observer(case, episode)
    if not isinstance(observer, GenerativeObserver):
        return {}
    found = ((question.id, _offered(question, observer)) for question in case.questions)
    return {name: looks for name, looks in found if looks is not None}


def _offered(question: Question, observer: GenerativeObserver) -> OfferedLooks | None:
    if question.kind not in SETTLED_KINDS:
        return None
    content = question_content(question)
    answer = observer.best_answer(content)
    if answer is None or answer.sure >= LEAST_SURE:
        return None
    scenes = observer.scenes.finer
    looks = possible_looks(scenes)
    gains = look_gains(content, scenes, looks)
    if not gains or max(gains) < LEAST_BITS:
        return None
    best = max(range(len(looks)), key=lambda i: gains[i])
    stream = rng(0, "settle", question.id)
    mixed: list[int] = stream.permutation(len(looks)).tolist()
    worse = [i for i in mixed if gains[i] <= CLEARLY_WORSE * gains[best]]
    worse.sort(key=lambda i: gains[i] < LEAST_BITS)
    chosen = [best, *worse[: OFFERED - 1]]
    if len(chosen) < 2:
        return None
    places: list[int] = stream.permutation(len(chosen)).tolist()
    order = [chosen[i] for i in places]
    return OfferedLooks(tuple(looks[i] for i in order), tuple(gains[i] for i in order))
