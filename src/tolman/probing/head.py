"""What a probe head is, and heads by name: one module of `probing/heads` each, which registers itself.

Many heads of one kind are stacked in one set of parameters. Every parameter has a leading axis with one entry for each
head; heads are in groups of equal size, one group for each set of tokens.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, TypeVar

import torch
from torch import Tensor
from torch.nn import functional

from tolman.core.errors import SettingsError, UnknownNameError
from tolman.core.files import import_modules
from tolman.probing.encoder import EncoderLayout
from tolman.probing.protocol import HeadName, heads_in_order

CLASSES = 4
Parameters = dict[str, Tensor]
DropoutFunction = Callable[[Tensor], Tensor]
"""Values after dropout; without training, the values."""


class Head(ABC):
    """One kind of head: it pools the tokens of a picture; LayerNorm, dropout and a linear layer classify the result."""

    name: ClassVar[str]
    """That of its module."""
    sees_tokens: ClassVar[bool] = True
    """Whether its input is all tokens of a picture, not one vector."""
    effort: ClassVar[int] = 4
    """Time of an epoch relative to a linear head, roughly; for progress bars."""

    def refusal(self, encoder: str, layout: EncoderLayout, layer: int) -> str | None:
        """Why the head can't be used on a layer (with its layout) of an encoder, and what to do; None where it can."""
        del encoder, layout, layer
        return None

    def select(self, tokens: Tensor, cls: bool) -> Tensor:
        """The input of the head from all tokens ([CLS] first, if `cls`): pictures, tokens, width, or pictures, width
        where it is one vector."""
        del cls
        return tokens

    def pooled(self, width: int) -> int:
        """Width of the pooled vector for a token width."""
        return width

    def new_parameters(self, shape: "HeadShape", stream: torch.Generator) -> Parameters:
        """Initial parameters of the pooling of one head."""
        del shape, stream
        return {}

    @abstractmethod
    def pool(self, shape: "HeadShape", heads: Parameters, tokens: Tensor, dropout: DropoutFunction) -> Tensor:
        """The pooled vectors of stacked heads: groups, pictures, heads of a group, pooled width.

        `tokens` are groups, pictures and the axes of `select`. Values given to `dropout` have the axes groups,
        pictures, heads of a group, and any more.
        """

    def pool_single(self, shape: "HeadShape", head: Parameters, tokens: Tensor, dropout: DropoutFunction) -> Tensor:
        """The same for one head by itself (pictures, pooled width), whose parameters have no leading axis."""
        stacked = {name: values[None] for name, values in head.items()}
        return self.pool(shape, stacked, tokens[None], lambda v: dropout(v[0, :, 0])[None, :, None])[0, :, 0]

    def attention(self, shape: "HeadShape", heads: Parameters, tokens: Tensor) -> Tensor:
        """Attention weights of stacked heads: groups, pictures, heads of a group, queries, tokens."""
        del heads, tokens
        raise SettingsError(f"a {shape.name} probe weights all patches equally: choose abmilp or efficient")

    @property
    def has_attention(self) -> bool:
        """Whether it weights some tokens more than others, so that its weights can be shown."""
        return type(self).attention is not Head.attention


_HEADS: dict[str, Head] = {}
H = TypeVar("H", bound=Head)


def register_head(cls: type[H]) -> type[H]:
    """Register a class as a kind of head."""
    _HEADS[cls.name] = cls()
    return cls


def find_head(name: HeadName) -> Head:
    """The kind of head of that name."""
    import_modules("tolman.probing.heads")
    if name not in _HEADS:
        raise UnknownNameError(f"there is no probe {name!r}; choose one of {', '.join(heads_in_order(_HEADS))}")
    return _HEADS[name]


def heads_with_attention() -> tuple[HeadName, ...]:
    """Names of heads that have attention weights."""
    import_modules("tolman.probing.heads")
    return tuple(name for name in heads_in_order(_HEADS) if _HEADS[name].has_attention)


@dataclass(frozen=True)
class HeadShape:
    """The kind of a head, the token width, and the layers of its scoring network (AbMILP)."""

    name: HeadName
    width: int
    scoring_layers: int = 1

    @property
    def pooled(self) -> int:
        """Width of the pooled vector that is classified."""
        return find_head(self.name).pooled(self.width)

    @property
    def sees_tokens(self) -> bool:
        """Whether its input is all tokens of a picture, not one vector."""
        return find_head(self.name).sees_tokens


def new_heads(shape: HeadShape, seeds: Sequence[int], device: torch.device | str = "cpu") -> Parameters:
    """New heads, one for each seed; the same seed gives the same head on any device."""
    made = [_new_head(shape, torch.Generator().manual_seed(seed)) for seed in seeds]
    return {name: torch.stack([head[name] for head in made]).to(device) for name in made[0]}


def _new_head(shape: HeadShape, stream: torch.Generator) -> Parameters:
    head = find_head(shape.name).new_parameters(shape, stream)
    head["norm.weight"], head["norm.bias"] = torch.ones(shape.pooled), torch.zeros(shape.pooled)
    head["out.weight"], head["out.bias"] = new_linear(shape.pooled, CLASSES, stream)
    return head


def new_linear(inputs: int, outputs: int, stream: torch.Generator) -> tuple[Tensor, Tensor]:
    """Weights and biases with the default initialisation of torch's linear layers."""
    bound = inputs**-0.5

    def uniform(*size: int) -> Tensor:
        return (torch.rand(*size, generator=stream) * 2 - 1) * bound

    return uniform(outputs, inputs), uniform(outputs)


def parameter_count(shape: HeadShape) -> int:
    """Number of parameters of one head."""
    return sum(values.numel() for values in _new_head(shape, torch.Generator().manual_seed(0)).values())


@dataclass(frozen=True, eq=False)
class Dropout:
    """Dropout for stacked heads: a rate for each head, and a random stream for each group."""

    rates: Tensor
    streams: Sequence[torch.Generator]

    def __call__(self, values: Tensor) -> Tensor:
        """Values after dropout. Axes are groups, pictures, heads, and any more; all heads of a group share the random
        numbers."""
        groups, pictures, heads, *more = values.shape
        drawn = torch.stack(
            [torch.rand(pictures, *more, device=values.device, generator=stream) for stream in self.streams]
        )
        rates = self.rates.view(groups, 1, heads, *(1,) * len(more))
        return values * ((drawn[:, :, None] >= rates) / (1 - rates))


def class_scores(shape: HeadShape, heads: Parameters, tokens: Tensor, dropout: Dropout | None = None) -> Tensor:
    """Class scores: heads, pictures, classes.

    `tokens` are groups, pictures, tokens, width; for heads on one vector groups, pictures, width. The axis of groups
    may be omitted for a single group. `dropout` is for training.
    """
    if tokens.dim() == 2 + shape.sees_tokens:
        tokens = tokens[None]
    drop = dropout or _unchanged
    pooled = find_head(shape.name).pool(shape, heads, tokens, drop)
    normed = functional.layer_norm(pooled, (shape.pooled,))
    norm_weight, norm_bias, weight, bias = (
        grouped(heads[name], len(tokens)) for name in ("norm.weight", "norm.bias", "out.weight", "out.bias")
    )
    normed = drop(normed * norm_weight[:, None] + norm_bias[:, None])
    found = torch.einsum("sbgd,sgcd->sgbc", normed, weight) + bias[:, :, None]
    return found.flatten(0, 1)


def single_class_scores(shape: HeadShape, head: Parameters, tokens: Tensor, dropout: DropoutFunction) -> Tensor:
    """Class scores of one head by itself (pictures, classes), with plain torch layers."""
    pooled = find_head(shape.name).pool_single(shape, head, tokens, dropout)
    normed = functional.layer_norm(pooled, (shape.pooled,), head["norm.weight"], head["norm.bias"])
    return functional.linear(dropout(normed), head["out.weight"], head["out.bias"])


def _unchanged(values: Tensor) -> Tensor:
    return values


def grouped(values: Tensor, groups: int) -> Tensor:
    """Parameters by group: groups, heads of a group, and the rest."""
    return values.view(groups, -1, *values.shape[1:])
