"""`tolman probe attention`, `things` and `maps`: what encoders and probes look at, and what is in tokens at all."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.text import Text

from tolman.benchmarks.sparrta.flow_files import attention_file
from tolman.benchmarks.sparrta.map_files import FOLDER, write_maps
from tolman.benchmarks.sparrta.picture_sets import read_picture_sets
from tolman.benchmarks.sparrta.relations import AMBIGUITY
from tolman.benchmarks.sparrta.thing_files import write_thing_rows
from tolman.cli.shared import progress_bar, with_torch
from tolman.errors import SettingsError
from tolman.report.table import print_parts

if TYPE_CHECKING:
    from tolman.benchmarks.sparrta.flow_tables import FlowsByLayer
    from tolman.probing.flow_runs import Track

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
    from tolman.benchmarks.sparrta.flow_tables import flows_by_layer, write_flows  # noqa: PLC0415 - torch takes seconds
    from tolman.benchmarks.sparrta.masked_sets import masked_pictures  # noqa: PLC0415 - torch takes seconds
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
    from tolman.benchmarks.sparrta.masked_sets import masked_sets  # noqa: PLC0415 - torch takes seconds
    from tolman.benchmarks.sparrta.thing_runs import things_told  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoder import chosen_layers  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds
    from tolman.report.sparrta.terminal import narrow  # noqa: PLC0415 - scipy takes half a second
    from tolman.report.sparrta.thing_tables import thing_table  # noqa: PLC0415
    from tolman.report.sparrta.things import told_encoders  # noqa: PLC0415

    network = find_encoder(encoder, weights, device)
    chosen, sets = chosen_layers(layers, network.anatomy.layers), masked_sets(data, pictures)
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task(network.name, total=sum(map(len, sets.values())))
        rows = things_told(network, sets, chosen, lambda done: progress.update(task, completed=done))
    file = write_thing_rows(out, network.name, rows)
    print_parts([narrow(thing_table(told_encoders(rows)))], Console())
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
    from tolman.benchmarks.sparrta.probe_looks import probe_looks  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.find import find_encoder  # noqa: PLC0415 - torch takes seconds

    found = find_encoder(encoder, weights, device)
    with progress_bar(Console(stderr=True)) as progress:
        task = progress.add_task("maps", total=len(sets))
        mapped = probe_looks(
            found, sets, out, pictures, lambda _, done, total: progress.update(task, completed=done, total=total)
        )
    write_maps(out, found.name, mapped)
    count = sum(len(picture.maps) for picture in mapped)
    Console().print(Text(f"{count} maps of {len(mapped)} pictures are in {out / FOLDER}."), soft_wrap=True)


def _weighed(text: str) -> tuple[str, Path | None]:
    name, found, weights = text.partition("=")
    return name, Path(weights) if found else None
