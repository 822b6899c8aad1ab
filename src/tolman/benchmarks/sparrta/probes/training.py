"""Tables of how probes were trained: protocol, parameters of heads, numbers of pictures, device and time."""

from collections.abc import Iterator, Sequence
from typing import cast

from tolman.benchmarks.sparrta.probes.cells import CellTime, ProbeCell
from tolman.benchmarks.sparrta.probes.columns import VIEW_SHORT, head_title
from tolman.benchmarks.sparrta.probes.encoders import ProbedEncoder, heads_of
from tolman.harness.names import counted, printable
from tolman.probing.protocol import heads_in_order
from tolman.report.table import Cell, Table, heading, one_row


def training_tables(encoders: Sequence[ProbedEncoder], times: Sequence[tuple[ProbeCell, CellTime]]) -> Iterator[Table]:
    """All tables of training; those without data are left out."""
    yield _protocols(encoders)
    if any(cell.parameters for one in encoders for cell in one.cells):
        yield _parameters(encoders)
    yield _pictures(encoders)
    if times:
        yield _times(times)


def _protocols(encoders: Sequence[ProbedEncoder]) -> Table:
    seen: dict[tuple[str, ...], None] = {}
    for one in encoders:
        for cell in one.cells:
            how = cell.key.protocol
            validation, test = cast("tuple[float, float]", how["split"])
            rates, dropouts = (cast("Sequence[float]", how[name]) for name in ("rates", "dropouts"))
            row = (
                head_title(cell.key.head),
                f"{how['name']}{', best epoch' if how.get('select') == 'epoch' else ''}",
                f"{how['epochs']} ({how['warm_up']})",
                ", ".join(f"{rate:g}" for rate in rates),
                ", ".join(f"{dropout:g}" for dropout in dropouts),
                f"{100 * (1 - validation - test):.0f}, {100 * validation:.0f}, {100 * test:.0f}",
                ", ".join(str(seed) for seed in cast("Sequence[int]", how["seeds"])),
            )
            seen.setdefault(row)
    order = [head_title(head) for head in heads_in_order(cell.key.head for one in encoders for cell in one.cells)]
    heads = tuple(
        heading(title, words=True)
        for title in ("protocol", "epochs (warm-up)", "rates", "dropouts", "train, validate, test, %", "seeds")
    )
    entries = tuple(
        one_row(name, map(Cell, rest)) for name, *rest in sorted(seen, key=lambda row: (order.index(row[0]), row[1:]))
    )
    return Table("protocol", "How heads were trained", "probe", heads, entries)


def _parameters(encoders: Sequence[ProbedEncoder]) -> Table:
    heads = heads_of(encoders)
    counts = {
        (one.name, cell.key.head): cell.parameters for one in encoders for cell in one.table_cells if cell.parameters
    }
    entries = tuple(
        one_row(
            one.name,
            (Cell(f"{counts[one.name, h]:,}") if (one.name, h) in counts else Cell() for h in heads),
            f"{counted(one.layers, 'layer')} · weights {printable(one.cells[0].key.weights)[:12]}",
        )
        for one in encoders
    )
    titles = tuple(heading(head_title(head)) for head in heads)
    return Table("parameters", "Parameters of one head", "encoder", titles, entries)


def _pictures(encoders: Sequence[ProbedEncoder]) -> Table:
    """Numbers of pictures of each triple."""
    found: dict[tuple[str, str], ProbeCell] = {}
    for one in encoders:
        for cell in one.cells:
            found.setdefault((cell.key.triple, cell.key.viewpoint), cell)
    entries = tuple(one_row(triple, _counts(found[triple, view])) for triple, view in sorted(found, key=_order))
    heads = (
        heading("viewpoint", words=True),
        heading("to train"),
        heading("to test"),
        heading("majority in the test, %"),
        heading("digest", words=True),
    )
    note = "Pictures with a label, for each seed. The digest is of all pictures of the triple, in order."
    return Table("pictures", "Pictures", "triple", heads, entries, (note,))


def _order(unit: tuple[str, str]) -> tuple[str, bool]:
    return unit[0], unit[1] != "ego"


def _counts(cell: ProbeCell) -> tuple[Cell, ...]:
    shares = [f"{100 * result.majority:.1f}" for result in cell.results if result.majority is not None]
    return (
        Cell(VIEW_SHORT[cell.key.viewpoint]),
        Cell(f"{cell.results[0].training_pictures:,}"),
        Cell(f"{cell.results[0].test_pictures:,}"),
        Cell(", ".join(shares)) if shares else Cell(),
        Cell(cell.key.pictures[:12]),
    )


def _times(times: Sequence[tuple[ProbeCell, CellTime]]) -> Table:
    found: dict[tuple[str, str], list[float]] = {}
    for cell, time in times:
        found.setdefault((cell.key.encoder, printable(time.device)), []).append(time.seconds)
    entries = tuple(
        one_row(
            printable(encoder),
            (
                Cell(device),
                Cell(f"{len(seconds):,}"),
                Cell(f"{sum(seconds) / 60:,.1f}"),
                Cell(f"{sum(seconds) / len(seconds):,.1f}"),
            ),
        )
        for (encoder, device), seconds in found.items()
    )
    heads = (heading("device", words=True), heading("cells"), heading("minutes"), heading("seconds per cell"))
    note = "Training of all grid points and seeds of a head, without extracting tokens."
    return Table("times", "Device and time", "encoder", heads, entries, (note,))
