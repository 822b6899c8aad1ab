"""Training of many stacked probe heads at once, and the reference loop that trains one head by itself."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

import torch
from torch import Tensor
from torch.nn import functional

from tolman.probing.encoder import descend, from_array, split
from tolman.probing.head import Dropout, HeadShape, Parameters, class_scores, new_heads, single_class_scores
from tolman.probing.protocol import GridPoint, Progress, Protocol, Split, rate_at

_BETAS = (0.9, 0.999)
_EPSILON = 1e-8


class StackedAdamW:
    """AdamW for stacked heads with one learning rate each."""

    def __init__(self, heads: Parameters, rates: Tensor, protocol: Protocol, batches: int) -> None:
        self._shapes = {name: values.shape[1:] for name, values in heads.items()}
        self.learnt = torch.cat([values.flatten(1) for values in heads.values()], dim=1)
        self._mean, self._square = torch.zeros_like(self.learnt), torch.zeros_like(self.learnt)
        self._rates, self._decay = rates[:, None], protocol.weight_decay
        total = protocol.epochs * batches
        table = [_step_values(step, protocol.warm_up * batches, total) for step in range(total)]
        self._table = torch.tensor(table, dtype=torch.float32, device=self.learnt.device)
        self._step = torch.zeros(1, dtype=torch.int64, device=self.learnt.device)

    def views(self, learnt: Tensor) -> Parameters:
        """Parameters by name, as views of the flat tensor."""
        pieces = split(learnt, [shape.numel() for shape in self._shapes.values()], dim=1)
        return {
            name: piece.view(len(piece), *shape)
            for (name, shape), piece in zip(self._shapes.items(), pieces, strict=True)
        }

    @torch.no_grad()
    def step(self, gradient: Tensor) -> None:
        """One step for a gradient."""
        first, second = _BETAS
        share, mean_scale, square_scale = self._table.index_select(0, self._step)[0]
        rates = self._rates * share
        self._mean.lerp_(gradient, 1 - first)
        self._square.mul_(second).addcmul_(gradient, gradient, value=1 - second)
        scale = self._square.sqrt().mul_(square_scale).add_(_EPSILON)
        self.learnt.mul_(1 - rates * self._decay).sub_((self._mean * mean_scale).div_(scale).mul_(rates))
        self._step.add_(1)


def _step_values(step: int, warm_up: int, total: int) -> tuple[float, float, float]:
    """The factor on the learning rate, and the bias corrections of the two moments."""
    first, second = _BETAS
    mean_scale, square_scale = 1 / (1 - first ** (step + 1)), (1 - second ** (step + 1)) ** -0.5
    return rate_at(step, warm_up, total), mean_scale, square_scale


def train_single_head(
    shape: HeadShape,
    protocol: Protocol,
    point: GridPoint,
    examples: "Examples",
    numbers: Tensor,
    seed: int,
    validation: Tensor,
) -> tuple[Parameters, int]:
    """The head of a seed and a grid point with the weights that the protocol selects, and their epoch from 1.

    `numbers` and `validation` are the indices of the pictures for training and for validation.
    """
    tokens, labels = examples.tokens, examples.labels
    head = {name: values[0].requires_grad_() for name, values in new_heads(shape, [seed], tokens.device).items()}
    optimiser = torch.optim.AdamW(head.values(), lr=point.rate, weight_decay=protocol.weight_decay)
    stream = torch.Generator(tokens.device).manual_seed(seed)
    order = torch.Generator().manual_seed(seed)
    dropout = partial(_dropout_of, rate=point.dropout, stream=stream)
    batches = -(-len(numbers) // protocol.batch)
    steps, best = 0, _BestSingle(-1.0, 0, {})
    for epoch in range(1, protocol.epochs + 1):
        shuffled = numbers[torch.randperm(len(numbers), generator=order).to(numbers.device)]
        for batch in split(shuffled, protocol.batch):
            share = rate_at(steps, protocol.warm_up * batches, protocol.epochs * batches)
            optimiser.param_groups[0]["lr"] = point.rate * share
            found = single_class_scores(shape, head, tokens[batch].float(), dropout)
            descend(optimiser, functional.cross_entropy(found, labels[batch]))
            steps += 1
        if protocol.select == "epoch":
            with torch.no_grad():
                found = single_class_scores(shape, head, tokens[validation].float(), lambda values: values)
                right = float((found.argmax(dim=-1) == labels[validation]).double().mean())
            if right > best.right:
                best = _BestSingle(right, epoch, {name: values.detach().clone() for name, values in head.items()})
    if protocol.select == "epoch":
        return best.head, best.epoch
    return {name: values.detach() for name, values in head.items()}, protocol.epochs


@dataclass(frozen=True, eq=False)
class _BestSingle:
    """The best weights of one head so far."""

    right: float
    epoch: int
    head: Parameters


def _dropout_of(values: Tensor, rate: float, stream: torch.Generator) -> Tensor:
    drawn = torch.rand(values.shape, device=values.device, generator=stream)
    return values * (drawn >= rate) / (1 - rate)


_EVALUATION_BATCH = 128
"""Pictures per batch in evaluation."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Tokens of pictures (or one vector for each, for linear heads) with their class indices."""

    tokens: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def part(self, numbers: Tensor) -> "Examples":
        return Examples(self.tokens[numbers], self.labels[numbers])


@dataclass(frozen=True, eq=False)
class TrainedHeads:
    """Heads of one seed with the selected weights, one for each grid point, and their validation accuracies."""

    shape: HeadShape
    grid: tuple[GridPoint, ...]
    heads: Parameters
    validation: tuple[float, ...]
    epochs: tuple[int, ...]
    """After which the weights of each head were taken, from 1."""

    @property
    def best(self) -> int:
        """The index of the grid point with the best validation accuracy; of ties the first."""
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
) -> list[TrainedHeads]:
    """Train a head for each point of the grid and each seed, given with its split.

    All at once or, without `together`, one after another as a reference. `graphs` records an epoch as a CUDA graph and
    replays it, which saves the launch time of its operations.
    """
    device, grid = examples.labels.device, protocol.grid
    seeds = [(seed, from_array(parts.train, device)) for seed, parts in splits]
    validations = [examples.part(from_array(parts.validation, device)) for _, parts in splits]
    with _tf32_products(device):
        if together:
            stacked, epochs = _Stack(shape, protocol, examples, seeds, validations).trained(graphs, progress)
        else:
            parted = [(from_array(p.train, device), seed, from_array(p.validation, device)) for seed, p in splits]
            done = [train_single_head(shape, protocol, point, examples, *part) for part in parted for point in grid]
            stacked = {name: torch.stack([head[name] for head, _ in done]) for name in done[0][0]}
            epochs = [epoch for _, epoch in done]
        found: list[TrainedHeads] = []
        for place, validation in enumerate(validations):
            own = slice(place * len(grid), (place + 1) * len(grid))
            heads = {name: values[own] for name, values in stacked.items()}
            right = accuracies(shape, heads, validation)
            found.append(TrainedHeads(shape, grid, heads, tuple(right), tuple(epochs[own])))
        return found


class _Stack:
    """All heads trained together: one group for each seed, with one head for each grid point."""

    def __init__(
        self,
        shape: HeadShape,
        protocol: Protocol,
        examples: Examples,
        seeds: Sequence[tuple[int, Tensor]],
        validations: Sequence[Examples],
    ) -> None:
        device, grid = examples.labels.device, protocol.grid
        self._shape, self._protocol, self._examples = shape, protocol, examples
        self._validations = validations
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

    def trained(self, graphs: bool, progress: Progress | None) -> tuple[Parameters, list[int]]:
        """The heads with the weights that the protocol selects, and the epoch of each."""
        learnt, epochs = self._optimiser.learnt, torch.full((len(self._optimiser.learnt),), self._protocol.epochs)
        best, kept = torch.full(epochs.shape, -1.0, dtype=torch.float64, device=self._device), learnt.clone()
        run, recorded = self._epoch, graphs and self._device.type == "cuda"
        for epoch in range(self._protocol.epochs):
            self._numbers.copy_(self._orders[epoch])
            if epoch == 0 and recorded:
                run = self._first_epoch_on_stream
            elif epoch == 1 and recorded:
                run = self._recorded()
            run()
            if self._protocol.select == "epoch":
                right = self._validated()
                better = right > best
                best, kept = torch.where(better, right, best), torch.where(better[:, None], learnt, kept)
                epochs[better.cpu()] = epoch + 1
            if progress is not None:
                if self._device.type == "cuda":
                    torch.cuda.synchronize(self._device)
                progress(epoch + 1, self._protocol.epochs)
        return self._optimiser.views(kept if self._protocol.select == "epoch" else learnt), [int(one) for one in epochs]

    def _validated(self) -> Tensor:
        """The present validation accuracy of each head."""
        heads, each = self._optimiser.views(self._optimiser.learnt), len(self._protocol.grid)
        parts = [
            {name: values[place * each : (place + 1) * each] for name, values in heads.items()}
            for place in range(len(self._validations))
        ]
        found = [
            (predictions(self._shape, part, given) == given.labels).double().mean(dim=1)
            for part, given in zip(parts, self._validations, strict=True)
        ]
        return torch.cat(found)

    def _epoch(self) -> None:
        for numbers in split(self._numbers, self._protocol.batch, dim=1):
            self._step(numbers)

    def _step(self, numbers: Tensor) -> None:
        flat = numbers.flatten()
        tokens = self._examples.tokens.index_select(0, flat)
        tokens = tokens.view(*numbers.shape, *tokens.shape[1:]).float()
        labels = self._examples.labels.index_select(0, flat).view(numbers.shape)
        learnt = self._optimiser.learnt.detach().requires_grad_()
        found = class_scores(self._shape, self._optimiser.views(learnt), tokens, self._dropout)
        targets = labels[:, None].expand(-1, len(self._protocol.grid), -1)
        losses = functional.cross_entropy(found.flatten(0, 1), targets.flatten(), reduction="sum")
        (gradient,) = torch.autograd.grad(losses / numbers.shape[1], learnt)
        self._optimiser.step(gradient)

    def _first_epoch_on_stream(self) -> None:
        """The first epoch, on the stream of the recording, so that all libraries are initialised there."""
        current = torch.cuda.current_stream(self._device)
        self._stream = torch.cuda.Stream(self._device)
        self._stream.wait_stream(current)
        with torch.cuda.stream(self._stream):
            self._epoch()
        current.wait_stream(self._stream)

    def _recorded(self) -> Callable[[], None]:
        graph: Any = torch.cuda.CUDAGraph()
        for stream in self._streams:
            graph.register_generator_state(stream)
        torch.cuda.synchronize(self._device)
        with torch.cuda.graph(graph, stream=self._stream):
            self._epoch()
        return graph.replay


def _orders(epochs: int, seeds: Sequence[tuple[int, Tensor]]) -> Tensor:
    """Indices of pictures in the order of training: epochs, seeds, pictures."""
    shuffled = [
        torch.stack([numbers[order] for order in _shuffles(epochs, len(numbers), seed, numbers.device)])
        for seed, numbers in seeds
    ]
    return torch.stack(shuffled, dim=1)


def _shuffles(epochs: int, count: int, seed: int, device: torch.device) -> Tensor:
    stream = torch.Generator().manual_seed(seed)
    return torch.stack([torch.randperm(count, generator=stream) for _ in range(epochs)]).to(device)


@contextmanager
def _tf32_products(device: torch.device) -> Generator[None]:
    """TF32 matrix products on a GPU: their 10-bit mantissa is that of the stored float16 tokens."""
    before = torch.get_float32_matmul_precision()
    if device.type == "cuda":
        torch.set_float32_matmul_precision("high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


@torch.no_grad()
def predictions(shape: HeadShape, heads: Parameters, examples: Examples) -> Tensor:
    """The class predicted by each head: heads, pictures."""
    parts = (
        class_scores(shape, heads, part.float()).argmax(dim=-1) for part in split(examples.tokens, _EVALUATION_BATCH)
    )
    return torch.cat(list(parts), dim=1)


def accuracies(shape: HeadShape, heads: Parameters, examples: Examples) -> list[float]:
    """The accuracy of each head."""
    right = predictions(shape, heads, examples) == examples.labels
    return cast("list[float]", cast("Any", right.double().mean(dim=1)).tolist())
