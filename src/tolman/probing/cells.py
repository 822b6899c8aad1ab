"""One cell of a table: a head on the tokens of one layer, trained with two seeds, chosen by validation, tested once."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tolman.probing.head_names import HeadName
from tolman.probing.heads import CLASSES, HeadShape, Parameters
from tolman.probing.protocol import Protocol
from tolman.probing.results import SeedResult
from tolman.probing.splits import split_of
from tolman.probing.training import Examples, Progress, predictions, train
from tolman.probing.untyped import from_array, split

Labels = NDArray[np.int64]
UNLABELLED = -1
"""The label of a picture that takes no part: its relation is ambiguous."""


@dataclass(frozen=True, eq=False)
class CellRun:
    """Results by seed, with the heads that were chosen."""

    results: tuple[SeedResult, ...]
    shape: HeadShape
    heads: tuple[Parameters, ...]


def head_input(head: HeadName, tokens: Tensor, cls: bool) -> Tensor:
    """What a head is given of the tokens ([CLS] first, if `cls`): all of them, the mean of the patches, or [CLS]."""
    if head == "cls":
        return tokens[:, 0].float()
    if head == "linear":
        parts = split(tokens[:, int(cls) :], 512)
        return torch.cat([part.float().mean(dim=1) for part in parts])
    return tokens


def shuffled(labels: Labels, seed: int) -> Labels:
    """Labels dealt out again among the pictures that have one: nothing is left to learn."""
    mixed = labels.copy()
    kept = np.flatnonzero(labels != UNLABELLED)
    mixed[kept] = labels[np.random.default_rng(seed).permutation(kept)]
    return mixed


def run_cell(
    protocol: Protocol,
    tokens: Tensor,
    labels: Labels,
    *,
    together: bool = True,
    graphs: bool = True,
    progress: Progress | None = None,
) -> CellRun:
    """Train all grid points with all seeds of the protocol on what `head_input` gave, and test the chosen ones."""
    shape = HeadShape(protocol.head, tokens.shape[-1], protocol.scoring_layers)
    kept = np.flatnonzero(labels != UNLABELLED)
    validation, test = protocol.split
    splits = [(seed, split_of(kept, seed, validation, test)) for seed in protocol.seeds]
    examples = Examples(tokens, from_array(labels, tokens.device))
    done = train(shape, protocol, examples, splits, together=together, graphs=graphs, progress=progress)
    results: list[SeedResult] = []
    for (seed, parts), trained in zip(splits, done, strict=True):
        said = (
            predictions(shape, trained.best_head, examples.part(from_array(parts.test, tokens.device)))[0].cpu().numpy()
        )
        point = trained.grid[trained.best]
        right = said == labels[parts.test]
        results.append(
            SeedResult(
                seed,
                point.rate,
                point.dropout,
                trained.validation[trained.best],
                float(right.mean()),
                _balanced(right, labels[parts.test]),
                len(parts.train),
                len(parts.test),
                trained.validation,
                float(np.bincount(labels[parts.test]).max() / len(parts.test)),
            )
        )
    return CellRun(tuple(results), shape, tuple(trained.best_head for trained in done))


def _balanced(right: NDArray[np.bool_], labels: Labels) -> float:
    return float(np.mean([right[labels == number].mean() for number in range(CLASSES) if (labels == number).any()]))
