"""What finished probes look at in a few pictures that they were tested on, painted over these."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from itertools import islice
from pathlib import Path
from typing import cast

import numpy as np
from PIL import Image
from torch import Tensor

from tolman.benchmarks.sparrta.map_files import FOLDER, MappedPicture, ProbeMap, plain_name
from tolman.benchmarks.sparrta.picture_sets import UNSAID, PictureSet
from tolman.benchmarks.sparrta.probe_cells import Cell, read_cells
from tolman.benchmarks.sparrta.probe_runs import Tell
from tolman.benchmarks.sparrta.reading import StoredPicture, stored_picture
from tolman.benchmarks.sparrta.relations import RELATIONS
from tolman.benchmarks.sparrta.sample import ROLES
from tolman.errors import SettingsError
from tolman.probing.attention_flow import BACKGROUND, patch_shares
from tolman.probing.encoder import Anatomy, Encoder, without_registers
from tolman.probing.extraction import pieces_of
from tolman.probing.head_files import read_heads
from tolman.probing.heads import scores
from tolman.probing.preprocessing import Pixels, normalised, read_picture
from tolman.probing.probe_maps import Maps, attention_maps, painted_map
from tolman.probing.splits import Split, split_of
from tolman.probing.untyped import from_array
from tolman.seeds import digest
from tolman.whole_file import write_whole

LOOKING = ("abmilp", "efficient")
"""Heads that look at some patches more than at others."""


@dataclass(frozen=True, eq=False)
class _Probed:
    """A cell with the pictures that it was made from."""

    cell: Cell
    pictures: PictureSet

    @cached_property
    def split(self) -> Split:
        """Of the first seed, whose head is shown."""
        validation, test = cast("tuple[float, float]", self.cell.key.protocol["split"])
        labels = self.pictures.labels[self.cell.key.viewpoint]
        return split_of(np.flatnonzero(labels != UNSAID), self.cell.results[0].seed, validation, test)


def probe_looks(encoder: Encoder, sets: Sequence[PictureSet], out: Path, most: int, tell: Tell) -> list[MappedPicture]:
    """Paint maps of `most` pictures of each triple into a folder of results; heads are those stored there."""
    every = [cell for cell in read_cells(out) if _is_wanted(cell, encoder) and _heads_of(cell, out).is_file()]
    last = max((cell.key.layer for cell in every), default=0)
    found: list[MappedPicture] = []
    for number, pictures in enumerate(sets):
        tell("maps", number, len(sets))
        seen = digest([name for piece in pieces_of(pictures.paths) for name in piece.digests])
        cells = [
            cell
            for cell in every
            if (cell.key.layer, cell.key.triple, cell.key.pictures) == (last, pictures.name, seen)
        ]
        probed = [_Probed(cell, pictures) for cell in _latest(cells)]
        found += [_mapped(encoder, probed, index, out) for index in _chosen(probed, most)]
    tell("maps", len(sets), len(sets))
    if not found:
        raise SettingsError(
            f"{out} holds no abmilp or efficient probes of {encoder.name}, with these weights, on these pictures: "
            "probe them first"
        )
    return found


def _is_wanted(cell: Cell, encoder: Encoder) -> bool:
    key = cell.key
    return (key.encoder, key.weights) == (encoder.name, encoder.weights) and key.head in LOOKING and not key.shuffled


def _heads_of(cell: Cell, out: Path) -> Path:
    return (out / cell.key.path).with_suffix(".safetensors")


def _latest(cells: Sequence[Cell]) -> list[Cell]:
    """One cell for each viewpoint and head: where protocols differ, the one that trained longest."""
    ranked = sorted(cells, key=lambda cell: int(str(cell.key.protocol["epochs"])))
    kept = {(cell.key.viewpoint, cell.key.head): cell for cell in ranked}
    return [kept[key] for key in sorted(kept, key=lambda key: (key[0] != "ego", key[1]))]


def _chosen(probed: Sequence[_Probed], most: int) -> Iterator[int]:
    """Numbers of pictures that say something from every viewpoint, those first that most heads were tested on."""
    if not probed:
        return iter(())
    labels = [one.pictures.labels[one.cell.key.viewpoint] for one in probed]
    clear = np.flatnonzero(np.all([values != UNSAID for values in labels], axis=0))
    tested = sum(np.isin(clear, one.split.test).astype(int) for one in probed)
    return (int(index) for index in islice(clear[np.argsort(-np.asarray(tested), kind="stable")], most))


def _mapped(encoder: Encoder, probed: Sequence[_Probed], index: int, out: Path) -> MappedPicture:
    key, path = probed[0].cell.key, probed[0].pictures.paths[index]
    stored = stored_picture(path)
    pixels, _ = read_picture(path)
    anatomy = encoder.anatomy.at(key.layer)
    given = normalised(from_array(pixels[None], encoder.device))
    tokens = without_registers(encoder.tokens(given, (key.layer,))[0], encoder.anatomy)
    plain = f"{plain_name(key.triple)}-{plain_name(path.stem)}"
    _write(out, f"{plain}.png", pixels)
    maps: list[ProbeMap] = []
    for one in probed:
        looked, said = _look(one, tokens, out, anatomy)
        name = f"{plain_name(key.encoder)}-{plain}-{one.cell.key.viewpoint}-{one.cell.key.head}.png"
        _write(out, name, painted_map(pixels, looked))
        maps.append(_told(one, index, name, said, _shares(looked, stored, anatomy)))
    return MappedPicture(
        key.encoder, key.layer, key.layers, key.environment, key.triple, path.stem, f"{plain}.png", tuple(maps)
    )


def _look(one: _Probed, tokens: Tensor, out: Path, anatomy: Anatomy) -> tuple[Maps, int]:
    """The mean map of all queries of a head, and the number of what it says."""
    shape, heads = read_heads(_heads_of(one.cell, out))
    head = {name: values.to(tokens.device) for name, values in heads[one.cell.results[0].seed].items()}
    maps = attention_maps(shape, head, tokens, anatomy)[0].mean(axis=0)
    return maps, int(scores(shape, head, tokens.float())[0, 0].argmax())


def _told(one: _Probed, index: int, name: str, said: int, on: Mapping[str, float]) -> ProbeMap:
    true = int(one.pictures.labels[one.cell.key.viewpoint][index])
    key = one.cell.key
    return ProbeMap(key.viewpoint, key.head, name, RELATIONS[said], RELATIONS[true], index not in one.split.test, on)


def _shares(looked: Maps, stored: StoredPicture, anatomy: Anatomy) -> dict[str, float]:
    masks = {role: mask for role in ROLES if (mask := stored.mask(role)) is not None}
    weights = looked.reshape(-1) / max(float(looked.sum()), 1e-12)
    on = {role: round(float(weights @ patch_shares(mask, anatomy)), 4) for role, mask in masks.items()}
    return {**on, BACKGROUND: round(1 - sum(on.values()), 4)} if on else {}


def _write(out: Path, name: str, pixels: Pixels) -> None:
    stored = BytesIO()
    Image.fromarray(pixels).save(stored, "png", optimize=True)
    write_whole(out / FOLDER / name, stored.getvalue(), lasting=False)
