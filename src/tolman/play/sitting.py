"""A sitting: a person in a scene, as a value, and in which order they are asked.

A model is probed on branches that leave no trace, so it does not matter when. A person is asked for maps right after
the turn, and only at the very end for the points not yet looked at: the plan shown there gives the walls away.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain

from tolman.ask import Question
from tolman.belief.probes import ask_revision_map
from tolman.benchmarks.theory_of_space.calls import probe_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.conversation import Conversation
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.probing import probes
from tolman.benchmarks.theory_of_space.run_scene import OUT_OF_BUDGET
from tolman.benchmarks.theory_of_space.telling import in_pictures, tell_question
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, Turn, begin_revision, step
from tolman.explore.grammar import read_actions
from tolman.explore.words import say_change
from tolman.world import Scene


@dataclass(frozen=True)
class Sitting:
    """The case, the options, and the replies so far by name of the call."""

    case: Case
    options: Options
    replies: Mapping[str, str]

    def answered(self, call: str, reply: str) -> "Sitting":
        """The sitting after one more reply. What was said once stays said."""
        return replace(self, replies={call: reply, **self.replies})

    @cached_property
    def explored(self) -> Episode:
        """The exploration as far as it has come; for a passive person, all of the log that they read."""
        if self.options.mode == "passive":
            explorer = self.case.explorer or self.options.passive_explorer
            return _log(explorer, self.case.scene, self.case.seed)
        return self._followed(Episode(self.case.scene, self.options.episode))

    @cached_property
    def revised(self) -> Episode | None:
        """The exploration of the changed world as far as it has come; None where there is none, or not yet."""
        changed = self.case.changed_world
        if changed is None or not self.options.revises or not self.explored.over:
            return None
        return self._followed(begin_revision(self.explored, changed))

    def _followed(self, episode: Episode) -> Episode:
        """Carry out the replies of a phase until one is missing."""
        number = 1
        while not episode.over:
            if episode.turns_left == 0:
                return step(episode, OUT_OF_BUDGET)
            reply = self.replies.get(turn_call(episode.phase, number))
            if reply is None:
                return episode
            episode = step(episode, read_actions(reply, episode.settings.rules, episode.phase))
            number += 1
        return episode


@lru_cache(maxsize=64)
def _log(explorer: str, scene: Scene, seed: int) -> Episode:
    return run_explorer(explorer, scene, seed)


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
