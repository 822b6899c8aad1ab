"""Results of another harness as logs of Inspect, which every command of Tolman reads."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalPlan, EvalSample, EvalSpec, EvalStats, write_eval_log
from inspect_ai.model import ChatMessageAssistant, ChatMessageUser, ModelOutput
from inspect_ai.scorer import Score

from tolman import __version__
from tolman.core.errors import SettingsError
from tolman.core.reading import ParseFailure
from tolman.core.seeds import canonical_json, digest
from tolman.harness.benchmark import AnyBenchmark
from tolman.harness.export.exported_set import ImportedRun, Manifest, ManifestItem, cases_of, find_source
from tolman.harness.export.items import AnySource, find_choice
from tolman.harness.names import folder_name
from tolman.harness.options import recorded
from tolman.harness.origins import own_commit
from tolman.harness.records import COMMIT_KEY, IMPORTED_KEY, STORE_KEY, VERSION_KEY, Call
from tolman.harness.wordings import checked_wordings


@dataclass(frozen=True)
class ImportSummary:
    """What became of one model's results."""

    model: str
    """As tables show it: the harness and the model."""
    log: Path
    replies: int
    asked: int
    """Questions of the export."""
    unread: int
    """Replies that name no choice, or several."""
    disagreements: int
    """Replies that the harness scored otherwise; questions without its score do not count."""
    accuracy: float
    """Share of right choices."""


def import_run(run: ImportedRun, manifest: Manifest, harness: str, log_dir: Path) -> ImportSummary:
    """Write the log of one model's results."""
    benchmark, options, cases = cases_of(manifest)
    source = find_source(manifest.benchmark)
    items = {item.index: item for item in manifest.items}
    strange = [one.index for one in run.replies if one.index not in items]
    if strange:
        raise SettingsError(f"{run.file} has a question {strange[0]}, which is not in this export of {len(items)}")
    replies: dict[str, dict[str, Call]] = {}
    right: dict[int, float] = {}
    unread = 0
    with checked_wordings(benchmark, manifest.wordings).used(benchmark):
        scorers = _scorers(source, cases, options)
    for one in run.replies:
        item = items[one.index]
        found = find_choice(one.reply, item.choices)
        unread += isinstance(found, ParseFailure)
        text = one.reply if isinstance(found, ParseFailure) else item.choices[found]
        right[one.index] = 0.0 if isinstance(found, ParseFailure) else float(scorers[item.case][item.call](text) == 1)
        replies.setdefault(item.case, {})[item.call] = _call(item, one.reply, found)
    model = f"{harness}/{run.model}"
    choices = max(len(item.choices) for item in manifest.items)
    samples = [_sample(benchmark, source, cases[case], options, calls, choices) for case, calls in replies.items()]
    path = _write(benchmark, manifest, model, samples, log_dir)
    scored = [(one.score, right[one.index]) for one in run.replies if one.score is not None]
    return ImportSummary(
        model,
        path,
        len(right),
        len(items),
        unread,
        sum(not math.isclose(theirs, ours) for theirs, ours in scored),
        sum(right.values()) / len(right) if right else math.nan,
    )


def _scorers(source: AnySource, cases: Mapping[str, object], options: object) -> dict[str, dict[str, Any]]:
    return {name: {item.call: item.score for item in source.items(case, options)} for name, case in cases.items()}


def _call(item: ManifestItem, reply: str, found: int | ParseFailure) -> Call:
    """The reply as a record has it: the chosen text as the answer, with the whole reply as what came before."""
    if isinstance(found, ParseFailure):
        return Call(name=item.call, reply=reply)
    return Call(name=item.call, reply=item.choices[found], reasoning=reply)


def _sample(
    benchmark: AnyBenchmark, source: AnySource, case: object, options: object, calls: Mapping[str, Call], choices: int
) -> EvalSample:
    answered = source.answered(case, options, calls, choices)
    metadata = {
        "case": canonical_json(benchmark.case_to_dict(answered.case)),
        "options": recorded(answered.options),
    }
    stored = answered.record.model_dump_json()
    scores = benchmark.headline_scores(benchmark.read(metadata, stored))
    label, said = benchmark.label(answered.case), f"{len(calls)} imported replies"
    return EvalSample(
        id=benchmark.case_id(answered.case),
        epoch=1,
        input=label,
        target=benchmark.target(answered.case),
        metadata=metadata,
        store={STORE_KEY: stored},
        messages=[ChatMessageUser(content=label), ChatMessageAssistant(content=said)],
        output=ModelOutput.from_content("imported", said),
        scores={"headline_scores": Score(value=cast("Any", scores))},
    )


def _write(
    benchmark: AnyBenchmark, manifest: Manifest, model: str, samples: Sequence[EvalSample], log_dir: Path
) -> Path:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    options = cast("Mapping[str, Any]", samples[0].metadata["options"])
    name = f"{benchmark.task}_import"
    spec = EvalSpec(
        created=now,
        task=name,
        task_registry_name=f"tolman/{benchmark.task}",
        task_args=dict(manifest.selection),
        dataset=EvalDataset(
            name=manifest.name, samples=len(manifest.cases), sample_ids=list(manifest.cases), shuffled=False
        ),
        model=model,
        config=EvalConfig(),
        metadata={
            "options": dict(options),
            VERSION_KEY: __version__,
            COMMIT_KEY: own_commit(),
            IMPORTED_KEY: {"export": manifest.name, "version": manifest.version, "command": manifest.command},
        },
    )
    log = EvalLog(
        status="success",
        eval=spec,
        plan=EvalPlan(),
        stats=EvalStats(started_at=now, completed_at=now),
        samples=list(samples),
    )
    short = folder_name(model)
    key = digest([model, manifest.name, [sample.store for sample in samples]])[:12]
    path = log_dir / f"{short}_{name}_{key}.eval"
    log_dir.mkdir(parents=True, exist_ok=True)
    write_eval_log(log, str(path))
    return path
