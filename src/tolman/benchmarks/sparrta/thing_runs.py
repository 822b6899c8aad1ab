"""Whether source, target and human are in an encoder's tokens, for each triple of a folder of pictures."""

from collections.abc import Callable, Mapping, Sequence

from tolman.benchmarks.sparrta.sample import ROLES
from tolman.benchmarks.sparrta.thing_files import ThingRow
from tolman.probing.encoder import Encoder
from tolman.probing.masked_picture import MaskedPicture
from tolman.probing.thing_patches import told_patches

TellDone = Callable[[int], None]
"""Told how many pictures are done, of all triples."""


def things_told(
    encoder: Encoder,
    sets: Mapping[str, Sequence[MaskedPicture]],
    layers: Sequence[int],
    tell: TellDone = lambda _: None,
) -> list[ThingRow]:
    """A map for each triple, as their things differ."""
    rows: list[ThingRow] = []
    before = 0
    for triple, pictures in sets.items():
        found = told_patches(encoder, pictures, ROLES, layers, lambda done, _, before=before: tell(before + done))
        rows += [
            ThingRow(
                *(encoder.name, triple, layer, encoder.anatomy.layers, thing, told.precision, told.share, len(pictures))
            )
            for layer, things in found.items()
            for thing, told in things.items()
        ]
        before += len(pictures)
    return rows
