"""Conversations packed into rows of fixed length, made ahead of training in processes of their own.

Conversations share their instructions. A row holds these once, then several conversations, and each conversation its
branches, under one attention mask (`model.packed_mask`).
"""

import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch
from conversations import Curriculum, Document, document
from tokens import ChatTokens
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

GROUP = 25
"""Worlds that a process reads at a time."""
AHEAD = 8
"""Batches that each process makes before they are needed."""
READINGS = 1000
"""Of a world with one seed; the numbers of those with the next seed come after them."""
INTEGERS, REALS = ("tokens", "positions", "shared", "trunk", "fork", "own"), ("weight", "sampled")
Arrays = dict[str, np.ndarray]


@dataclass(frozen=True)
class Rows:
    """Packed rows, each tensor (rows, tokens).

    A token attends to places of its row: those before `shared`, those from `trunk` to before `fork`, and those from
    `own` to itself (`model.packed_mask`).
    """

    tokens: Tensor
    positions: Tensor
    """In its conversation; -1 where a row is empty."""
    shared: Tensor
    """End of the common beginning; 0 for tokens of the beginning itself."""
    trunk: Tensor
    """For a token of a branch, where the trunk of its conversation begins in the row; else 0."""
    fork: Tensor
    """For a token of a branch, the place at which it left the trunk; else 0."""
    own: Tensor
    """Where its own beginning, trunk or branch begins."""
    weight: Tensor
    """As a target; 0 for a token that is none."""
    sampled: Tensor
    """Log-probability when it was sampled; 0 in demonstrations."""

    @classmethod
    def of(cls, arrays: Arrays) -> "Rows":
        """In pinned memory where there is a GPU, so that a copy to it does not wait for what it computes."""
        made = {name: torch.from_numpy(array) for name, array in arrays.items()}
        return cls(**{name: each.pin_memory() if torch.cuda.is_available() else each for name, each in made.items()})

    @property
    def targets(self) -> Tensor:
        """Places of the targets, counted through all rows."""
        return self.weight.flatten().nonzero()[:, 0]

    @property
    def count(self) -> int:
        """Tokens, without empty places."""
        return int((self.positions >= 0).sum())

    def to(self, device: str) -> "Rows":
        return Rows(*(getattr(self, name).to(device, non_blocking=True) for name in self.__dataclass_fields__))


class Packer:
    """Fills rows of fixed length with documents behind their common beginning, which is computed once per row."""

    def __init__(self, length: int, rows: int) -> None:
        self.length, self.rows = length, rows
        self._waiting: list[Document] = []

    def add(self, documents: Sequence[Document]) -> Iterator[tuple[int, Arrays]]:
        """Batches of full rows, each with the number of its documents; what does not fill a batch waits."""
        self._waiting += documents
        while sum(map(len, self._waiting)) > 2 * self.length * self.rows:
            yield self._batch()

    def all_of(self, documents: Sequence[Document]) -> list[Rows]:
        """The batches of these documents, the last with empty places."""
        made = [arrays for _, arrays in self.add(documents)]
        while self._waiting:
            made.append(self._batch()[1])
        return [Rows.of(arrays) for arrays in made]

    def _batch(self) -> tuple[int, Arrays]:
        before = len(self._waiting)
        rows = [self._row() for _ in range(self.rows)]
        arrays = {name: np.stack([row[name] for row in rows]) for name in (*INTEGERS, *REALS)}
        return before - len(self._waiting), arrays

    def _row(self) -> Arrays:
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

    def _filled(self, chosen: Sequence[Document], prefix: list[int]) -> Arrays:
        row = {name: np.zeros(self.length, np.int32) for name in INTEGERS}
        row |= {name: np.zeros(self.length, np.float32) for name in REALS}
        start = len(prefix)
        end = _fill(row, 0, prefix, [0.0] * start)
        for each in chosen:
            tokens, weight = each.trunk
            trunk, end = end, _fill(row, end, tokens[start:], weight[start:], start, shared=start)
            if each.sampled:
                row["sampled"][trunk:end] = each.sampled[start:]
            for fork, own, own_weight in each.branches:
                left = trunk + fork - start
                end = _fill(row, end, own, own_weight, fork, shared=start, trunk=trunk, fork=left)
        row["positions"][end:] = -1
        row["own"][end:] = np.arange(end, self.length)
        return row


def _fill(
    row: Arrays,
    begin: int,
    tokens: Sequence[int],
    weight: Sequence[float],
    position: int = 0,
    **attends: int,
) -> int:
    """Put tokens into a row from `begin` on; returns where they end."""
    end = begin + len(tokens)
    row["tokens"][begin:end], row["weight"][begin:end] = tokens, weight
    row["positions"][begin:end] = np.arange(position, position + len(tokens))
    row["own"][begin:end] = begin
    for name, place in attends.items():
        row[name][begin:end] = place
    return end


def _common(a: list[int], b: list[int]) -> int:
    return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


@dataclass
class PackedDemonstrations(IterableDataset):
    """Batches of a folder's worlds without end, each with the number of worlds in it.

    Every process reads its own share of the worlds in the order of their files, and those that it has read least often
    first. So worlds that `data.py` is still making are read when they are there.
    """

    folder: Path
    curriculum: Curriculum
    checkpoint: Path
    """With the tokenizer."""
    length: int
    rows: int
    skip: int = 0
    """Worlds that were read before, by all processes."""
    seed: int = 0
    """Others read other variations of the same worlds, and of none the world itself."""

    def __iter__(self) -> Iterator[tuple[int, Arrays]]:
        worker = get_worker_info()
        share, shares = (worker.id, worker.num_workers) if worker else (0, 1)
        packer, tokens = Packer(self.length, self.rows), ChatTokens(self.checkpoint)
        skip = self.skip // shares
        for reading, group in self._groups(share, shares):
            if skip > 0:
                skip -= len(group)
                continue
            number = reading + self.seed * READINGS
            yield from packer.add([document(row, self.curriculum, tokens, number) for row in group])

    def _groups(self, share: int, shares: int) -> Iterator[tuple[int, list[dict]]]:
        """Groups of worlds, with how often each was read before."""
        times: Counter[tuple[Path, int]] = Counter()
        while True:
            files = sorted(self.folder.glob("*.jsonl"), key=lambda file: (file.stat().st_mtime_ns, file.name))
            own = [(file, n) for file in files for n in range(_groups_in(file)) if _owner(file, n, shares) == share]
            if own:
                file, number = group = min(own, key=lambda each: times[each])
                lines = file.read_text().splitlines()[number * GROUP : (number + 1) * GROUP]
                yield times[group], [json.loads(line) for line in lines]
                times[group] += 1
            elif files:
                return
            else:
                time.sleep(1)


@cache
def _groups_in(file: Path) -> int:
    return -(-file.read_bytes().count(b"\n") // GROUP)


def _owner(file: Path, number: int, shares: int) -> int:
    """The process that reads a group, the same for all processes whatever files they have seen so far."""
    return (int(file.stem.rpartition("-")[2]) // GROUP + number) % shares


def batches(demonstrations: PackedDemonstrations, workers: int) -> Iterator[tuple[int, Rows]]:
    """Batches without end, made ahead in processes; each with the number of worlds in it."""
    loader = DataLoader(
        demonstrations,
        batch_size=None,
        num_workers=workers,
        prefetch_factor=AHEAD if workers else None,
        collate_fn=_unchanged,
    )
    for worlds, arrays in loader:
        yield worlds, Rows.of(arrays)


def _unchanged(each: tuple[int, Arrays]) -> tuple[int, Arrays]:
    return each
