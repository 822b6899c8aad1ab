"""Roll-outs for language models: many explorations at once, one batch of replies per turn.

All conversations begin with the same instructions, and each only grows, so a policy that keeps its keys and values
computes the common beginning once, and then reads only what is new (`PendingReply.new`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.core.errors import SettingsError
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.world import Scene


@dataclass(frozen=True)
class PendingReply:
    """A conversation that waits for a reply."""

    slot: int
    """Place of the conversation in the batch; the same for all its turns."""
    messages: tuple[Message, ...]
    """The whole conversation: system page, messages and earlier replies."""
    new: tuple[Message, ...]
    """The messages after the policy's latest reply in this slot; all of them at the first turn."""


class Policy(Protocol):
    """Gives replies to a batch of conversations."""

    def __call__(self, turns: Sequence[PendingReply]) -> Sequence[str | None]:
        """One reply for each turn, in their order. None for a reply that is not ready yet: it is asked for again,
        together with the turns that follow the others. At least one must be ready.
        """
        ...


def roll_out(
    policy: Policy,
    seeds: Sequence[int],
    options: EnvironmentOptions | Sequence[EnvironmentOptions] | None = None,
    *,
    scenes: Sequence[Scene] | None = None,
    on_turn: Callable[[int, int], object] = lambda _turn, _open: None,
) -> list[Exploration]:
    """Explore the worlds of all seeds with one policy; returns the finished explorations, in order.

    The same seed may occur several times, as in the groups of GRPO. `options` are those of all explorations, or one for
    each, so that worlds of several sizes are explored at once. `scenes` replace the worlds of the seeds. `on_turn` is
    told the number of each call of the policy and how many explorations go on. Rewards, information gain, cost and
    messages are attributes of each exploration.
    """
    one = options or EnvironmentOptions()
    settings = [one] * len(seeds) if isinstance(one, EnvironmentOptions) else one
    given = scenes or [None] * len(seeds)
    for what, several in (("options", settings), ("scenes", given)):
        if len(several) != len(seeds):
            raise SettingsError(f"{len(seeds)} seeds need as many {what}, not {len(several)}")
    for seed, each in zip(seeds, settings, strict=True):
        each.check_seed(seed)
    explorations = [Exploration(*world) for world in zip(seeds, settings, given, strict=True)]
    read = [0] * len(explorations)
    number = 0
    while waiting := [slot for slot, exploration in enumerate(explorations) if not exploration.over]:
        number += 1
        on_turn(number, len(waiting))
        turns = [_turn(slot, explorations[slot], read[slot]) for slot in waiting]
        replies = policy(turns)
        if len(replies) != len(turns):
            raise SettingsError(f"a policy gave {len(replies)} replies to {len(turns)} conversations")
        if all(reply is None for reply in replies):
            raise SettingsError("a policy gave no reply; one of those that it is asked for must be ready")
        for turn, reply in zip(turns, replies, strict=True):
            if reply is not None:
                explorations[turn.slot].reply(reply)
                read[turn.slot] = len(turn.messages) + 1
    return explorations


def _turn(slot: int, exploration: Exploration, read: int) -> PendingReply:
    messages = tuple(exploration.messages)
    return PendingReply(slot, messages, messages[read:])


def failed_turns(explorations: Sequence[Exploration]) -> float:
    """Share of replies that were unparseable, or had a move that was not possible."""
    turns = [turn for exploration in explorations for turn in exploration.episode.turns if not turn.forced]
    return sum(turn.failure is not None or not turn.parsed for turn in turns) / max(1, len(turns))
