"""AdamW over stacked heads, each with its own rate of learning: all that is learnt lies in one tensor, and all that
depends on the number of the step in tables, so that a step is a few operations and always the same ones."""

import torch
from torch import Tensor

from tolman.probing.heads import Parameters
from tolman.probing.protocol import Protocol, rate_at
from tolman.probing.untyped import split

_BETAS = (0.9, 0.999)
_TINY = 1e-8


class StackedAdamW:
    """Heads that are being trained, and how they have moved so far."""

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
        """Parameters by name, out of the one tensor."""
        pieces = split(learnt, [shape.numel() for shape in self._shapes.values()], dim=1)
        return {
            name: piece.view(len(piece), *shape)
            for (name, shape), piece in zip(self._shapes.items(), pieces, strict=True)
        }

    @torch.no_grad()
    def move(self, gradient: Tensor) -> None:
        """One step along a gradient."""
        first, second = _BETAS
        share, mean_scale, square_scale = self._table.index_select(0, self._step)[0]
        rates = self._rates * share
        self._mean.lerp_(gradient, 1 - first)
        self._square.mul_(second).addcmul_(gradient, gradient, value=1 - second)
        spread = self._square.sqrt().mul_(square_scale).add_(_TINY)
        self.learnt.mul_(1 - rates * self._decay).sub_((self._mean * mean_scale).div_(spread).mul_(rates))
        self._step.add_(1)


def _step_values(step: int, warm_up: int, total: int) -> tuple[float, float, float]:
    """The share of the full rate, and what makes up for moments that began at nothing."""
    first, second = _BETAS
    mean_scale, square_scale = 1 / (1 - first ** (step + 1)), (1 - second ** (step + 1)) ** -0.5
    return rate_at(step, warm_up, total), mean_scale, square_scale
