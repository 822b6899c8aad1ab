"""All tables of probes as the terminal prints them, and all numbers as plain values for JSON; what is not known is
None.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from rich.text import Text

from tolman.benchmarks.sparrta.probes.accuracy import (
    BOLD,
    accuracy_table,
    control_sentence,
    environment_table,
    majority_share,
)
from tolman.benchmarks.sparrta.probes.benchmark_correlation import benchmark_correlations, correlation_table
from tolman.benchmarks.sparrta.probes.encoders import (
    BOTH,
    ProbedEncoder,
    environments_of,
    heads_of,
    layer_curve,
    probe_columns,
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
from tolman.benchmarks.sparrta.probes.folders import ProbeResults
from tolman.benchmarks.sparrta.probes.means import result_rows
from tolman.benchmarks.sparrta.probes.other_findings import (
    OtherFinding,
    other_findings,
    other_findings_tables,
    other_sentences,
)
from tolman.benchmarks.sparrta.probes.training import thing_detections, thing_table
from tolman.report.table import Table, interval_as_dict, known_or_none


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
