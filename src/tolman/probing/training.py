"""Training of many heads at once: all grid points of a probe and all seeds, each head with its own optimiser."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional

from tolman.probing.adamw import StackedAdamW
from tolman.probing.heads import Dropout, HeadShape, Parameters, new_heads, scores
from tolman.probing.plain_loop import train_one
from tolman.probing.protocol import GridPoint, Protocol
from tolman.probing.splits import Split
from tolman.probing.untyped import from_array, split

_LOOKED_AT = 128
"""Pictures that are scored together when nothing is learnt."""
Progress = Callable[[int, int], None]
"""Told the epoch that is over, and how many there are."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Tokens of pictures (or one vector for each, for heads that see no more) with the numbers of their classes."""

    tokens: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def part(self, numbers: Tensor) -> "Examples":
        return Examples(self.tokens[numbers], self.labels[numbers])


@dataclass(frozen=True, eq=False)
class Trained:
    """Heads of one seed after the last epoch, one for each grid point, and the share of validation pictures that they
    get right."""

    shape: HeadShape
    grid: tuple[GridPoint, ...]
    heads: Parameters
    validation: tuple[float, ...]

    @property
    def best(self) -> int:
        """The grid point with the best validation; of equal ones the first."""
        return max(range(len(self.grid)), key=lambda i: self.validation[i])

    @property
    def best_head(self) -> Parameters:
        return {name: values[self.best : self.best + 1] for name, values in self.heads.items()}


def train(
    shape: HeadShape,
    protocol: Protocol,
    examples: Examples,
    splits: Sequence[tuple[int, Split]],
    *,
    together: bool = True,
    graphs: bool = True,
    progress: Progress | None = None,
) -> list[Trained]:
    """Train a head for each point of the grid and each seed, given with its split.

    All at once, or, as the reference, one after another where `together` is not wanted. `graphs` records an epoch on a
    CUDA device and plays it back, which saves the time to launch its operations.
    """
    device, grid = examples.labels.device, protocol.grid
    seeds = [(seed, from_array(parts.train, device)) for seed, parts in splits]
    with _fast_products(device):
        if together:
            stacked = _Stack(shape, protocol, examples, seeds).trained(graphs, progress)
        else:
            lanes = [(seed, numbers, point) for seed, numbers in seeds for point in grid]
            done = [
                train_one(shape, protocol, point, examples.tokens, examples.labels, numbers, seed)
                for seed, numbers, point in lanes
            ]
            stacked = {name: torch.stack([head[name] for head in done]) for name in done[0]}
        found: list[Trained] = []
        for place, (_, parts) in enumerate(splits):
            heads = {name: values[place * len(grid) : (place + 1) * len(grid)] for name, values in stacked.items()}
            right = accuracies(shape, heads, examples.part(from_array(parts.validation, device)))
            found.append(Trained(shape, grid, heads, tuple(right)))
        return found


class _Stack:
    """All heads that are trained together: one group for each seed, in each group one head for each grid point."""

    def __init__(
        self, shape: HeadShape, protocol: Protocol, examples: Examples, seeds: Sequence[tuple[int, Tensor]]
    ) -> None:
        device, grid = examples.labels.device, protocol.grid
        self._shape, self._protocol, self._examples = shape, protocol, examples
        self._device = device
        self._stream: torch.cuda.Stream | None = None
        self._orders = _orders(protocol.epochs, seeds)
        self._numbers = self._orders[0].clone()
        heads = new_heads(shape, [seed for seed, _ in seeds for _ in grid], device)
        rates, dropout = (
            torch.tensor(values, device=device).repeat(len(seeds))
            for values in zip(*((point.rate, point.dropout) for point in grid), strict=True)
        )
        self._streams = [torch.Generator(device).manual_seed(seed) for seed, _ in seeds]
        self._dropout = Dropout(dropout, self._streams)
        self._optimiser = StackedAdamW(heads, rates, protocol, -(-self._numbers.shape[1] // protocol.batch))

    def trained(self, graphs: bool, progress: Progress | None) -> Parameters:
        run, recorded = self._epoch, graphs and self._device.type == "cuda"
        for epoch in range(self._protocol.epochs):
            self._numbers.copy_(self._orders[epoch])
            if epoch == 0 and recorded:
                run = self._on_its_own_stream
            elif epoch == 1 and recorded:
                run = self._recorded()
            run()
            if progress is not None:
                if self._device.type == "cuda":
                    torch.cuda.synchronize(self._device)
                progress(epoch + 1, self._protocol.epochs)
        return self._optimiser.views(self._optimiser.learnt)

    def _epoch(self) -> None:
        for numbers in split(self._numbers, self._protocol.batch, dim=1):
            self._step(numbers)

    def _step(self, numbers: Tensor) -> None:
        flat = numbers.flatten()
        tokens = self._examples.tokens.index_select(0, flat)
        tokens = tokens.view(*numbers.shape, *tokens.shape[1:]).float()
        labels = self._examples.labels.index_select(0, flat).view(numbers.shape)
        learnt = self._optimiser.learnt.detach().requires_grad_()
        found = scores(self._shape, self._optimiser.views(learnt), tokens, self._dropout)
        wanted = labels[:, None].expand(-1, len(self._protocol.grid), -1)
        losses = functional.cross_entropy(found.flatten(0, 1), wanted.flatten(), reduction="sum")
        (gradient,) = torch.autograd.grad(losses / numbers.shape[1], learnt)
        self._optimiser.move(gradient)

    def _on_its_own_stream(self) -> None:
        """The first epoch, where the others will be recorded, so that all libraries are ready there."""
        here = torch.cuda.current_stream(self._device)
        self._stream = torch.cuda.Stream(self._device)
        self._stream.wait_stream(here)
        with torch.cuda.stream(self._stream):
            self._epoch()
        here.wait_stream(self._stream)

    def _recorded(self) -> Callable[[], None]:
        graph: Any = torch.cuda.CUDAGraph()
        for stream in self._streams:
            graph.register_generator_state(stream)
        torch.cuda.synchronize(self._device)
        with torch.cuda.graph(graph, stream=self._stream):
            self._epoch()
        return graph.replay


def _orders(epochs: int, seeds: Sequence[tuple[int, Tensor]]) -> Tensor:
    """Numbers of pictures in the order in which they are shown: epochs, seeds, pictures."""
    shuffled = [
        torch.stack([numbers[order] for order in _shuffles(epochs, len(numbers), seed, numbers.device)])
        for seed, numbers in seeds
    ]
    return torch.stack(shuffled, dim=1)


def _shuffles(epochs: int, count: int, seed: int, device: torch.device) -> Tensor:
    stream = torch.Generator().manual_seed(seed)
    return torch.stack([torch.randperm(count, generator=stream) for _ in range(epochs)]).to(device)


@contextmanager
def _fast_products(device: torch.device) -> Generator[None]:
    """On a GPU, products with 10 bits after the point: as many as stored tokens have."""
    before = torch.get_float32_matmul_precision()
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


@torch.no_grad()
def predictions(shape: HeadShape, heads: Parameters, examples: Examples) -> Tensor:
    """The class that each head says: heads, pictures."""
    parts = (scores(shape, heads, part.float()).argmax(dim=-1) for part in split(examples.tokens, _LOOKED_AT))
    return torch.cat(list(parts), dim=1)


def accuracies(shape: HeadShape, heads: Parameters, examples: Examples) -> list[float]:
    """The share of pictures that each head gets right."""
    right = predictions(shape, heads, examples) == examples.labels
    return cast("list[float]", cast("Any", right.double().mean(dim=1)).tolist())
