"""The protocol of one scene: exploration, elicited maps, questions and revision.

The exploration is one conversation. The revision continues it; maps and questions are asked on branches.
"""

from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from tolman.ask import Question
from tolman.ask.abstention import abstention_request
from tolman.ask.odds import odds_request, slots_of
from tolman.ask.settling import settle_request
from tolman.belief.cognitive_map import global_map_prompt, revision_map_prompt
from tolman.benchmarks.theory_of_space.case import Case, elicit_call, question_calls, turn_call
from tolman.benchmarks.theory_of_space.options import MapMode, Options
from tolman.benchmarks.theory_of_space.protocol.prompts import (
    Branch,
    Conversation,
    Message,
    elicitations,
    explore_page,
    footer,
    in_pictures,
    map_page,
    observation_wording,
    question_prompt,
    reason_page,
    request,
    system_page,
)
from tolman.benchmarks.theory_of_space.uncertainty.offered_looks import OfferedLooks, offered_looks
from tolman.core.errors import ReplayError
from tolman.core.rules import STRICT
from tolman.explore.actions import Phase
from tolman.explore.agents.registry import SCRIPTED_BUDGET, run_explorer
from tolman.explore.episode import Episode, begin_revision, step
from tolman.explore.grammar import FormatFailure, FormatFailureKind, read_actions
from tolman.explore.messages import describe_change, describe_latest, describe_turn

OUT_OF_BUDGET = FormatFailure(FormatFailureKind.NO_ACTIONS, "The budget is spent.")
"""Stands for the reply after the budget, which would end the phase in any case; no model is called for it."""


_MODE_HEADINGS: dict[MapMode, str] = {
    "none": "",
    "say": "saying a map: ",
    "own": "with own map: ",
    "true": "with true map: ",
}


class Stage(Protocol):
    """The source of replies: a model behind an API, a scripted agent, or a record."""

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        """The reply to a conversation; None where there is none (a replayed run may lack a map)."""
        ...

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        """Await all, concurrently if possible; a log shows them under the heading."""
        ...


@dataclass(frozen=True)
class ExploredEpisode:
    """An exploration, and the conversation after each of its replies by number (0: before the first)."""

    episode: Episode
    history: Mapping[int, Conversation]

    @property
    def conversation(self) -> Conversation:
        """The conversation at its end."""
        return self.history[max(self.history)]


class SceneRun:
    """Runs the protocol with one stage in one case."""

    def __init__(self, case: Case, options: Options, stage: Stage) -> None:
        self.case, self.options, self.stage = case, options, stage

    async def run(self, log: Episode | None = None) -> Episode:
        """Run all phases of the options and return the explored episode. `log` is what a passive model reads."""
        explored = await self.explore() if log is None else self.read(log)
        revision = [self.stage.together("revise", [self._revise(explored)])] if self._revises else []
        await self.stage.together("", [self._elicit_and_ask(explored), *revision])
        return explored.episode

    async def explore(self) -> ExploredEpisode:
        """The exploration of an active model."""
        episode = Episode(self.case.scene, self.options.episode)
        opening = explore_page(episode, self.options, pictured=in_pictures(self.case, self.options))
        start = Conversation(system_page(self.options), opening, describe_latest(episode))
        return await self._turns(episode, start, "")

    def read(self, log: Episode) -> ExploredEpisode:
        """The exploration of a passive model: the log of another explorer up to each turn."""
        system, last = system_page(self.options), len(log.turns)
        numbers = range(1, last + 1) if self.options.probe_turns == "every" else (last,)
        describe_view = observation_wording(self.case, self.options, log.scene, "explore")
        pictured = in_pictures(self.case, self.options)
        pages = (
            reason_page(log, self.options, log.turns[:number], describe_view, pictured=pictured) for number in numbers
        )
        return ExploredEpisode(
            log, {number: Conversation(system, page, "") for number, page in zip(numbers, pages, strict=True)}
        )

    async def _turns(self, episode: Episode, conversation: Conversation, news: str) -> ExploredEpisode:
        """Request one turn after another until the phase ends. `news` begins the first request."""
        history, describe_view = (
            {0: conversation},
            observation_wording(self.case, self.options, episode.scene, episode.phase),
        )
        for number in range(1, self.options.episode.budget(episode.phase) + 2):
            if episode.turns_left == 0:
                episode = step(episode, OUT_OF_BUDGET)
                history[number] = replace(
                    conversation, news=request(conversation.news, describe_turn(episode.turns[-1]))
                )
                break
            wanted = request(news, f"Replies left: {episode.turns_left}.", footer("act", self.options))
            messages = conversation.asking(wanted, self.options.history)
            call = turn_call(episode.phase, number)
            reply = await self.stage.speak(call, messages, episode)
            if reply is None:
                raise ReplayError(f"there is no reply to {call} of scene {self.case.id}")
            asked = read_actions(reply, episode.settings.rules, episode.phase)
            episode = step(self.case.at_turn(episode, call), asked)
            conversation = conversation.answered(wanted, reply, describe_turn(episode.turns[-1], describe_view))
            history[number], news = conversation, ""
            if episode.over:
                break
        return ExploredEpisode(episode, history)

    # ---- branches ----

    async def _elicit_and_ask(self, explored: ExploredEpisode) -> None:
        replies = await self._branches(
            elicitations(self.case, explored.episode, explored.history, self.options), explored
        )
        if "ask" in self.options.phases:
            last = len([turn for turn in explored.episode.turns if turn.phase == "explore"])
            own = replies.get(elicit_call("explore", last, "global"))
            await self._branches(self._questions(explored, own), explored)

    def _questions(self, explored: ExploredEpisode, own_map: str | None) -> Iterator[Branch]:
        for mode in self.options.maps:
            conversation = explored.conversation
            if mode == "own":
                wanted = request(global_map_prompt(), footer("answer", self.options))
                conversation = conversation.answered(wanted, own_map or "", "")
            before = map_page(mode, explored.episode)
            looks: Mapping[str, OfferedLooks] = (
                offered_looks(self.case, explored.episode) if self.options.settle else {}
            )
            for call, question in question_calls(mode, self.case.questions):
                if (self.options.odds and not slots_of(question)) or (self.options.settle and question.id not in looks):
                    continue
                heading = f"ask {_MODE_HEADINGS[mode]}{question.kind.replace('_', ' ')}"
                text = self._question_text(question)
                text = request(text, settle_request(looks[question.id].looks)) if self.options.settle else text
                yield Branch(call, heading, conversation, request(before, text))

    def _question_text(self, question: Question) -> str:
        text = question_prompt(question) if in_pictures(self.case, self.options) else question.text
        if self.options.abstain:
            return request(text, abstention_request(self.options.threshold))
        return request(text, odds_request(slots_of(question))) if self.options.odds else text

    async def _branches(self, branches: Iterator[Branch], explored: ExploredEpisode) -> dict[str, str]:
        """The replies to requests on branches, by name of the call."""
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

    async def _revise(self, explored: ExploredEpisode) -> None:
        changed = self.case.changed_world
        assert changed is not None  # noqa: S101 - else there is nothing to revise
        episode = begin_revision(explored.episode, changed)
        news = describe_change(len(changed.changes), self.options.turns("revise"))
        revised = await self._turns(episode, explored.conversation, news)
        if self.options.probe_turns == "every":
            await self._branches(self._revision_elicitations(revised), revised)

    def _revision_elicitations(self, revised: ExploredEpisode) -> Iterator[Branch]:
        turns = [turn for turn in revised.episode.turns if turn.phase == "revise"]
        for number, turn in enumerate(turns, start=1):
            if turn.parsed and not turn.ended_phase:
                for repeat in range(1, self.options.repeats + 1):
                    call = elicit_call("revise", number, "global", repeat)
                    yield Branch(call, f"map after turn {number}", revised.history[number], revision_map_prompt())


ReplyFunction = Callable[[str, Sequence[Message], Episode], str | None]
"""The reply to a call by its name, what was sent, and the episode so far; None where there is none."""


def run_offline(case: Case, options: Options, answer: ReplyFunction) -> dict[str, str | None]:
    """All calls of a scene with their replies, in order, without an event loop."""
    log = explorer_log(case, options)
    stage = _OfflineStage(answer)
    _run_to_end(SceneRun(case, options, stage).run(log))
    return stage.replies


def explorer_log(case: Case, options: Options) -> Episode | None:
    """The episode whose log a passive model reads; None for an active model."""
    if options.mode == "active":
        return None
    return run_explorer(case.explorer or options.passive_explorer, case.scene, case.seed)


class _OfflineStage:
    """A stage that calls a function for each reply; see `Stage`."""

    def __init__(self, answer: ReplyFunction) -> None:
        self._answer = answer
        self.replies: dict[str, str | None] = {}

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        self.replies[call] = self._answer(call, messages, episode)
        return self.replies[call]

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        for awaitable in awaitables:
            await awaitable


def _run_to_end(coroutine: Coroutine[Any, Any, Episode]) -> None:
    """Run a coroutine that never suspends."""
    try:
        coroutine.send(None)
    except StopIteration:
        return
    raise RuntimeError("the coroutine of an offline scene was suspended")


Replies = Mapping[str, str]
"""Replies of a model, by name of the call."""


def rebuild(case: Case, options: Options, replies: Replies, log: Sequence[str]) -> Episode:
    """The episode of a record: exploration and, if it was run, revision. `log`: actions that a passive model read."""
    if options.mode == "passive":
        episode = Episode(case.scene, SCRIPTED_BUDGET)
        for actions in log:
            episode = step(episode, read_actions(actions, STRICT))
        return episode
    episode = _follow_replies(case, Episode(case.scene, options.episode), replies)
    changed = case.changed_world
    if changed is None or turn_call("revise", 1) not in replies:
        return episode
    return _follow_replies(case, begin_revision(episode, changed), replies)


def _follow_replies(case: Case, episode: Episode, replies: Replies) -> Episode:
    phase: Phase = episode.phase
    number = 1
    while not episode.over:
        if episode.turns_left == 0:
            return step(episode, OUT_OF_BUDGET)
        call = turn_call(phase, number)
        if call not in replies:
            raise ReplayError(f"the record ends before {call}, in the middle of a phase")
        episode = step(case.at_turn(episode, call), read_actions(replies[call], episode.settings.rules, phase))
        number += 1
    return episode
