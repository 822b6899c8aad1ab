"""Conversations of the expert, and their tokens.

A demonstration is an exploration of the expert (trunk), with the requests for a map and the questions that the
evaluation asks on branches of the conversation, and the ideal observer's replies. Texts are those of
`tolman eval theory-of-space`.

Rows that `correct.py` wrote are of another kind: an exploration of the model itself, with what the expert would have
done at each turn on a branch.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from tokens import BEGIN, ChatTokens
from variations import varied

from tolman.ask import PAPER_KINDS, sample_questions
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import run_offline
from tolman.core.rules import STRICT
from tolman.core.seeds import rng
from tolman.env.demonstrations import demonstrated_reply
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.explore.actions import Actions
from tolman.explore.episode import Episode
from tolman.explore.grammar import read_actions
from tolman.models.scripted.reply import formatted_reply, reply_to

FINAL_ANSWER = "FINAL ANSWER:"
WHOLE = re.compile(r"\.0(?=[,\]])")
"""The part of a coordinate in a map that says nothing."""


@dataclass(frozen=True)
class Curriculum:
    """What a conversation teaches besides acting."""

    reasoning: str = "belief"
    """What stands before actions: `belief`, `ranges` or `count`, as in `tolman make demonstrations`."""
    maps: int = 0
    """Maps that are elicited: the last, and others after random turns."""
    questions: int = 0
    """Questions that are asked after the exploration, of different kinds."""
    share: float = 1.0
    """Share of the worlds in which a map is elicited and questions are asked."""
    acting: bool = True
    """Whether the turns of the exploration are learnt; else they are read only."""


@dataclass(frozen=True)
class Piece:
    """A message of a conversation, and whether the model learns to say it."""

    role: str
    text: str
    learnt: bool = False


@dataclass
class Conversation:
    """Messages, and branches with the number of messages before them."""

    trunk: list[Piece] = field(default_factory=list)
    branches: list[tuple[int, list[Piece]]] = field(default_factory=list)


def conversation(row: dict, curriculum: Curriculum, reading: int = 0) -> Conversation:
    """The conversation of the expert in one world, or the expert's corrections of the model's own exploration.

    Each reading of a world after the first has other names, and may be of the world in a mirror; it elicits other maps
    and asks other questions.
    """
    return _corrections(row, curriculum) if "replies" in row else _demonstration(row, curriculum, reading)


def _demonstration(row: dict, curriculum: Curriculum, reading: int) -> Conversation:
    acting = Exploration(row["seed"], environment(row))
    turns = [read_turn(actions) for actions in row["turns"]]
    if reading:
        acting, turns = varied(acting, turns, reading)
    replies: list[str] = []
    learnt: list[bool] = []
    for number, actions in enumerate(turns):
        replies.append(demonstrated_reply(acting, actions, curriculum.reasoning))
        learnt.append(curriculum.acting and number not in row["mistakes"])
        acting.reply(replies[-1])
    said = iter(learnt)
    *spoken, _ = acting.messages
    made = Conversation([Piece(m.role, m.text, m.role == "assistant" and next(said)) for m in spoken])
    stream = rng(acting.seed, "curriculum", reading)
    if (curriculum.maps or curriculum.questions) and stream.random() < curriculum.share:
        made.branches += _asked(acting, replies, curriculum, stream)
    return made


def _corrections(row: dict, curriculum: Curriculum) -> Conversation:
    acting = Exploration(row["seed"], environment(row))
    made = Conversation()
    for reply, actions in zip(row["replies"], row["turns"], strict=True):
        right = demonstrated_reply(acting, read_turn(actions), curriculum.reasoning)
        made.branches.append((len(acting.messages), [Piece("assistant", right, learnt=True)]))
        acting.reply(reply)
    *spoken, _ = acting.messages
    made.trunk = [Piece(message.role, message.text) for message in spoken]
    return made


def environment(row: dict) -> EnvironmentOptions:
    """The environment in which a row was made."""
    return EnvironmentOptions(rooms=row["rooms"], things=row["things"], budget=row["budget"])


def read_turn(actions: str) -> Actions:
    """Actions from a file of rows."""
    parsed = read_actions(formatted_reply("", actions, think=True), STRICT)
    if not isinstance(parsed, Actions):
        raise SystemExit(f"not a turn: {actions}")
    return parsed


def _asked(
    acting: Exploration, replies: Sequence[str], curriculum: Curriculum, stream: np.random.Generator
) -> list[tuple[int, list[Piece]]]:
    """Maps and questions that the evaluation asks after an exploration, with the ideal observer's replies."""
    seed = acting.seed
    kinds = [PAPER_KINDS[n] for n in stream.permutation(len(PAPER_KINDS))[: curriculum.questions].tolist()]
    questions = tuple(q for kind in kinds for q in sample_questions(acting.case.scene, seed, 1, (kind,)))
    phases = ("explore", *(("probe",) if curriculum.maps else ()), *(("ask",) if questions else ()))
    probe = "every" if curriculum.maps > 1 else "last"
    options = Options(phases=phases, probe=probe, questions=1, budget=acting.options.budget)
    wanted = {len(replies), *(stream.permutation(len(replies))[: max(0, curriculum.maps - 1)] + 1).tolist()}
    branches: list[tuple[int, list[Piece]]] = []

    def answer(call: str, messages: Sequence[Message], _episode: Episode) -> str | None:
        parts = call.split("/")
        if parts[0] == "explore" and len(parts) == 2:
            return replies[int(parts[1]) - 1]
        if parts[0] == "explore" and (parts[2] != "global" or int(parts[1]) not in wanted):
            return None
        said = reply_to("ideal", [(message.role, message.text) for message in messages], seed=seed)
        said = WHOLE.sub("", said) if parts[0] == "explore" else with_positions(said, messages[-1].text, acting)
        branch = [Piece(messages[-1].role, messages[-1].text), Piece("assistant", said, learnt=True)]
        branches.append((len(messages) - 1, branch))
        return said

    run_offline(Case(str(seed), seed, acting.case.scene, None, questions), options, answer)
    return branches


def with_positions(reply: str, question: str, acting: Exploration) -> str:
    """A reply whose reasoning is the positions that are certain of all that the question names."""
    _, _, final = reply.partition(f"{FINAL_ANSWER}\n")
    names = [name for name in acting.episode.brief.names if name in question and acting.belief.count(name) == 1]
    known = [f"{name} {acting.belief.positions(name)[0]}" for name in names]
    return formatted_reply(f"{', '.join(known)}." if known else "None is certain.", final, think=True)


@dataclass(frozen=True)
class Document:
    """Tokens of a conversation: trunk, and branches with the trunk's length where they begin. Targets are marked."""

    trunk: tuple[list[int], list[bool]]
    branches: tuple[tuple[int, list[int], list[bool]], ...] = ()
    sampled: tuple[float, ...] = ()
    """Log-probability of each token of the trunk when it was sampled (reinforcement learning)."""

    def __len__(self) -> int:
        return len(self.trunk[0]) + sum(len(tokens) for _, tokens, _ in self.branches)


def document(row: dict, curriculum: Curriculum, tokens: ChatTokens, reading: int = 0) -> Document:
    """The tokens of a conversation, with those that the model is to learn to say marked."""
    made = conversation(row, curriculum, reading)
    ends: list[int] = [0]
    trunk: tuple[list[int], list[bool]] = ([], [])
    for piece in made.trunk:
        _append(trunk, piece, tokens)
        ends.append(len(trunk[0]))
    branches: list[tuple[int, list[int], list[bool]]] = []
    for before, pieces in made.branches:
        branch: tuple[list[int], list[bool]] = ([], [])
        for piece in pieces:
            _append(branch, piece, tokens)
        branches.append((ends[before], *branch))
    return Document(trunk, tuple(branches))


def _append(to: tuple[list[int], list[bool]], piece: Piece, tokens: ChatTokens) -> None:
    opening, said = tokens.encode(f"{BEGIN}{piece.role}\n"), [*tokens.encode(piece.text), tokens.end]
    closing = tokens.encode("\n")
    to[0].extend([*opening, *said, *closing])
    to[1].extend([*[False] * len(opening), *[piece.learnt] * len(said), *[False] * len(closing)])
