"""Set our grades of the answers of a released run beside the stored scores."""

from collections.abc import Iterator, Sequence

from tolman.benchmarks.compared import Compared
from tolman.benchmarks.theory_of_space.released_book import MAP_MODES, logged_answers
from tolman.benchmarks.theory_of_space.released_runs import ReleasedRun
from tolman.benchmarks.theory_of_space.scores import AnswerOutcome


def rescore_answers(run: ReleasedRun, answers: Sequence[AnswerOutcome]) -> Iterator[Compared]:
    """All answers of a run to questions of the nine kinds and their picture variants, in all modes."""
    graded = {answer.call: answer for answer in answers}
    for call, stored in logged_answers(run).items():
        ours = graded[call]
        yield Compared(ours.kind, f"{MAP_MODES[ours.mode]} {stored.question_id}", ours.score, stored.score)
