"""One exploration of one world, reply by reply: the evaluation's own protocol, suspended at each request.

Every adapter drives an `Exploration`, so that the same seed gives the same messages, episode and reward in all of them.
"""

from collections.abc import Awaitable, Coroutine, Generator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tolman.ask import PAPER_KINDS, constant_reply, sample_questions
from tolman.belief import Belief
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.protocol.picture_marks import PictureKey, split_at_marks
from tolman.benchmarks.theory_of_space.protocol.prompts import Message, observation_wording, request
from tolman.benchmarks.theory_of_space.protocol.run_scene import SceneRun
from tolman.core.errors import SettingsError
from tolman.core.geometry import Heading
from tolman.core.seeds import digest, rng
from tolman.env.options import EnvironmentOptions, RewardName
from tolman.env.rewards import answer_score, map_ceiling, map_score
from tolman.explore.actions import Actions, Goto, Move, Observe, Query, Rotate, Term
from tolman.explore.episode import Episode, goto_problem
from tolman.explore.messages import describe_turn
from tolman.ideal.knowledge import evidence_in
from tolman.world import Scene, generate

IMAGE = "<image>"
"""Stands for each picture in the text of a message."""


@dataclass(frozen=True)
class _Request:
    """A call of the protocol that waits for its reply."""

    call: str
    messages: Sequence[Message]
    episode: Episode

    def __await__(self) -> Generator["_Request", str, str]:
        return (yield self)


class _SuspendingStage:
    """A stage that hands each request to whoever drives the protocol; see `Stage`."""

    async def speak(self, call: str, messages: Sequence[Message], episode: Episode) -> str | None:
        return await _Request(call, messages, episode)

    async def together(self, heading: str, awaitables: Sequence[Awaitable[None]]) -> None:
        del heading
        for awaitable in awaitables:
            await awaitable


@dataclass(frozen=True)
class ReplyOutcome:
    """What one reply led to."""

    message: str
    """The next message to the agent, with `<image>` for each picture; at the end, what the last reply led to."""
    reward: float
    terminated: bool
    """Whether the agent ended the episode."""
    truncated: bool
    """Whether its turn budget was exhausted and nothing remains to be asked."""

    @property
    def done(self) -> bool:
        return self.terminated or self.truncated


class Exploration:
    """An agent explores world `seed` and, with the reward `map` or `answers`, is then asked for a map or an answer."""

    def __init__(self, seed: int, options: EnvironmentOptions | None = None, scene: Scene | None = None) -> None:
        """`scene` replaces the world that the seed generates."""
        self.seed, self.options = seed, options or EnvironmentOptions()
        self.case = _case(scene or generate(seed, self.options.world_settings), seed, self.options)
        self.episode = Episode(self.case.scene, self.options.protocol.episode)
        self._beliefs = [Belief.start(self.case.scene.names, self.case.scene.extent)]
        """Before the first reply and after each."""
        self.messages: list[Message] = []
        """The conversation so far: system page, messages and replies. Pictures are marks."""
        self.rewards: list[float] = []
        self._replies: dict[str, str] = {}
        self._ceilings: dict[int, float] = {0: 0.0}
        self._new_turns = self.episode.turns
        self._protocol: Coroutine[Any, str | None, Episode] = SceneRun(
            self.case, self.options.protocol, _SuspendingStage()
        ).run()
        self._request: _Request | None = None
        self._advance(None)

    # ---- messages ----

    @property
    def system(self) -> str:
        """The system message."""
        return self.messages[0].text

    @property
    def text(self) -> str:
        """The latest message to the agent, with `<image>` in place of each picture."""
        return "\n".join(IMAGE if not isinstance(p, str) else p.replace(IMAGE, "image") for p in self._pieces())

    @property
    def pictures(self) -> tuple[PictureKey, ...]:
        """What the pictures in the latest message show."""
        return tuple(piece for piece in self._pieces() if not isinstance(piece, str))

    def png(self, key: PictureKey) -> bytes:
        """A picture as PNG: from the folder of `tolman render` if it is there, else rendered or from the cache."""
        from tolman.benchmarks.theory_of_space.protocol.pictures import PictureRenderer  # noqa: PLC0415 loads all that renders

        return PictureRenderer(self.case, self.options.protocol).png(key)

    def _pieces(self) -> list[str | PictureKey]:
        latest = next(message for message in reversed(self.messages) if message.role == "user")
        return split_at_marks(latest.text) if self.options.world == "vision" else [latest.text]

    # ---- replies ----

    @property
    def over(self) -> bool:
        return self._request is None

    @property
    def digest(self) -> str:
        """Identity of the conversation so far: the world, and every message and reply."""
        return digest([self.case.scene.digest, *([message.role, message.text] for message in self.messages)])

    @property
    def belief(self) -> Belief:
        """Positions that are possible, given all that the agent was told or shown."""
        return self._beliefs[-1]

    @property
    def beliefs(self) -> Sequence[Belief]:
        """The belief before the first reply and after each."""
        return tuple(self._beliefs)

    @property
    def information_gain(self) -> float:
        """Information gain so far, in [0, 1]."""
        return self.belief.information_gain

    @property
    def success(self) -> bool:
        """Whether every position is certain; with the reward `map` or `answers`, whether the reply was right."""
        if self.options.reward in ("map", "answers"):
            return self.over and self._score() > 1 - 1e-9
        return self.belief.is_certain

    def reply(self, text: str) -> ReplyOutcome:
        """Carry out one reply of the agent."""
        if self._request is None:
            raise SettingsError("the episode is over; reset the environment first")
        call, before = self._request.call, len(self.episode.turns)
        self._replies[call] = text
        self.messages.append(Message("assistant", text))
        self._advance(text)
        self._new_turns = self.episode.turns[before:]
        evidence = evidence_in(self._new_turns)
        self._beliefs.append(self.belief.after_all(evidence) if evidence else self.belief)
        if self.over:
            self.messages.append(Message("user", self._last_words()))
        self.rewards.append(self.paid(self.options.reward) - self.options.cost_weight * self._cost())
        truncated = self.over and self.options.reward not in ("map", "answers") and self.episode.turns[-1].forced
        return ReplyOutcome(self.text, self.rewards[-1], self.over and not truncated, truncated)

    def paid(self, reward: RewardName) -> float:
        """What a reward pays for the latest reply, without the cost of its actions."""
        if reward == "dense":
            return self.information_gain - self._beliefs[-2].information_gain
        if reward == "ceiling":
            return self._ceiling_gain()
        if not self.over:
            return 0.0
        return self.information_gain if reward == "final" else self._score()

    def _cost(self) -> int:
        return sum(turn.cost for turn in self._new_turns)

    def _ceiling_gain(self) -> float:
        number = len(self._beliefs) - 1
        before = self._ceilings.get(number - 1)
        if before is None:
            raise SettingsError("the reward `ceiling` must be read after every reply")
        if number not in self._ceilings:
            unchanged = self.belief is self._beliefs[-2]
            seen = self.episode.seen
            self._ceilings[number] = before if unchanged else map_ceiling(self.case.scene, self.belief, seen)
        return self._ceilings[number] - before

    def _score(self) -> float:
        if self.options.reward == "map":
            return map_score(self.case.scene, self.episode, self._replies)
        return answer_score(self.case, self._replies)

    def _advance(self, reply: str | None) -> None:
        try:
            wanted = cast("_Request", self._protocol.send(reply))
        except StopIteration as end:
            self._request, self.episode = None, cast("Episode", end.value)
            return
        self._request, self.episode = wanted, wanted.episode
        if not self.messages:
            self.messages.append(wanted.messages[0])
        self.messages.append(wanted.messages[-1])

    def _last_words(self) -> str:
        """What the reply that ended the episode led to."""
        words = observation_wording(self.case, self.options.protocol, self.case.scene, "explore")
        return request(*(describe_turn(turn, words) for turn in self._new_turns or self.episode.turns[-1:]))

    # ---- what can be done ----

    def valid_actions(self) -> tuple[str, ...]:
        """Replies that can be carried out now: looks from here and from all that one Goto reaches, queries, `Term()`.

        After the exploration, the one placeholder of a map or an answer.
        """
        if self._request is None:
            return ()
        if self.episode.over:
            return (constant_reply(self.case.questions[0]) if self.case.questions else "{}",)
        turns = [Actions(moves, Observe()) for moves in self._single_moves()]
        if self.episode.settings.answer_queries:
            turns += [Actions((), Query(name)) for name in self.episode.seen]
        return tuple(map(str, (*turns, Actions((), Term()))))

    def _single_moves(self) -> list[tuple[Move, ...]]:
        """Moves by at most one Goto, ending at each heading."""
        episode = self.episode
        found: list[tuple[Move, ...]] = [(), *((Rotate(degrees),) for degrees in _TURNS)]
        reached: dict[str, tuple[Move, ...]] = {}
        for degrees in (0, *_TURNS):
            heading: Heading = episode.heading.turned(degrees)
            for name in episode.seen:
                if name in reached or name == episode.standing_on:
                    continue
                goto = Goto(name)
                if goto_problem(episode.scene, episode.standing_on, heading, goto, episode.seen) is None:
                    reached[name] = (Rotate(degrees), goto) if degrees else (goto,)
        for moves in reached.values():
            found += [moves, *((*moves, Rotate(degrees)) for degrees in _TURNS)]
        return found


_TURNS = (90, 180, 270)


def _case(scene: Scene, seed: int, options: EnvironmentOptions) -> Case:
    """The case of a world, with one question for the reward `answers`, of a kind that is drawn from the seed."""
    if options.reward != "answers":
        return Case(str(seed), seed, scene, None, ())
    kinds = options.kinds or PAPER_KINDS
    order: list[int] = rng(seed, "environment", "question").permutation(len(kinds)).tolist()
    for place in order:
        questions = sample_questions(scene, seed, 1, (kinds[place],))
        if questions:
            return Case(str(seed), seed, scene, None, tuple(questions))
    raise SettingsError(
        f"no question of the kinds {', '.join(kinds)} can be asked about world {seed}; allow more kinds"
    )
