"""Demonstrations as packed rows of tokens.

    python data.py --scenes 100000-115999 --out data/planner

A demonstration is an exploration of the planner (trunk), with the requests for a map and the questions that the
evaluation asks on branches of the conversation, and the ideal observer's replies. Texts are those of
`tolman eval theory-of-space`. Files hold actions only (a conversation is made from them again in milliseconds).
"""

import argparse
import json
import multiprocessing
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import torch
from settings import read_options
from tokens import ChatTokens
from torch import Tensor

from tolman.ask import PAPER_KINDS, sample_questions
from tolman.benchmarks.theory_of_space.case import Case
from tolman.benchmarks.theory_of_space.options import Options
from tolman.benchmarks.theory_of_space.protocol.prompts import Message
from tolman.benchmarks.theory_of_space.protocol.run_scene import run_offline
from tolman.core.seeds import rng
from tolman.env.demonstrations import belief_reasoning
from tolman.env.exploration import Exploration
from tolman.env.options import EnvironmentOptions
from tolman.explore.agents.registry import make_explorer
from tolman.explore.episode import Episode
from tolman.models.scripted.reply import exploration_reasoning, formatted_reply, reply_to

SHARD = 250


# ---- actions of the expert, on disk ----


def expert_actions(seed: int, rooms: int, things: int = 4, agent: str = "greedy-planner") -> dict:
    """The turns of the expert in world `seed`."""
    exploration = Exploration(seed, EnvironmentOptions(rooms=rooms, things=things))
    expert = make_explorer(agent, exploration.case.scene, seed)
    turns: list[str] = []
    while not exploration.over:
        turns.append(str(expert.act(exploration.episode)))
        exploration.reply(formatted_reply("", turns[-1], think=True))
    return {"seed": seed, "rooms": rooms, "things": things, "turns": turns}


def make(seeds: Sequence[int], rooms: int, things: int, out: Path, workers: int, agent: str = "greedy-planner") -> None:
    """Write the expert's actions, in files of 250 worlds; what is there already is kept."""
    out.mkdir(parents=True, exist_ok=True)
    with multiprocessing.get_context("fork").Pool(workers) as pool:
        for first in range(0, len(seeds), SHARD):
            file = out / f"{rooms}-rooms-{seeds[first]}.jsonl"
            if file.exists():
                continue
            act = partial(expert_actions, rooms=rooms, things=things, agent=agent)
            rows = pool.map(act, seeds[first : first + SHARD], chunksize=4)
            unfinished = file.with_suffix(".part")
            unfinished.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
            unfinished.rename(file)
            print(f"{file.name}: {first + len(rows):,} of {len(seeds):,} worlds", flush=True)


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
    """What stands before actions: `belief` or `count`, as in `tolman make demonstrations`."""
    maps: int = 0
    """Maps that are elicited: the last, and others after random turns."""
    questions: int = 0
    """Questions that are asked after the exploration, of different kinds."""


@dataclass
class Conversation:
    """Pieces of text with whether the model is to say them, and branches with the number of pieces before them."""

    trunk: list[tuple[str, bool]] = field(default_factory=list)
    branches: list[tuple[int, list[tuple[str, bool]]]] = field(default_factory=list)


def conversation(row: dict, curriculum: Curriculum) -> Conversation:
    """The conversation of the expert in one world."""
    seed, stream = row["seed"], rng(row["seed"], "curriculum")
    acting = Exploration(seed, EnvironmentOptions(rooms=row["rooms"], things=row["things"]))
    replies: list[str] = []
    for actions in row["turns"]:
        belief = belief_reasoning(acting) if curriculum.reasoning == "belief" else exploration_reasoning(acting.episode)
        replies.append(formatted_reply(belief, actions, think=True))
        acting.reply(replies[-1])
    made = Conversation()
    *spoken, _ = acting.messages
    for message in spoken:
        _say(made.trunk, message)
    if not curriculum.maps and not curriculum.questions:
        return made
    kinds = [PAPER_KINDS[n] for n in stream.permutation(len(PAPER_KINDS))[: curriculum.questions].tolist()]
    questions = tuple(q for kind in kinds for q in sample_questions(acting.case.scene, seed, 1, (kind,)))
    phases = ("explore", *(("probe",) if curriculum.maps else ()), *(("ask",) if questions else ()))
    options = Options(phases=phases, probe="every" if curriculum.maps > 1 else "last", questions=1)
    wanted = {len(row["turns"]), *(stream.permutation(len(row["turns"]))[: max(0, curriculum.maps - 1)] + 1).tolist()}

    def answer(call: str, messages: Sequence[Message], _episode: Episode) -> str | None:
        parts = call.split("/")
        if parts[0] == "explore" and len(parts) == 2:
            return replies[int(parts[1]) - 1]
        if parts[0] == "explore" and (parts[2] != "global" or int(parts[1]) not in wanted):
            return None
        said = reply_to("ideal", [(message.role, message.text) for message in messages], seed=seed)
        before = len(messages) - 1
        branch: list[tuple[str, bool]] = []
        _say(branch, messages[-1])
        _say(branch, Message("assistant", said))
        made.branches.append((before, branch))
        return said

    run_offline(Case(str(seed), seed, acting.case.scene, None, questions), options, answer)
    return made


def _say(pieces: list[tuple[str, bool]], message: Message) -> None:
    pieces.append((message.text, True) if message.role == "assistant" else (f"{message.role}\n{message.text}", False))


@dataclass(frozen=True)
class Document:
    """Tokens of a conversation: trunk, and branches with the trunk's length where they begin. Targets are marked."""

    trunk: tuple[list[int], list[bool]]
    branches: tuple[tuple[int, list[int], list[bool]], ...] = ()

    def __len__(self) -> int:
        return len(self.trunk[0]) + sum(len(tokens) for _, tokens, _ in self.branches)


def document(row: dict, curriculum: Curriculum, tokens: ChatTokens) -> Document:
    """The tokens of a conversation, with those that the model is to learn to say marked."""
    made = conversation(row, curriculum)
    ends: list[int] = [0]
    trunk: tuple[list[int], list[bool]] = ([], [])
    for text, said in made.trunk:
        _append(trunk, text, said, tokens)
        ends.append(len(trunk[0]))
    branches: list[tuple[int, list[int], list[bool]]] = []
    for before, pieces in made.branches:
        branch: tuple[list[int], list[bool]] = ([], [])
        for text, said in pieces:
            _append(branch, text, said, tokens)
        branches.append((ends[before], *branch))
    return Document(trunk, tuple(branches))


def _append(to: tuple[list[int], list[bool]], text: str, said: bool, tokens: ChatTokens) -> None:
    opening = tokens.encode("<|im_start|>assistant\n" if said else f"<|im_start|>{text}<|im_end|>\n")
    to[0].extend(opening)
    to[1].extend([False] * len(opening))
    if said:
        reply = tokens.encode(text)
        to[0].extend([*reply, tokens.end, *tokens.encode("\n")])
        to[1].extend([*[True] * (len(reply) + 1), False])


# ---- rows ----


@dataclass(frozen=True)
class Rows:
    """Packed rows, each tensor (rows, tokens). `weight` is that of each token as a target; 0: not a target."""

    tokens: Tensor
    positions: Tensor
    document: Tensor
    branch: Tensor
    fork: Tensor
    weight: Tensor

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
        while sum(map(len, self._waiting)) > 1.25 * self.length * self.rows:
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
            if room < 1500 or len(kept) > 20:
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
        made = pool.imap(partial(document, curriculum=curriculum, tokens=tokens), rows, chunksize=8)
        for each in made:
            read += 1
            for batch in packer.add([each]):
                yield read, batch
    for batch in packer.rest():
        yield read, batch


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
    parser.add_argument("--agent", default="greedy-planner")
    arguments = read_options(parser, "data")
    worlds = seeds_in(arguments.scenes)
    make(worlds, arguments.rooms, arguments.things, arguments.out, arguments.workers, arguments.agent)


if __name__ == "__main__":
    main()
