"""What a probe looks at, as a map over the picture."""

import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from tolman.errors import SettingsError
from tolman.probing.encoder import Anatomy
from tolman.probing.heads import HeadShape, Parameters, query_attention, token_weights
from tolman.probing.preprocessing import SIDE, Pixels

Maps = NDArray[np.float32]
_WARM = np.array([213, 94, 0], dtype=np.float64)


@torch.no_grad()
def attention_maps(shape: HeadShape, head: Parameters, tokens: Tensor, anatomy: Anatomy) -> Maps:
    """How much each query looks at each patch: pictures, queries, rows, columns. AbMILP has one query.

    `head` is one head (the first axis has one entry); `tokens` are [CLS] and patches, as the store keeps them. What
    goes to [CLS] is left out, so a map may sum to less than 1.
    """
    given = tokens.float()
    if shape.name == "efficient":
        found = query_attention(shape, head, given)[0]
    elif shape.name == "abmilp":
        found = token_weights(shape, head, given[None])[0]
    else:
        raise SettingsError(f"a {shape.name} probe looks at all patches alike: choose abmilp or efficient")
    patches = found[..., int(anatomy.cls) :]
    return patches.reshape(*patches.shape[:-1], anatomy.grid, anatomy.grid).cpu().numpy()


def painted_map(pixels: Pixels, map_: Maps) -> Pixels:
    """A map laid over its picture (224 by 224): the more is looked at, the warmer; the rest grey.

    What is looked at no more than the average stays grey, so a probe that looks everywhere alike paints nothing. Fully
    warm is the most that is looked at, or three times the average where that is more.
    """
    above = np.asarray(map_, dtype=np.float32) / max(float(map_.mean()), 1e-12) - 1
    share = np.clip(above / max(float(above.max()), 2.0), 0, 1)
    large = Image.fromarray(share, mode="F").resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    weight = np.clip(np.asarray(large), 0, 1)[..., None].astype(np.float64)
    grey = np.repeat(pixels.mean(axis=2, keepdims=True), 3, axis=2) * 0.7 + 0.3 * 255
    warm = 0.35 * pixels + 0.65 * _WARM
    return np.clip(grey * (1 - weight) + warm * weight, 0, 255).astype(np.uint8)
