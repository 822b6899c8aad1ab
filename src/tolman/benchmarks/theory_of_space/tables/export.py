"""All numbers of runs as JSON-compatible values; unknown ones are None."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from tolman.benchmarks.theory_of_space.tables.comparison_tables import (
    PLANNED_DIFFERENCE,
    RunPair,
    TestedColumn,
    compared_pairs,
)
from tolman.benchmarks.theory_of_space.tables.layout import ReferenceRow, name_runs
from tolman.benchmarks.theory_of_space.tables.run_summary import (
    MeasuredColumns,
    PearsonCorrelation,
    Reliability,
    RunSummary,
    Share,
)
from tolman.benchmarks.theory_of_space.uncertainty.measured import ConditionRun
from tolman.benchmarks.theory_of_space.uncertainty.tables import conditions_as_dict
from tolman.report.table import interval_as_dict, known_or_none

FORMAT = "tolman.theory_of_space.tables/1"
JsonObject = dict[str, object]


def as_dict(
    runs: Sequence[RunSummary], references: Sequence[ReferenceRow] = (), conditions: Sequence[ConditionRun] = ()
) -> JsonObject:
    """All runs with all columns under both rule sets. Scores are shares from 0 to 1, costs are not scaled.

    Runs in task conditions are listed apart, under `conditions`, where there are any.
    """
    apart: JsonObject = {"conditions": conditions_as_dict(conditions)} if conditions else {}
    return {
        "format": FORMAT,
        "confidence": 0.95,
        "runs": [_run(summary) for summary in runs],
        "comparisons": [_pair(pair, runs) for pair in compared_pairs(name_runs(runs), "strict")],
        "references": [row.as_dict(setting=asdict(row.setting)) for row in references],
        **apart,
    }


def _run(summary: RunSummary) -> JsonObject:
    run = summary.run
    return {
        "model": run.model,
        "name": run.name,
        "mode": run.mode,
        "world": run.world,
        "settings": dict(run.settings) or run.options.as_dict(),
        "scenes": run.case_counts(),
        "scores": {rules: _measured(measured) for rules, measured in summary.measured.items()},
        "gain_curve": [interval_as_dict(point) for point in summary.curve],
        "node_coverage_curve": [interval_as_dict(point) for point in summary.coverage_curve],
        "reliability": _reliability(summary.reliability),
        "price": summary.price.as_dict(),
    }


def _measured(measured: MeasuredColumns) -> JsonObject:
    return {
        "columns": measured.as_dict(),
        "correlations": {
            "map_and_answers": _correlation(measured.map_and_answers),
            "gain_and_answers": _correlation(measured.gain_and_answers),
        },
    }


def _correlation(found: PearsonCorrelation) -> JsonObject:
    r = interval_as_dict(found.r)
    return {"r": r["mean"], "low": r["low"], "high": r["high"], "p": known_or_none(found.p), "scenes": found.scenes}


def _pair(pair: RunPair, runs: Sequence[RunSummary]) -> JsonObject:
    """Two runs by their indices in `runs`, the better one first; under the strict rules."""
    places = [
        next(i for i, summary in enumerate(runs) if summary is named.summary) for named in (pair.first, pair.second)
    ]
    return {
        "runs": places,
        "names": [pair.first.name, pair.second.name],
        "world": pair.first.summary.run.world,
        "mode": pair.first.summary.run.mode,
        "rules": "strict",
        "columns": {column: _tested(tested) for column, tested in pair.tested.items()},
    }


def _tested(tested: TestedColumn) -> JsonObject:
    found = tested.comparison
    return {
        "difference": interval_as_dict(found.difference),
        "p": known_or_none(found.p),
        "p_holm": known_or_none(tested.p),
        "verdict": tested.verdict,
        "scenes": found.scenes,
        "by_scene": dict(found.by_scene),
        "least_detectable": known_or_none(found.least_detectable),
        "scenes_needed_for_5_points": found.scenes_needed(PLANNED_DIFFERENCE),
    }


def _reliability(counted: Reliability) -> JsonObject:
    unparseable: Mapping[str, JsonObject] = {
        rules: {kind: _share(share) for kind, share in kinds.items()} for rules, kinds in counted.unparseable.items()
    }
    return {
        "replies": counted.replies,
        "unread": unparseable,
        "forced_ends": _share(counted.budget_exhausted),
        "failed_turns": _share(counted.failed_turns),
        "cut_replies": _share(counted.truncated),
    }


def _share(share: Share) -> JsonObject:
    return {"count": share.part, "of": share.whole}
