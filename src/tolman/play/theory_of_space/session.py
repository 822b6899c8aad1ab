"""A play session: a person in a scene as a value, and the order of requests.

Maps are elicited right after the turn, and unexplored points only at the very end, as the plan shown there reveals the
walls.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain

from tolman.ask import Question
from tolman.belief.cognitive_map import revision_map_prompt
from tolman.benchmarks.theory_of_space.case import Case, elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.elicit import elicitations
from tolman.benchmarks.theory_of_space.protocol.prompts import Conversation, in_pictures, question_prompt
from tolman.benchmarks.theory_of_space.protocol.run_scene import OUT_OF_BUDGET
from tolman.explore.agents.registry import run_explorer
from tolman.explore.episode import Episode, Turn, begin_revision, step
from tolman.explore.grammar import read_actions
from tolman.explore.messages import describe_change
from tolman.world import Scene


@dataclass(frozen=True)
class PlaySession:
    """The case, the options, and the replies so far by name of the call."""

    case: Case
    options: Options
    replies: Mapping[str, str]

    def answered(self, call: str, reply: str) -> "PlaySession":
        """The session after one more reply; a call that has a reply keeps it."""
        return replace(self, replies={call: reply, **self.replies})

    @cached_property
    def explored(self) -> Episode:
        """The exploration so far; in passive mode, the whole log that the person reads."""
        if self.options.mode == "passive":
            explorer = self.case.explorer or self.options.passive_explorer
            return _explorer_log(explorer, self.case.scene, self.case.seed)
        return self._carried_out(Episode(self.case.scene, self.options.episode))

    @cached_property
    def revised(self) -> Episode | None:
        """The revision so far; None where there is none, or not yet."""
        changed = self.case.changed_world
        if changed is None or not self.options.revises or not self.explored.over:
            return None
        return self._carried_out(begin_revision(self.explored, changed))

    def _carried_out(self, episode: Episode) -> Episode:
        """The episode after all replies of its phase so far."""
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
def _explorer_log(explorer: str, scene: Scene, seed: int) -> Episode:
    return run_explorer(explorer, scene, seed)


_NO_CONVERSATION = Conversation("", "", "")
"""In place of the conversation from which a model's elicitation branches; a person sees the past turns instead."""


@dataclass(frozen=True)
class RequestedReply:
    """One requested reply: the name of the call, the request, and the past turns that are shown."""

    call: str
    request: str
    """The same text as for a model; for a turn, only the announcement of the change."""
    episode: Episode
    past: tuple[Turn, ...]
    question: Question | None = None

    @property
    def is_turn(self) -> bool:
        return self.call.count("/") == 1

    @property
    def elicits(self) -> str:
        """`global`, `local` or `points`; empty for anything else."""
        return "" if self.is_turn or self.question else self.call.split("/")[2]


def next_request(session: PlaySession) -> RequestedReply | None:
    """The first call that has no reply yet; None when the scene is finished."""
    return next((each for each in _requests(session) if each.call not in session.replies), None)


def _requests(session: PlaySession) -> Iterator[RequestedReply]:
    """Requests in order, up to the next turn."""
    explored, revised = session.explored, session.revised
    maps, points = _elicited_maps(session)
    yield from maps
    if not explored.over:
        yield _turn_request(explored, "")
        return
    for call, question in chain.from_iterable(question_calls(m, session.case.questions) for m in session.options.maps):
        text = question_prompt(question) if in_pictures(session.case, session.options) else question.text
        yield RequestedReply(call, text, explored, explored.turns, question)
    if revised is not None:
        yield from _revision_maps(session, revised)
        if not revised.over:
            yield _turn_request(revised, describe_change(len(session.case.changes), session.options.turns("revise")))
            return
    yield from points


def _turn_request(episode: Episode, news: str) -> RequestedReply:
    number = 1 + sum(turn.phase == episode.phase for turn in episode.turns)
    return RequestedReply(turn_call(episode.phase, number), news, episode, episode.turns)


def _elicited_maps(session: PlaySession) -> tuple[Sequence[RequestedReply], Sequence[RequestedReply]]:
    """Maps and points that are elicited after the turns of the exploration so far."""
    episode, options = session.explored, session.options
    if options.probe_turns == "off" or (options.probe_turns == "last" and not episode.over):
        return (), ()
    history = dict.fromkeys(range(len(episode.turns) + 1), _NO_CONVERSATION)
    asked = [
        RequestedReply(branch.call, branch.request, episode, episode.turns[: int(branch.call.split("/")[1])])
        for branch in elicitations(session.case, episode, history, options)
    ]
    return [each for each in asked if each.elicits != "points"], [each for each in asked if each.elicits == "points"]


def _revision_maps(session: PlaySession, revised: Episode) -> Iterator[RequestedReply]:
    if session.options.probe_turns != "every":
        return
    before = len(session.explored.turns)
    for number, turn in enumerate(revised.turns[before:], start=1):
        if turn.parsed and not turn.ended_phase:
            for repeat in range(1, session.options.repeats + 1):
                call = elicit_call("revise", number, "global", repeat)
                yield RequestedReply(call, revision_map_prompt(), revised, revised.turns[: before + number])
