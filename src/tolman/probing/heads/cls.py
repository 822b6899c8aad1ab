"""A linear head on [CLS] alone."""

from torch import Tensor

from tolman.probing.encoder import EncoderLayout
from tolman.probing.head import register_head
from tolman.probing.heads.linear import LinearHead


@register_head
class ClsHead(LinearHead):
    """The linear head with another input."""

    name = "cls"

    def refusal(self, encoder: str, layout: EncoderLayout, layer: int) -> str | None:
        del layer
        return None if layout.cls else f"{encoder} has no [CLS] token to probe: leave cls out of --probe"

    def select(self, tokens: Tensor, cls: bool) -> Tensor:
        del cls
        return tokens[:, 0].float()
