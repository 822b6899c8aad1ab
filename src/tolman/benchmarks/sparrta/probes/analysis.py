"""Analyses of encoders and finished probes that need torch: attention maps of heads, attention between objects, and
detection of objects in single tokens.

Pictures with object masks are read by triple: from `tolman make sparrta`, or the authors' SpaRRTa-Attention
(`ENVIRONMENT/params_####/img_####.jpg` and `metadata/mask_LABEL.png`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from torch import Tensor

from tolman.benchmarks.sparrta.dataset.files import (
    AMBIGUOUS_LABEL,
    PictureSet,
    StoredPicture,
    kind_of_label,
    read_set,
    snapshot_in,
    stored_picture,
    triple_folders,
    whole_path,
)
from tolman.benchmarks.sparrta.probes.cells import (
    DIFFERENCE_SIGN,
    MAPS_FOLDER,
    FlowRow,
    MappedPicture,
    ProbeCell,
    ProbeMap,
    ThingRow,
    file_name_part,
    read_cells,
    write_flow_rows,
)
from tolman.benchmarks.sparrta.probes.run import ProbeProgress
from tolman.benchmarks.sparrta.sample import HUMAN, RELATIONS, ROLES, TRIPLES, Role
from tolman.core.errors import SceneFileError, SettingsError
from tolman.core.files import atomic_write, encoded
from tolman.core.limits import check_pixels
from tolman.core.seeds import digest
from tolman.probing.attention import (
    BACKGROUND,
    FlowValue,
    Maps,
    MaskedPicture,
    attention_maps,
    decode_patches,
    flow_difference,
    flows_of,
    mean_flow,
    painted_map,
    patch_shares,
)
from tolman.probing.encoder import (
    Encoder,
    EncoderLayout,
    Pixels,
    from_array,
    normalised,
    read_picture,
    without_registers,
)
from tolman.probing.features import pieces_of
from tolman.probing.head import class_scores, heads_with_attention
from tolman.probing.probe import read_heads
from tolman.probing.protocol import Progress, Split, split_of

_HALF = 127


def released_sets(data: Path, most: int) -> dict[str, list[MaskedPicture]]:
    """The first `most` pictures of each environment below a folder, by name of its folder."""
    data = snapshot_in(data)
    places = (path for depth in ("", "*/") for path in sorted(data.glob(f"{depth}params_*/metadata")))
    environments = dict.fromkeys(path.parents[1] for path in places)
    found = {whole_path(folder).name: list(islice(_pictures(folder), most)) for folder in environments}
    return {name: pictures for name, pictures in found.items() if pictures}


def _pictures(folder: Path) -> Iterator[MaskedPicture]:
    for place in sorted(folder.glob("params_*")):
        images = sorted(path for path in place.glob("img_*") if path.is_file())
        masks = {path.stem.removeprefix("mask_"): path for path in sorted(place.glob("metadata/mask_*.png"))}
        if images and masks:
            kinds = {kind_of_label(label): path for label, path in masks.items()}
            roles = _roles(kinds, place)
            yield MaskedPicture(images[0], whole_path(folder).name, {roles[kind]: _mask(kinds[kind]) for kind in kinds})


def _roles(kinds: dict[str, Path], place: Path) -> dict[str, Role]:
    """The role of each kind of object, by the first triple that has all kinds."""
    for triple in TRIPLES:
        roles: dict[str, Role] = {triple.source: "source", triple.target: "target", HUMAN: "human"}
        if kinds.keys() <= roles.keys():
            return roles
    raise SceneFileError(f"{place} has masks of {', '.join(kinds)}, which is not a triple of SpaRRTa")


def _mask(path: Path) -> NDArray[np.bool_]:
    try:
        with Image.open(path) as picture:
            check_pixels(picture.size, str(path))
            return np.asarray(picture.convert("L")) > _HALF
    except (OSError, ValueError, Image.DecompressionBombError):
        raise SceneFileError(f"{path} is damaged") from None


def masked_sets(data: Path, most: int) -> dict[str, list[MaskedPicture]]:
    """The first `most` pictures of each triple below a folder, with the masks of their actors.

    The authors' data has one triple per environment, named after it.
    """
    if released := released_sets(data, most):
        return released
    found = {inner.parent.name: _masked(inner.parent, most) for inner in triple_folders(data)}
    if not any(found.values()):
        raise SceneFileError(f"{data} has no masks: make pictures with tolman make sparrta")
    return {triple: pictures for triple, pictures in found.items() if pictures}


def masked_pictures(data: Path, most: int) -> list[MaskedPicture]:
    """The pictures of `masked_sets` as one list."""
    return [picture for pictures in masked_sets(data, most).values() for picture in pictures]


def _masked(folder: Path, most: int) -> list[MaskedPicture]:
    return [masked for picture in islice(read_set(folder), most) if (masked := _with_masks(picture)) is not None]


def _with_masks(picture: StoredPicture) -> MaskedPicture | None:
    masks = {role: mask for role in ROLES if (mask := picture.mask(role)) is not None}
    if not masks:
        return None
    return MaskedPicture(picture.image, picture.sample.triple.environment, masks)


@dataclass(frozen=True, eq=False)
class _Probed:
    """A cell with the pictures that it was made from."""

    cell: ProbeCell
    pictures: PictureSet

    @cached_property
    def split(self) -> Split:
        """The split of the first seed, whose head is shown."""
        validation, test = cast("tuple[float, float]", self.cell.key.protocol["split"])
        labels = self.pictures.labels[self.cell.key.viewpoint]
        return split_of(np.flatnonzero(labels != AMBIGUOUS_LABEL), self.cell.results[0].seed, validation, test)


def paint_attention_maps(
    encoder: Encoder, sets: Sequence[PictureSet], out: Path, most: int, tell: ProbeProgress
) -> list[MappedPicture]:
    """Render attention maps of `most` pictures per triple into a folder of results, with the heads stored there."""
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


def _is_wanted(cell: ProbeCell, encoder: Encoder) -> bool:
    key = cell.key
    return (
        (key.encoder, key.weights) == (encoder.name, encoder.weights)
        and key.head in heads_with_attention()
        and not key.shuffled
    )


def _heads_of(cell: ProbeCell, out: Path) -> Path:
    return (out / cell.key.path).with_suffix(".safetensors")


def _latest(cells: Sequence[ProbeCell]) -> list[ProbeCell]:
    """One cell for each viewpoint and head: where protocols differ, the one that trained longest."""
    ranked = sorted(cells, key=lambda cell: int(str(cell.key.protocol["epochs"])))
    kept = {(cell.key.viewpoint, cell.key.head): cell for cell in ranked}
    return [kept[key] for key in sorted(kept, key=lambda key: (key[0] != "ego", key[1]))]


def _chosen(probed: Sequence[_Probed], most: int) -> Iterator[int]:
    """Indices of pictures that are unambiguous from every viewpoint, those in most test splits first."""
    if not probed:
        return iter(())
    labels = [one.pictures.labels[one.cell.key.viewpoint] for one in probed]
    clear = np.flatnonzero(np.all([values != AMBIGUOUS_LABEL for values in labels], axis=0))
    tested = sum(np.isin(clear, one.split.test).astype(int) for one in probed)
    return (int(index) for index in islice(clear[np.argsort(-np.asarray(tested), kind="stable")], most))


def _mapped(encoder: Encoder, probed: Sequence[_Probed], index: int, out: Path) -> MappedPicture:
    key, path = probed[0].cell.key, probed[0].pictures.paths[index]
    stored = stored_picture(path)
    pixels, _ = read_picture(path)
    layout = encoder.layout.at(key.layer)
    given = normalised(from_array(pixels[None], encoder.device))
    tokens = without_registers(encoder.tokens(given, (key.layer,))[0], encoder.layout)
    plain = f"{file_name_part(key.triple)}-{file_name_part(path.stem)}"
    _write(out, f"{plain}.png", pixels)
    maps: list[ProbeMap] = []
    for one in probed:
        attention, said = _attention_map(one, tokens, out, layout)
        name = f"{file_name_part(key.encoder)}-{plain}-{one.cell.key.viewpoint}-{one.cell.key.head}.png"
        _write(out, name, painted_map(pixels, attention))
        maps.append(_probe_map(one, index, name, said, _shares(attention, stored, layout)))
    return MappedPicture(
        key.encoder, key.layer, key.layers, key.environment, key.triple, path.stem, f"{plain}.png", tuple(maps)
    )


def _attention_map(one: _Probed, tokens: Tensor, out: Path, layout: EncoderLayout) -> tuple[Maps, int]:
    """The mean attention map over the queries of a head, and the class index that it predicts."""
    shape, heads = read_heads(_heads_of(one.cell, out))
    head = {name: values.to(tokens.device) for name, values in heads[one.cell.results[0].seed].items()}
    maps = attention_maps(shape, head, tokens, layout)[0].mean(axis=0)
    return maps, int(class_scores(shape, head, tokens.float())[0, 0].argmax())


def _probe_map(one: _Probed, index: int, name: str, said: int, on: Mapping[str, float]) -> ProbeMap:
    true = int(one.pictures.labels[one.cell.key.viewpoint][index])
    key = one.cell.key
    return ProbeMap(key.viewpoint, key.head, name, RELATIONS[said], RELATIONS[true], index not in one.split.test, on)


def _shares(attention: Maps, stored: StoredPicture, layout: EncoderLayout) -> dict[str, float]:
    masks = {role: mask for role in ROLES if (mask := stored.mask(role)) is not None}
    weights = attention.reshape(-1) / max(float(attention.sum()), 1e-12)
    on = {role: round(float(weights @ patch_shares(mask, layout)), 4) for role, mask in masks.items()}
    return {**on, BACKGROUND: round(1 - sum(on.values()), 4)} if on else {}


def _write(out: Path, name: str, pixels: Pixels) -> None:
    data = encoded(Image.fromarray(pixels), "png", optimize=True)
    atomic_write(out / MAPS_FOLDER / name, data, durable=False)


FlowsByLayer = dict[int, dict[tuple[str, str], FlowValue]]


def flows_by_layer(
    encoder: Encoder, pictures: Sequence[MaskedPicture], layers: Sequence[int], progress: Progress | None = None
) -> FlowsByLayer:
    """Mean flows of each layer, over pictures and then over environments."""
    found = flows_of(encoder, pictures, layers, progress)
    return {layer: mean_flow(by_environment) for layer, by_environment in found.items()}


def write_flows(path: Path, flows: dict[str, FlowsByLayer]) -> None:
    """Write a CSV file of some encoders; for two also their difference in the layers that both have."""
    rows = [
        FlowRow(name, layer, query, target, value.mean, value.spread)
        for name, by_layer in flows.items()
        for layer, values in by_layer.items()
        for (query, target), value in values.items()
    ]
    if len(flows) == 2:
        (first, one), (second, other) = flows.items()
        rows += [
            FlowRow(f"{first}{DIFFERENCE_SIGN}{second}", layer, query, target, more)
            for layer in one
            if layer in other
            for (query, target), more in flow_difference(one[layer], other[layer]).items()
        ]
    write_flow_rows(path, rows)


PicturesDone = Callable[[int], None]
"""Called with the number of finished pictures over all triples."""


def detect_things(
    encoder: Encoder,
    sets: Mapping[str, Sequence[MaskedPicture]],
    layers: Sequence[int],
    tell: PicturesDone = lambda _: None,
) -> list[ThingRow]:
    """Detection of source, target and human in single tokens, with one linear map per triple."""
    rows: list[ThingRow] = []
    before = 0
    for triple, pictures in sets.items():
        found = decode_patches(encoder, pictures, ROLES, layers, lambda done, _, before=before: tell(before + done))
        rows += [
            ThingRow(encoder.name, triple, layer, encoder.layout.layers, thing, one.precision, one.share, len(pictures))
            for layer, things in found.items()
            for thing, one in things.items()
        ]
        before += len(pictures)
    return rows
