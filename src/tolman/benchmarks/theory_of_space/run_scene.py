"""One scene from end to end: exploration, probes of belief, questions, revision. Nothing here knows who the model is.

The exploration is one conversation. Everything else branches off it and leaves no trace, but for the revision, which
goes on where the exploration ended.
"""

from collections.abc import Awaitable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from tolman.ask import Question
from tolman.belief.probes import ask_global_map, ask_revision_map
from tolman.benchmarks.theory_of_space.calls import probe_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.conversation import Conversation, Message, request
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.pages import explore_page, footer, map_page, reason_page, system_page
from tolman.benchmarks.theory_of_space.probing import Branch, probes
from tolman.benchmarks.theory_of_space.telling import in_pictures, tell_question, telling
from tolman.errors import ReplayError
from tolman.explore.episode import Episode, begin_revision, step
from tolman.explore.grammar import Refusal, RefusalKind, read_actions
from tolman.explore.words import say_change, say_latest, say_turn

OUT_OF_BUDGET = Refusal(RefusalKind.NO_ACTIONS, "The budget is spent.")
"""Stands for the reply after the last one, which ends the phase whatever it says; nobody needs to pay for it."""


_WITH_MAP: dict[MapMode, str] = {
    "none": "",
    "say": "saying a map: ",
    "own": "with own map: ",
    "true": "with true map: ",
}


class Stage(Protocol):
    """Whoever answers: a model behind an API, a scripted agent, a record."""

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        """The reply to a conversation; None where there is none to be had (a replay may lack a probe)."""
        ...

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        """Do several things at once and wait for all; a log shows them under the heading."""
        ...


@dataclass(frozen=True)
class Explored:
    """An exploration, and the conversation after each of its replies by number (0: before the first)."""

    episode: Episode
    history: Mapping[int, Conversation]

    @property
    def conversation(self) -> Conversation:
        """The conversation at its end."""
        return self.history[max(self.history)]


class SceneRun:
    """A model in a scene."""

    def __init__(self, case: Case, options: Options, stage: Stage) -> None:
        self.case, self.options, self.stage = case, options, stage

    async def run(self, log: Episode | None = None) -> Episode:
        """All that the options ask for; the episode at the end. `log` is what a passive model reads."""
        explored = await self.explore() if log is None else self.read(log)
        revision = [self.stage.together("revise", [self._revise(explored)])] if self._revises else []
        await self.stage.together("", [self._ask_and_probe(explored), *revision])
        return explored.episode

    async def explore(self) -> Explored:
        """Let the model explore by itself."""
        episode = Episode(self.case.scene, self.options.episode)
        opening = explore_page(episode, self.options, pictured=in_pictures(self.case, self.options))
        start = Conversation(system_page(self.options), opening, say_latest(episode))
        return await self._turns(episode, start, "")

    def read(self, log: Episode) -> Explored:
        """Hand the model the log of another explorer: after each turn, as much of it as had happened."""
        system, last = system_page(self.options), len(log.turns)
        numbers = range(1, last + 1) if self.options.probe_turns == "every" else (last,)
        say_look = telling(self.case, self.options, log.scene, "explore")
        pictured = in_pictures(self.case, self.options)
        pages = (reason_page(log, self.options, log.turns[:number], say_look, pictured=pictured) for number in numbers)
        return Explored(
            log, {number: Conversation(system, page, "") for number, page in zip(numbers, pages, strict=True)}
        )

    async def _turns(self, episode: Episode, conversation: Conversation, news: str) -> Explored:
        """Ask for one turn after another until the phase is over. `news` opens the first request."""
        history, say_look = {0: conversation}, telling(self.case, self.options, episode.scene, episode.phase)
        for number in range(1, self.options.episode.budget(episode.phase) + 2):
            if episode.turns_left == 0:
                episode = step(episode, OUT_OF_BUDGET)
                history[number] = replace(conversation, news=request(conversation.news, say_turn(episode.turns[-1])))
                break
            wanted = request(news, _left(episode), footer("act", self.options))
            messages = conversation.asking(wanted, self.options.history)
            call = turn_call(episode.phase, number)
            reply = await self.stage.speak(call, messages, episode)
            if reply is None:
                raise ReplayError(f"there is no reply to {call} of scene {self.case.id}")
            asked = read_actions(reply, episode.settings.rules, episode.phase)
            episode = step(self.case.at_turn(episode, call), asked)
            conversation = conversation.answered(wanted, reply, say_turn(episode.turns[-1], say_look))
            history[number], news = conversation, ""
            if episode.over:
                break
        return Explored(episode, history)

    # ---- branches ----

    async def _ask_and_probe(self, explored: Explored) -> None:
        replies = await self._branches(probes(self.case, explored.episode, explored.history, self.options), explored)
        if "ask" in self.options.phases:
            last = len([turn for turn in explored.episode.turns if turn.phase == "explore"])
            own = replies.get(probe_call("explore", last, "global"))
            await self._branches(self._questions(explored, own), explored)

    def _questions(self, explored: Explored, own_map: str | None) -> Iterator[Branch]:
        for mode in self.options.maps:
            conversation = explored.conversation
            if mode == "own":
                wanted = request(ask_global_map(), footer("answer", self.options))
                conversation = conversation.answered(wanted, own_map or "", "")
            before = map_page(mode, explored.episode)
            for call, question in question_calls(mode, self.case.questions):
                heading = f"ask {_WITH_MAP[mode]}{question.kind.replace('_', ' ')}"
                yield Branch(call, heading, conversation, request(before, self._worded(question)))

    def _worded(self, question: Question) -> str:
        return tell_question(question) if in_pictures(self.case, self.options) else question.text

    async def _branches(self, branches: Iterator[Branch], explored: Explored) -> dict[str, str]:
        """The replies to requests that leave no trace, by call."""
        replies: dict[str, str] = {}
        groups: dict[str, list[Awaitable[None]]] = {}

        async def ask(branch: Branch) -> None:
            wanted = request(branch.request, footer("answer", self.options))
            messages = branch.conversation.asking(wanted, self.options.history)
            reply = await self.stage.speak(branch.call, messages, explored.episode)
            if reply is not None:
                replies[branch.call] = reply

        for branch in branches:
            groups.setdefault(branch.heading, []).append(ask(branch))
        await self.stage.together("", [self.stage.together(heading, group) for heading, group in groups.items()])
        return replies

    # ---- revision ----

    @property
    def _revises(self) -> bool:
        return self.options.revises and self.case.changed is not None

    async def _revise(self, explored: Explored) -> None:
        changed = self.case.changed_world
        assert changed is not None  # noqa: S101 - else there is nothing to revise
        episode = begin_revision(explored.episode, changed)
        news = say_change(len(changed.changes), self.options.revise_budget)
        revised = await self._turns(episode, explored.conversation, news)
        if self.options.probe_turns == "every":
            await self._branches(self._revision_probes(revised), revised)

    def _revision_probes(self, revised: Explored) -> Iterator[Branch]:
        turns = [turn for turn in revised.episode.turns if turn.phase == "revise"]
        for number, turn in enumerate(turns, start=1):
            if turn.parsed and not turn.ended_phase:
                for repeat in range(1, self.options.repeats + 1):
                    call = probe_call("revise", number, "global", repeat)
                    yield Branch(call, f"map after turn {number}", revised.history[number], ask_revision_map())


def _left(episode: Episode) -> str:
    return f"Replies left: {episode.turns_left}."
