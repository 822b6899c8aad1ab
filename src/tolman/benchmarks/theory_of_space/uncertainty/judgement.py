"""What the posterior says of every question of a recorded scene: its label, its best answer, and the odds."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from tolman.ask import Question
from tolman.benchmarks.theory_of_space.explored_turns import explored_turns
from tolman.benchmarks.theory_of_space.protocol.run_scene import rebuild
from tolman.benchmarks.theory_of_space.record import ScoredCase
from tolman.benchmarks.theory_of_space.uncertainty.offered_looks import final_observer
from tolman.ideal.decidability import Decidability, decidability
from tolman.ideal.observer import ObserverName
from tolman.ideal.question_content import BestAnswer, question_content


@dataclass(frozen=True)
class Judgement:
    """What an ideal observer makes of one question, given what the model was told before it."""

    label: Decidability
    expected: float
    """Expected strict score of the best answer."""
    sure: float
    """Probability that it is right in full."""
    error: float
    """Standard error of the expected score; 0 where it is exact."""
    odds: Mapping[str, Mapping[str, float]]
    """Probabilities of what each part of the answer can be; none for a plan."""


@dataclass(frozen=True)
class JudgedScene:
    """The questions of a scene by id, and the observer that judged them."""

    questions: Mapping[str, Judgement]
    observer: ObserverName
    """`relations` where `generative` is not applicable."""


def judge_scene(logged: ScoredCase) -> JudgedScene:
    """Label the questions of a recorded scene. Kinds without a computable best answer are left out."""
    case = logged.case
    episode = rebuild(case, logged.options, logged.record.replies, logged.record.log)
    turns = explored_turns(episode)
    observer = final_observer(case, episode)
    seen = turns[-1].seen if turns else ()
    best = {question.id: observer.best_answer(question_content(question)) for question in case.questions}
    judged = {question.id: judged_question(question, best[question.id], seen) for question in case.questions}
    return JudgedScene({name: found for name, found in judged.items() if found is not None}, observer.name)


def judged_question(question: Question, best: BestAnswer | None, seen: Collection[str]) -> Judgement | None:
    """The judgement of one question, given the best answer and the names that were ever in view."""
    if best is None:
        return None
    odds = best.cases.odds() if best.cases else {}
    label = decidability(question_content(question), best, seen)
    return Judgement(label, best.expected, best.sure, best.error, odds)
