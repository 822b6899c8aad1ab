"""Demonstrations as packed rows of tokens.

    python data.py --scenes 100000-115999 --out data/planner

A demonstration is an exploration of the expert (trunk), with the requests for a map and the questions that the
evaluation asks on branches of the conversation, and the ideal observer's replies. Texts are those of
`tolman eval theory-of-space`. Some turns are random instead: the model reads them, but does not learn to say them, so
it learns how to go on after a mistake. Files hold actions only (a conversation is made again in milliseconds).

`correct.py` writes rows of another kind: an exploration of the model itself, with what the expert would have done at
each turn on a branch.
"""

import argparse
import json
import multiprocessing
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.pool import AsyncResult, Pool
from pathlib import Path

import numpy as np
import torch
from settings import read_options
from tokens import BEGIN, ChatTokens
from torch import Tensor

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
from tolman.explore.actions import Actions, Goto, Move, Observe, Rotate
from tolman.explore.agents.registry import make_explorer
from tolman.explore.episode import Episode, default_turns
from tolman.explore.grammar import read_actions
from tolman.models.scripted.reply import formatted_reply, reply_to

SHARD = 250
AHEAD = 64
"""Conversations that are made before they are needed."""
EXPERT = "cautious-planner"
QUARTERS = (-90, 90, 180)
FINAL_ANSWER = "FINAL ANSWER:"
WHOLE = re.compile(r"\.0(?=[,\]])")
"""The part of a coordinate in a map that says nothing."""


# ---- actions of the expert, on disk ----


def expert_actions(
    seed: int, rooms: int, things: int = 4, agent: str = EXPERT, mistakes: float = 0.0
) -> dict[str, object]:
    """The turns of the expert in world `seed`, with the numbers of those that are random mistakes instead."""
    budget = default_turns("explore", rooms)
    exploration = Exploration(seed, EnvironmentOptions(rooms=rooms, things=things, budget=budget))
    expert, stream = make_explorer(agent, exploration.case.scene, seed), rng(seed, "mistakes")
    turns: list[str] = []
    wrong: list[int] = []
    while not exploration.over:
        actions = expert.act(exploration.episode)
        if stream.random() < mistakes:
            wrong.append(len(turns))
            actions = mistaken(actions, exploration.episode, stream)
        turns.append(str(actions))
        exploration.reply(formatted_reply("", turns[-1], think=True))
    where = {"seed": seed, "rooms": rooms, "things": things, "budget": budget}
    return {**where, "turns": turns, "mistakes": wrong}


def mistaken(actions: Actions, episode: Episode, stream: np.random.Generator) -> Actions:
    """The same turn with one rotation or one place changed, or a random one; it often leads to where nothing is."""
    moves: list[Move] = list(actions.moves)
    if not moves or stream.random() < 0.4:
        moves = [Rotate(int(stream.choice(QUARTERS))), *([Goto("")] if episode.seen else []), Rotate(90)]
    for place in stream.permutation(len(moves))[: int(stream.integers(1, 3))].tolist():
        moves[place] = Goto("") if isinstance(moves[place], Goto) else Rotate(int(stream.choice(QUARTERS)))
    moves = [Goto(str(stream.choice(episode.seen))) if move == Goto("") else move for move in moves]
    return Actions(tuple(moves), Observe())


def make(
    seeds: Sequence[int],
    rooms: int,
    things: int,
    out: Path,
    workers: int,
    agent: str = EXPERT,
    mistakes: float = 0.0,
) -> None:
    """Write the expert's actions, in files of 250 worlds; what is there already is kept."""
    out.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for first in range(0, len(seeds), SHARD):
            file = out / f"{rooms}-rooms-{seeds[first]}.jsonl"
            if file.exists():
                continue
            act = partial(expert_actions, rooms=rooms, things=things, agent=agent, mistakes=mistakes)
            write_rows(file, pool.map(act, seeds[first : first + SHARD], chunksize=4))
            print(f"{file.name}: {min(first + SHARD, len(seeds)):,} of {len(seeds):,} worlds", flush=True)


def write_rows(file: Path, rows: Sequence[dict]) -> None:
    unfinished = file.with_suffix(".part")
    unfinished.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    unfinished.rename(file)


def stored(folder: Path, count: int, skip: int = 0) -> Iterator[dict]:
    """Worlds of a folder in the order of their files; waits for those that `data.py` is still making."""
    read = 0
    known: set[Path] = set()
    while True:
        new = sorted(set(folder.glob("*.jsonl")) - known, key=lambda file: file.stat().st_mtime_ns)
        known.update(new)
        for file in new:
            for line in file.read_text().splitlines():
                if skip <= read < skip + count:
                    yield json.loads(line)
                read += 1
        if read >= skip + count:
            return
        time.sleep(2)


# ---- conversations ----


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


def conversation(row: dict, curriculum: Curriculum) -> Conversation:
    """The conversation of the expert in one world, or the expert's corrections of the model's own exploration."""
    return _corrections(row, curriculum) if "replies" in row else _demonstration(row, curriculum)


def _demonstration(row: dict, curriculum: Curriculum) -> Conversation:
    acting = Exploration(row["seed"], environment(row))
    replies: list[str] = []
    learnt: list[bool] = []
    for number, actions in enumerate(row["turns"]):
        replies.append(demonstrated_reply(acting, read_turn(actions), curriculum.reasoning))
        learnt.append(number not in row["mistakes"])
        acting.reply(replies[-1])
    said = iter(learnt)
    *spoken, _ = acting.messages
    made = Conversation([Piece(m.role, m.text, m.role == "assistant" and next(said)) for m in spoken])
    if (curriculum.maps or curriculum.questions) and rng(acting.seed, "share").random() < curriculum.share:
        made.branches += _asked(acting, replies, curriculum)
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


def _asked(acting: Exploration, replies: Sequence[str], curriculum: Curriculum) -> list[tuple[int, list[Piece]]]:
    """Maps and questions that the evaluation asks after an exploration, with the ideal observer's replies."""
    seed, stream = acting.seed, rng(acting.seed, "curriculum")
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


def document(row: dict, curriculum: Curriculum, tokens: ChatTokens) -> Document:
    """The tokens of a conversation, with those that the model is to learn to say marked."""
    made = conversation(row, curriculum)
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


# ---- rows ----


@dataclass(frozen=True)
class Rows:
    """Packed rows, each tensor (rows, tokens). `weight` is that of each token as a target; 0: not a target. `sampled`
    is its log-probability when it was sampled; 0 in demonstrations."""

    tokens: Tensor
    positions: Tensor
    document: Tensor
    branch: Tensor
    fork: Tensor
    weight: Tensor
    sampled: Tensor

    @property
    def targets(self) -> Tensor:
        """Places of the targets, counted through all rows."""
        return self.weight.flatten().nonzero()[:, 0]

    def to(self, device: str) -> "Rows":
        return Rows(*(getattr(self, name).to(device, non_blocking=True) for name in self.__dataclass_fields__))


class Packer:
    """Fills rows of fixed length with documents behind their common beginning, which is computed once per row."""

    def __init__(self, length: int, rows: int) -> None:
        self.length, self.rows = length, rows
        self._waiting: list[Document] = []

    def add(self, documents: Sequence[Document]) -> Iterator[Rows]:
        """Batches of full rows; what does not fill a batch waits."""
        self._waiting += documents
        while sum(map(len, self._waiting)) > 2 * self.length * self.rows:
            yield self._batch()

    def all_of(self, documents: Sequence[Document]) -> list[Rows]:
        """The batches of these documents, the last with empty places."""
        return [*self.add(documents), *self.rest()]

    def rest(self) -> Iterator[Rows]:
        """Batches of what remains."""
        while self._waiting:
            yield self._batch()

    def _batch(self) -> Rows:
        rows = [self._row() for _ in range(self.rows)]
        return Rows(*(torch.tensor([row[name] for row in rows]) for name in Rows.__dataclass_fields__))

    def _row(self) -> dict[str, list]:
        """A row of documents from the front of the queue; those that are longer than a row are dropped."""
        chosen: list[Document] = []
        kept: list[Document] = []
        prefix: list[int] = []
        room = self.length
        for place, each in enumerate(self._waiting):
            if len(each) > self.length:
                continue
            shared = _common(prefix, each.trunk[0]) if chosen else len(each.trunk[0]) - 1
            needed = shared + sum(len(other) - shared for other in (*chosen, each))
            if needed > self.length:
                kept.append(each)
            else:
                chosen.append(each)
                prefix, room = each.trunk[0][:shared], self.length - needed
            if room < 1500 or len(kept) > 40:
                kept += self._waiting[place + 1 :]
                break
        self._waiting = kept
        return self._filled(chosen, prefix if len(chosen) > 1 else [])

    def _filled(self, chosen: Sequence[Document], prefix: list[int]) -> dict[str, list]:
        row: dict[str, list] = {name: [] for name in Rows.__dataclass_fields__}
        far, start = 1 << 30, len(prefix)
        _fill(row, prefix, [0.0] * start, 0, 0, 0, far)
        for number, each in enumerate(chosen, start=1):
            tokens, weight = each.trunk
            _fill(row, tokens[start:], weight[start:], start, number, 0, far)
            if each.sampled:
                row["sampled"][len(row["sampled"]) - len(tokens) + start :] = each.sampled[start:]
            for branch, (fork, own, own_weight) in enumerate(each.branches, start=1):
                _fill(row, own, own_weight, fork, number, branch, fork)
        empty = self.length - len(row["tokens"])
        _fill(row, [0] * empty, [0.0] * empty, 0, -1, 0, far)
        return row


def _fill(
    row: dict[str, list], tokens: list[int], weight: list[float], position: int, document: int, branch: int, fork: int
) -> None:
    count = len(tokens)
    row["tokens"] += tokens
    row["weight"] += map(float, weight)
    row["sampled"] += [0.0] * count
    row["positions"] += range(position, position + count)
    row["document"] += [document] * count
    row["branch"] += [branch] * count
    row["fork"] += [fork] * count


def _common(a: list[int], b: list[int]) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def batches(
    rows: Iterable[dict], curriculum: Curriculum, tokens: ChatTokens, length: int, per_batch: int, workers: int
) -> Iterator[tuple[int, Rows]]:
    """Packed batches of all rows in order, each with the number of worlds read so far; made ahead in processes."""
    packer = Packer(length, per_batch)
    read = 0
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for each in _made_ahead(pool, partial(document, curriculum=curriculum, tokens=tokens), rows):
            read += 1
            for batch in packer.add([each]):
                yield read, batch
    for batch in packer.rest():
        yield read, batch


def _made_ahead(pool: Pool, make: Callable[[dict], Document], rows: Iterable[dict]) -> Iterator[Document]:
    """Documents of all rows, in order, of which a bounded number is made before it is needed."""
    waiting: deque[AsyncResult[Document]] = deque()
    for row in rows:
        waiting.append(pool.apply_async(make, (row,)))
        if len(waiting) > AHEAD:
            yield waiting.popleft().get()
    while waiting:
        yield waiting.popleft().get()


def seeds_in(text: str) -> list[int]:
    first, _, last = text.partition("-")
    return list(range(int(first), int(last or first) + 1))


def main() -> None:
    parser = argparse.ArgumentParser(description="Make demonstrations of the planner.")
    parser.add_argument("--scenes", default="100000-100999")
    parser.add_argument("--rooms", type=int, default=3)
    parser.add_argument("--things", type=int, default=4, help="objects per room")
    parser.add_argument("--out", type=Path, default=Path("data/planner"))
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--agent", default=EXPERT)
    parser.add_argument("--mistakes", type=float, default=0.08, help="share of turns that are random instead")
    given = read_options(parser, "data")
    worlds = seeds_in(given.scenes)
    make(worlds, given.rooms, given.things, given.out, given.workers, given.agent, given.mistakes)


if __name__ == "__main__":
    main()
