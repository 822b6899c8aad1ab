"""Everything that reports need from folders made by `tolman probe`, as tables that the terminal prints, and as plain
values for JSON; what is not known is None. Needs no torch.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.text import Text

from tolman.benchmarks.sparrta.probes.accuracy import (
    BOLD,
    accuracy_table,
    control_sentence,
    environment_table,
    majority_share,
)
from tolman.benchmarks.sparrta.probes.benchmark_correlation import (
    benchmark_correlations,
    correlation_table,
    read_scores,
)
from tolman.benchmarks.sparrta.probes.cells import (
    MAPS_FOLDER,
    CellTime,
    FlowRow,
    MappedPicture,
    ProbeCell,
    ThingRow,
    read_cells,
    read_flow_rows,
    read_maps,
    read_thing_rows,
    read_times,
)
from tolman.benchmarks.sparrta.probes.encoders import (
    BOTH,
    ProbedEncoder,
    environments_of,
    heads_of,
    layer_curve,
    probe_columns,
    probed_encoders,
    published_results,
    share,
    views_of,
)
from tolman.benchmarks.sparrta.probes.findings import (
    Finding,
    GainOverRandom,
    finding_sentences,
    finding_tables,
    findings_of,
    gain_sentence,
    gain_table,
    gains_over_random,
)
from tolman.benchmarks.sparrta.probes.means import result_rows
from tolman.benchmarks.sparrta.probes.other_findings import (
    OtherFinding,
    other_findings,
    other_findings_tables,
    other_sentences,
)
from tolman.benchmarks.sparrta.probes.training import thing_detections, thing_table
from tolman.core.errors import SettingsError
from tolman.harness.names import counted
from tolman.report.table import Table, interval_as_dict, known_or_none

Tell = Callable[[str], None]
SCORES = "scores.csv"
"""File in a folder of results with the encoders' scores on other benchmarks."""


@dataclass(frozen=True)
class StoredMaps:
    """A picture with maps, and the folder where its files are."""

    folder: Path
    picture: MappedPicture


@dataclass(frozen=True)
class ProbeResults:
    """Everything in some folders of results."""

    encoders: tuple[ProbedEncoder, ...]
    controls: tuple[ProbedEncoder, ...]
    """The shuffled-label control."""
    flows: tuple[FlowRow, ...]
    things: tuple[ThingRow, ...]
    """Detection of objects in single tokens."""
    attention_maps: tuple[StoredMaps, ...]
    times: tuple[tuple[ProbeCell, CellTime], ...]
    scores: Mapping[str, Mapping[str, float]]
    """Scores on other benchmarks, by benchmark and encoder."""


def read_probes(folders: Sequence[Path], tell: Tell, scores: Path | None = None) -> ProbeResults:
    """Everything in some folders, each cell once; `scores` is a file in addition to those in the folders."""
    cells = {cell.key.path: cell for folder in folders for cell in read_cells(folder)}
    if not cells:
        raise SettingsError(f"{', '.join(map(str, folders))}: no finished probes; run tolman probe again")
    kept = _newest(list(cells.values()), tell)
    times = [(cell, time) for folder in folders for cell in kept for time in read_times(folder, [cell])]
    if scores is not None and not scores.is_file():
        raise SettingsError(f"there is no {scores}; --scores takes a CSV file: encoder,benchmark,score")
    given = [file for folder in folders if (file := folder / SCORES).is_file()] + ([scores] if scores else [])
    return ProbeResults(
        tuple(probed_encoders([cell for cell in kept if not cell.key.shuffled])),
        tuple(probed_encoders([cell for cell in kept if cell.key.shuffled])),
        tuple(row for folder in folders for row in read_flow_rows(folder)),
        tuple(row for folder in folders for row in read_thing_rows(folder)),
        tuple(StoredMaps(folder / MAPS_FOLDER, picture) for folder in folders for picture in read_maps(folder)),
        tuple(times),
        _merged([read_scores(file) for file in given]),
    )


def _newest(cells: Sequence[ProbeCell], tell: Tell) -> list[ProbeCell]:
    """Of cells that differ in pictures, labels or version only, the one of the newest version and with most pictures;
    reports how many are left out."""
    kept: dict[tuple[object, ...], ProbeCell] = {}
    left_out: Counter[tuple[str, str]] = Counter()
    for cell in sorted(cells, key=lambda cell: (cell.key.version, _pictures(cell), str(cell.key.path))):
        key = cell.key
        protocol = tuple(sorted((name, str(value)) for name, value in key.protocol.items()))
        what = (key.encoder, key.weights, key.layer, key.triple, key.viewpoint, key.head, key.shuffled, key.ambiguity)
        if (older := kept.get((*what, protocol))) is not None:
            left_out[key.encoder, _why(older, cell)] += 1
        kept[*what, protocol] = cell
    for (encoder, why), count in left_out.items():
        tell(f"{encoder}: {counted(count, 'cell is', 'cells are')} {why}, and left out")
    return sorted(kept.values(), key=lambda cell: str(cell.key.path))


def _why(older: ProbeCell, newer: ProbeCell) -> str:
    if older.key.version != newer.key.version:
        return "of an earlier version of Tolman and superseded"
    if _pictures(older) != _pictures(newer):
        return "of fewer pictures than others of the same triple"
    return "of other pictures than others of the same triple"


def _pictures(cell: ProbeCell) -> int:
    return max(result.training_pictures for result in cell.results)


def _merged(tables: Sequence[Mapping[str, Mapping[str, float]]]) -> dict[str, dict[str, float]]:
    merged: dict[str, dict[str, float]] = {}
    for table in tables:
        for benchmark, row in table.items():
            merged.setdefault(benchmark, {}).update(row)
    return merged


def probe_tables(probes: ProbeResults, *, references: bool = True, paper: bool = False) -> Iterator[Text | Table]:
    """The tables to print: accuracy, accuracy by environment, findings, detection, and the control."""
    yield Text("SpaRRTa: probes", "bold")
    encoders = probes.encoders
    if encoders:
        tables = [accuracy_table(encoders, references=references, paper=paper)]
        if len(environments_of(encoders)) > 1:
            tables.append(environment_table(encoders, references=references))
        found, beyond, others = findings_of(encoders), gains_over_random(encoders), other_findings(encoders)
        gains = [gain_table(beyond)] if beyond else []
        for table in (*tables, *finding_tables(found), *gains, *other_findings_tables(others)):
            yield without_mean_columns(table)
        yield Text()
        said = (*finding_sentences(found), *([gain_sentence(beyond)] if beyond else []), *other_sentences(others))
        for sentence in said:
            yield Text(sentence)
    if probes.things:
        yield without_mean_columns(thing_table(thing_detections(probes.things, probes.encoders)))
    if probes.scores and encoders:
        yield correlation_table(encoders, benchmark_correlations(encoders, probes.scores))
    if probes.controls:
        yield Text()
        yield Text(control_sentence(probes.controls))


def without_mean_columns(table: Table) -> Table:
    """A table as the terminal prints it: without the mean of both viewpoints."""
    kept = [i for i, column in enumerate(table.columns) if column.group != BOTH]
    entries = tuple(
        replace(entry, rows=tuple(replace(row, cells=tuple(row.cells[i] for i in kept)) for row in entry.rows))
        for entry in sorted(table.entries, key=lambda entry: entry.reference)
    )
    notes = tuple(note.removesuffix(BOLD) for note in table.notes)
    return replace(table, columns=tuple(table.columns[i] for i in kept), entries=entries, notes=notes)


FORMAT = "tolman.sparrta_probes.tables/1"
Plain = dict[str, object]


def as_dict(probes: ProbeResults) -> Plain:
    """Shares from 0 to 1 with 95 % intervals over triples, or over test pictures where there are fewer than three;
    published numbers are in percent, as printed."""
    return {
        "format": FORMAT,
        "confidence": 0.95,
        "chance": 0.25,
        "accuracy": list(_means(probes.encoders)),
        "majority": {view: majority_share(probes.encoders, [view]) for view in views_of(probes.encoders)},
        "verdicts": [_verdict(one) for one in findings_of(probes.encoders)],
        "other_verdicts": [_other(one) for one in other_findings(probes.encoders)] if probes.encoders else [],
        "beyond_random": [_beyond(one) for one in gains_over_random(probes.encoders)],
        "layers": list(_layers(probes.encoders)),
        "control": list(_means(probes.controls)),
        "correlation": _correlation(probes),
        "attention": [_row(asdict(row)) for row in probes.flows],
        "things": [_row(asdict(row)) for row in probes.things],
        "results": result_rows([cell for one in (*probes.encoders, *probes.controls) for cell in one.cells]),
        "published": published_results().model_dump(mode="json"),
    }


def _means(encoders: Sequence[ProbedEncoder]) -> Iterator[Plain]:
    for one in encoders:
        for column in probe_columns(encoders):
            for environment in ("", *environments_of(encoders)):
                if cells := column.cells(one, environment):
                    yield {
                        "encoder": one.name,
                        "layer": one.layer,
                        "environment": environment or "all",
                        "viewpoint": "+".join(column.views),
                        "head": column.head,
                        "triples": len({cell.key.triple for cell in cells}),
                        **interval_as_dict(share(cells)),
                    }


def _verdict(one: Finding) -> Plain:
    place = {"environment": one.environment or "all", "within": one.within}
    return {"claim": one.claim, "encoder": one.encoder, **place, **_compared(one)}


def _other(one: OtherFinding) -> Plain:
    return {"claim": one.claim, "compared": one.compared, **_compared(one)}


def _beyond(one: GainOverRandom) -> Plain:
    return {"encoder": one.encoder, "viewpoint": one.column.views[0], "head": one.column.head, **_compared(one)}


def _compared(one: Finding | OtherFinding | GainOverRandom) -> Plain:
    return {"state": one.state or "not measured", "triples": one.triples, **interval_as_dict(one.difference)}


def _layers(encoders: Sequence[ProbedEncoder]) -> Iterator[Plain]:
    for one in encoders:
        for head in heads_of([one]):
            for view in views_of([one]):
                for layer, found in layer_curve(one, view, head):
                    about: Plain = {"encoder": one.name, "head": head, "viewpoint": view, "layer": layer}
                    yield {**about, **interval_as_dict(found)}


def _correlation(probes: ProbeResults) -> list[Plain]:
    if not probes.scores or not probes.encoders:
        return []
    return [
        {
            "benchmark": one.benchmark,
            "viewpoint": one.view,
            "encoders": {encoder.name: [there, here / 100] for encoder, there, here in one.points},
            **{
                name: known_or_none(getattr(one.found, name)) if one.found else None
                for name in ("pearson", "r_squared", "low", "high")
            },
        }
        for one in benchmark_correlations(probes.encoders, probes.scores)
    ]


def _row(row: dict[str, object]) -> Plain:
    return {name: known_or_none(value) if isinstance(value, float) else value for name, value in row.items()}
