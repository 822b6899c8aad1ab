"""One head, trained by itself with torch's own layers and optimiser: what training many at once is held against."""

import torch
from torch import Tensor
from torch.nn import functional

from tolman.probing.heads import QUERIES, HeadShape, Parameters, new_heads
from tolman.probing.protocol import GridPoint, Protocol, rate_at
from tolman.probing.untyped import descend, split


def train_one(
    shape: HeadShape,
    protocol: Protocol,
    point: GridPoint,
    tokens: Tensor,
    labels: Tensor,
    numbers: Tensor,
    seed: int,
) -> Parameters:
    """The head of a seed and a grid point after the last epoch; `numbers` are those of the training pictures."""
    head = {name: values[0].requires_grad_() for name, values in new_heads(shape, [seed], tokens.device).items()}
    optimiser = torch.optim.AdamW(head.values(), lr=point.rate, weight_decay=protocol.weight_decay)
    stream = torch.Generator(tokens.device).manual_seed(seed)
    order = torch.Generator().manual_seed(seed)
    batches = -(-len(numbers) // protocol.batch)
    steps = 0
    for _ in range(protocol.epochs):
        shuffled = numbers[torch.randperm(len(numbers), generator=order).to(numbers.device)]
        for batch in split(shuffled, protocol.batch):
            share = rate_at(steps, protocol.warm_up * batches, protocol.epochs * batches)
            optimiser.param_groups[0]["lr"] = point.rate * share
            found = _scores(shape, head, tokens[batch].float(), point.dropout, stream)
            descend(optimiser, functional.cross_entropy(found, labels[batch]))
            steps += 1
    return {name: values.detach() for name, values in head.items()}


def _scores(shape: HeadShape, head: Parameters, tokens: Tensor, rate: float, stream: torch.Generator) -> Tensor:
    pooled = tokens
    if shape.name == "abmilp":
        values = tokens
        for layer in range(shape.scoring_layers - 1):
            values = functional.linear(values, head[f"hidden{layer}.weight"], head[f"hidden{layer}.bias"]).relu()
        scored = functional.linear(values, head["score.weight"], head["score.bias"])[..., 0]
        weights = _dropped(scored.softmax(dim=1), rate, stream)
        pooled = (weights[:, None] @ tokens)[:, 0]
    if shape.name == "efficient":
        attention = (head["queries"] @ tokens.transpose(1, 2) * shape.width**-0.5).softmax(dim=2)
        attention = _dropped(attention, rate, stream)
        narrow = functional.linear(tokens, head["values.weight"]).view(*tokens.shape[:2], QUERIES, -1)
        pooled = torch.einsum("bnt,btnk->bnk", attention, narrow).flatten(1)
    normed = functional.layer_norm(pooled, (shape.pooled,), head["norm.weight"], head["norm.bias"])
    return functional.linear(_dropped(normed, rate, stream), head["out.weight"], head["out.bias"])


def _dropped(values: Tensor, rate: float, stream: torch.Generator) -> Tensor:
    drawn = torch.rand(values.shape, device=values.device, generator=stream)
    return values * (drawn >= rate) / (1 - rate)
