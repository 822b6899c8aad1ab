"""Attention between things, worked out by running an encoder on pictures whose masks are known."""

from collections.abc import Callable, Sequence

import numpy as np

from tolman.probing.attention_flow import Flow, flow, group_weights
from tolman.probing.encoder import Encoder
from tolman.probing.masked_picture import MaskedPicture
from tolman.probing.preprocessing import normalised, read_picture
from tolman.probing.untyped import from_array

_TOGETHER = 8
"""Pictures that go through the encoder at once: attention takes much room."""
Track = Callable[[int, int], None]


def flows_of(
    encoder: Encoder, pictures: Sequence[MaskedPicture], layers: Sequence[int], track: Track | None = None
) -> dict[int, dict[str, list[Flow]]]:
    """For each layer, the flows of all pictures by environment."""
    found: dict[int, dict[str, list[Flow]]] = {layer: {} for layer in layers}
    for at in range(0, len(pictures), _TOGETHER):
        some = pictures[at : at + _TOGETHER]
        pixels = from_array(np.stack([read_picture(picture.path)[0] for picture in some]), encoder.device)
        seen = encoder.attention(normalised(pixels), layers)
        for layer, attention in zip(layers, seen, strict=True):
            for picture, weights in zip(some, attention.double().cpu().numpy(), strict=True):
                groups = group_weights(picture.masks, encoder.anatomy)
                found[layer].setdefault(picture.environment, []).append(flow(weights, groups))
        if track is not None:
            track(at + len(some), len(pictures))
    return found
