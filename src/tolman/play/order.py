"""In which order a person is asked. The calls are those of a model; their order is that of someone who remembers.

A model is probed on branches that leave no trace, so it does not matter when. A person is asked for maps right after
the turn, and only at the very end for the points not yet looked at: the plan shown there gives the walls away.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from tolman.ask import Question
from tolman.belief.probes import ask_revision_map
from tolman.benchmarks.theory_of_space.calls import probe_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.conversation import Conversation
from tolman.benchmarks.theory_of_space.probing import probes
from tolman.benchmarks.theory_of_space.telling import in_pictures, tell_question
from tolman.explore.episode import Episode, Turn
from tolman.explore.words import say_change
from tolman.play.sitting import Sitting

_ALONE = Conversation("", "", "")
"""Stands for the conversation that a model's probe branches off; a person has turns to look back on instead."""


@dataclass(frozen=True)
class Wanted:
    """One reply that is wanted: the name of the call, what is asked, and what the person may look back on."""

    call: str
    request: str
    """In the words in which a model is asked; for a turn, only what there is to say of the change."""
    episode: Episode
    past: tuple[Turn, ...]
    question: Question | None = None

    @property
    def is_turn(self) -> bool:
        return self.call.count("/") == 1

    @property
    def probe(self) -> str:
        """`global`, `local` or `points`; empty for anything else."""
        return "" if self.is_turn or self.question else self.call.split("/")[2]


def wanted(sitting: Sitting) -> Wanted | None:
    """The first call that has no reply yet; None when the scene is finished."""
    return next((each for each in _order(sitting) if each.call not in sitting.replies), None)


def _order(sitting: Sitting) -> Iterator[Wanted]:
    """Calls in order, up to the first turn that is still to be taken."""
    explored, revised = sitting.explored, sitting.revised
    maps, points = _probes(sitting)
    yield from maps
    if not explored.over:
        yield _turn(explored, "")
        return
    for call, question in chain.from_iterable(question_calls(m, sitting.case.questions) for m in sitting.options.maps):
        text = tell_question(question) if in_pictures(sitting.case, sitting.options) else question.text
        yield Wanted(call, text, explored, explored.turns, question)
    if revised is not None:
        yield from _revision_maps(sitting, revised)
        if not revised.over:
            yield _turn(revised, say_change(len(sitting.case.changes), sitting.options.revise_budget))
            return
    yield from points


def _turn(episode: Episode, news: str) -> Wanted:
    number = 1 + sum(turn.phase == episode.phase for turn in episode.turns)
    return Wanted(turn_call(episode.phase, number), news, episode, episode.turns)


def _probes(sitting: Sitting) -> tuple[Sequence[Wanted], Sequence[Wanted]]:
    """Maps and points that are asked for after turns of the exploration so far."""
    episode, options = sitting.explored, sitting.options
    if options.probe_turns == "off" or (options.probe_turns == "last" and not episode.over):
        return (), ()
    history = dict.fromkeys(range(len(episode.turns) + 1), _ALONE)
    asked = [
        Wanted(branch.call, branch.request, episode, episode.turns[: int(branch.call.split("/")[1])])
        for branch in probes(sitting.case, episode, history, options)
    ]
    return [each for each in asked if each.probe != "points"], [each for each in asked if each.probe == "points"]


def _revision_maps(sitting: Sitting, revised: Episode) -> Iterator[Wanted]:
    if sitting.options.probe_turns != "every":
        return
    before = len(sitting.explored.turns)
    for number, turn in enumerate(revised.turns[before:], start=1):
        if turn.parsed and not turn.ended_phase:
            for repeat in range(1, sitting.options.repeats + 1):
                call = probe_call("revise", number, "global", repeat)
                yield Wanted(call, ask_revision_map(), revised, revised.turns[: before + number])
