"""Encoders whose layers are blocks of a torch module: what comes out of a block is caught on its way."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import torch
from torch import Tensor, nn

from tolman.probing.encoder import Anatomy


@dataclass(frozen=True, eq=False)
class BlockEncoder:
    """A module, its blocks in order, and a way to get attention out of it (all layers)."""

    name: str
    weights: str
    anatomy: Anatomy
    device: torch.device
    run: Callable[[Tensor], object]
    blocks: Sequence[nn.Module]
    attend: Callable[[Tensor], Sequence[Tensor]]
    trained_on: frozenset[str] = frozenset()

    @torch.no_grad()
    def tokens(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        caught: dict[int, Tensor] = {}

        def keep(number: int) -> Callable[..., None]:
            def hook(_module: nn.Module, _inputs: object, output: object) -> None:
                caught[number] = cast("Tensor", cast("Any", output)[0] if isinstance(output, tuple) else output)

            return hook

        handles = [self.blocks[number - 1].register_forward_hook(keep(number)) for number in layers]
        try:
            self.run(pictures)
        finally:
            for handle in handles:
                handle.remove()
        return [caught[number] for number in layers]

    @torch.no_grad()
    def attention(self, pictures: Tensor, layers: Sequence[int]) -> list[Tensor]:
        every = self.attend(pictures)
        return [every[number - 1] for number in layers]
