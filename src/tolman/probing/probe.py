"""One probe: a head on the tokens of one layer, trained per seed, selected by validation and tested once; and its
file of weights.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from tolman.core.errors import SceneFileError
from tolman.core.files import atomic_write
from tolman.probing.encoder import from_array
from tolman.probing.head import CLASSES, HeadShape, Parameters, find_head
from tolman.probing.protocol import HeadName, Progress, Protocol, SeedResult, split_of
from tolman.probing.training import Examples, predictions, train

LabelArray = NDArray[np.int64]
UNLABELLED = -1
"""The label of a picture that is excluded because its relation is ambiguous."""


@dataclass(frozen=True, eq=False)
class ProbeRun:
    """Results by seed, with the selected heads."""

    results: tuple[SeedResult, ...]
    shape: HeadShape
    heads: tuple[Parameters, ...]


def head_input(head: HeadName, tokens: Tensor, cls: bool) -> Tensor:
    """The input of a head from the tokens ([CLS] first, if `cls`): all of them, the mean of the patches, or [CLS]."""
    return find_head(head).select(tokens, cls)


def shuffled_labels(labels: LabelArray, seed: int) -> LabelArray:
    """Labels permuted among the labelled pictures, as a control."""
    shuffled = labels.copy()
    kept = np.flatnonzero(labels != UNLABELLED)
    shuffled[kept] = labels[np.random.default_rng(seed).permutation(kept)]
    return shuffled


def run_probe(
    protocol: Protocol,
    tokens: Tensor,
    labels: LabelArray,
    *,
    together: bool = True,
    graphs: bool = True,
    progress: Progress | None = None,
) -> ProbeRun:
    """Train all grid points with all seeds of the protocol on the output of `head_input`, and test those selected."""
    shape = HeadShape(protocol.head, tokens.shape[-1], protocol.scoring_layers)
    kept = np.flatnonzero(labels != UNLABELLED)
    validation, test = protocol.split
    splits = [(seed, split_of(kept, seed, validation, test)) for seed in protocol.seeds]
    examples = Examples(tokens, from_array(labels, tokens.device))
    done = train(shape, protocol, examples, splits, together=together, graphs=graphs, progress=progress)
    results: list[SeedResult] = []
    for (seed, parts), trained in zip(splits, done, strict=True):
        predicted = (
            predictions(shape, trained.best_head, examples.part(from_array(parts.test, tokens.device)))[0].cpu().numpy()
        )
        point = trained.grid[trained.best]
        right = predicted == labels[parts.test]
        results.append(
            SeedResult(
                seed,
                point.rate,
                point.dropout,
                trained.validation[trained.best],
                float(right.mean()),
                _balanced_accuracy(right, labels[parts.test]),
                len(parts.train),
                len(parts.test),
                trained.validation,
                float(np.bincount(labels[parts.test]).max() / len(parts.test)),
                trained.epochs[trained.best] if protocol.select == "epoch" else None,
            )
        )
    return ProbeRun(tuple(results), shape, tuple(trained.best_head for trained in done))


def _balanced_accuracy(right: NDArray[np.bool_], labels: LabelArray) -> float:
    return float(np.mean([right[labels == number].mean() for number in range(CLASSES) if (labels == number).any()]))


def write_heads(path: Path, run: ProbeRun) -> None:
    """Store the selected head of each seed."""
    seeds = [result.seed for result in run.results]
    stored = {
        f"{seed}/{name}": values.cpu().contiguous()
        for seed, head in zip(seeds, run.heads, strict=True)
        for name, values in head.items()
    }
    atomic_write(path, save(stored, metadata={"shape": json.dumps(asdict(run.shape))}), durable=False)


def read_heads(path: Path) -> tuple[HeadShape, dict[int, Parameters]]:
    """The shape of the heads, and the head of each seed."""
    try:
        with cast("Any", safe_open)(path, framework="pt") as stored:
            shape = HeadShape(**json.loads(stored.metadata()["shape"]))
            heads: dict[int, Parameters] = {}
            for key in stored.keys():  # noqa: SIM118
                seed, _, name = key.partition("/")
                heads.setdefault(int(seed), {})[name] = stored.get_tensor(key)
    except (SafetensorError, OSError, KeyError, TypeError, ValueError):
        raise SceneFileError(f"{path} does not hold heads of a probe: delete its cell and probe again") from None
    return shape, heads
