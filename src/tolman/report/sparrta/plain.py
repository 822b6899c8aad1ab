"""All numbers of a report on probes as plain values, for other programs. What is not known is None."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict

from tolman.benchmarks.sparrta.probe_tables import result_rows
from tolman.report.intervals import Interval
from tolman.report.sparrta.accuracy_tables import majority
from tolman.report.sparrta.beyond_random import Beyond, beyond_random
from tolman.report.sparrta.columns import columns
from tolman.report.sparrta.curves import curve
from tolman.report.sparrta.elsewhere import compared
from tolman.report.sparrta.probe_folders import Probes
from tolman.report.sparrta.published_rows import published
from tolman.report.sparrta.subjects import Subject, environments_of, heads_of, share, views_of
from tolman.report.sparrta.verdicts import Verdict, verdicts

FORMAT = "tolman.sparrta_probes.tables/1"
Plain = dict[str, object]


def as_dict(probes: Probes) -> Plain:
    """Shares from 0 to 1 with 95 % intervals over triples, or over test pictures where there are fewer than three;
    published numbers are in percent, as printed."""
    return {
        "format": FORMAT,
        "confidence": 0.95,
        "chance": 0.25,
        "accuracy": list(_means(probes.subjects)),
        "majority": {view: majority(probes.subjects, [view]) for view in views_of(probes.subjects)},
        "verdicts": [_verdict(one) for one in verdicts(probes.subjects)],
        "beyond_random": [_beyond(one) for one in beyond_random(probes.subjects)],
        "layers": list(_layers(probes.subjects)),
        "control": list(_means(probes.controls)),
        "correlation": _correlation(probes),
        "attention": [_row(asdict(row)) for row in probes.flows],
        "things": [_row(asdict(row)) for row in probes.things],
        "results": result_rows([cell for one in (*probes.subjects, *probes.controls) for cell in one.cells]),
        "published": published().model_dump(mode="json"),
    }


def _means(subjects: Sequence[Subject]) -> Iterator[Plain]:
    for one in subjects:
        for column in columns(subjects):
            for environment in ("", *environments_of(subjects)):
                if cells := column.cells(one, environment):
                    yield {
                        "encoder": one.name,
                        "layer": one.layer,
                        "environment": environment or "all",
                        "viewpoint": "+".join(column.views),
                        "head": column.head,
                        "triples": len({cell.key.triple for cell in cells}),
                        **_interval(share(cells)),
                    }


def _verdict(one: Verdict) -> Plain:
    return {
        "claim": one.claim,
        "encoder": one.subject,
        "environment": one.environment or "all",
        "within": one.within,
        "state": one.state,
        "triples": one.triples,
        **_interval(one.difference),
    }


def _beyond(one: Beyond) -> Plain:
    return {
        "encoder": one.subject,
        "viewpoint": one.column.views[0],
        "head": one.column.head,
        "state": one.state,
        "triples": one.triples,
        **_interval(one.difference),
    }


def _layers(subjects: Sequence[Subject]) -> Iterator[Plain]:
    for one in subjects:
        for head in heads_of([one]):
            for view in views_of([one]):
                for layer, found in curve(one, view, head):
                    yield {"encoder": one.name, "head": head, "viewpoint": view, "layer": layer, **_interval(found)}


def _correlation(probes: Probes) -> list[Plain]:
    if not probes.scores or not probes.subjects:
        return []
    return [
        {
            "benchmark": one.benchmark,
            "viewpoint": one.view,
            "encoders": {subject.name: [there, here / 100] for subject, there, here in one.points},
            "pearson": _known(one.found.pearson) if one.found else None,
            "r_squared": _known(one.found.r_squared) if one.found else None,
            "low": _known(one.found.low) if one.found else None,
            "high": _known(one.found.high) if one.found else None,
        }
        for one in compared(probes.subjects, probes.scores)
    ]


def _row(row: dict[str, object]) -> Plain:
    return {name: _known(value) if isinstance(value, float) else value for name, value in row.items()}


def _interval(interval: Interval) -> Plain:
    return {"mean": _known(interval.mean), "low": _known(interval.low), "high": _known(interval.high)}


def _known(value: float) -> float | None:
    return None if math.isnan(value) else value
