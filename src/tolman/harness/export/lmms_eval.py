"""lmms-eval: a task folder for `--include_path`, and the samples that it logs."""

import json
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from tolman.core.errors import SceneFileError
from tolman.core.files import atomic_write, read_json
from tolman.core.limits import JSON_FILE, check_json, read_file
from tolman.harness.export.exported_set import (
    CANARY_NOTE,
    ExportedSet,
    ExportFormat,
    ImportedReply,
    ImportedRun,
    Manifest,
    Show,
    found_files,
)
from tolman.harness.export.huggingface import PARQUET, write_parquet

_FUNCTIONS = "lmms_eval_task.py"
_TASK = """\
# {note}
task: {name}
dataset_path: parquet
dataset_kwargs:
  data_files:
    test: data/{parquet}
test_split: test
output_type: generate_until
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_messages: !function utils.doc_to_messages
doc_to_target: !function utils.doc_to_target
process_results: !function utils.process_results
generation_kwargs:
  max_new_tokens: 1024
  temperature: 0
  do_sample: false
metric_list:
  - metric: {metric}
    aggregation: !function utils.mean_score
    higher_is_better: true
cluster_key: scene
score_key: score
lmms_eval_specific_kwargs:
  default:
    pre_prompt: ""
    post_prompt: "\\n\\nAnswer with the letter of one choice."
metadata:
  version: {version}
  licence: {licence}
  source: {source}
"""


class LmmsEval(ExportFormat):
    """A YAML task, its functions and its data."""

    name = "lmms-eval"
    title = "lmms-eval"

    def write(self, made: ExportedSet, folder: Path, show: Show) -> list[str]:
        write_parquet(made, folder / "data" / PARQUET, show)
        task = _TASK.format(
            note=CANARY_NOTE,
            name=made.name,
            parquet=PARQUET,
            metric="accuracy" if made.has_answers else "answered",
            version=json.dumps(made.source.version),
            licence=made.provenance.licence,
            source=json.dumps(made.about()),
        )
        atomic_write(folder / f"{made.name}.yaml", task.encode())
        atomic_write(folder / "utils.py", files(__package__ or "").joinpath(_FUNCTIONS).read_bytes())
        run = f"lmms-eval --include_path . --tasks {made.name} --model MODEL --log_samples --output_path results"
        return [f"cd {folder}", run]

    def read(self, path: Path, manifest: Manifest) -> list[ImportedRun]:
        """The samples of each model in a folder of results, or those of one file."""
        ending = f"_samples_{manifest.name}.jsonl"
        found = found_files(path, lambda file: file.name.endswith(ending))
        latest = {_model(file, ending): file for file in found}
        return [ImportedRun(model, _replies(file), file) for model, file in latest.items()]


def _model(file: Path, ending: str) -> str:
    """The model as the results beside the samples name it, else the folder, which is named after it."""
    results = file.with_name(f"{file.name.removesuffix(ending)}_results.json")
    if results.is_file() and isinstance(about := read_json(results), dict):
        named = cast("dict[str, object]", about)
        return str(named.get("model_name") or named.get("model_source") or file.parent.name)
    return file.resolve().parent.name


def _replies(file: Path) -> list[ImportedReply]:
    found: list[ImportedReply] = []
    for line in read_file(file, JSON_FILE).splitlines():
        if line.strip():
            check_json(line, str(file))
            found.append(_reply(file, line))
    return found


def _reply(file: Path, line: bytes) -> ImportedReply:
    try:
        sample: dict[str, Any] = json.loads(line)
        scored: dict[str, Any] = sample.get("accuracy") or sample.get("answered") or {}
        replies: Any = sample.get("filtered_resps") or sample["resps"]
        while isinstance(replies, list):
            replies = cast("list[Any]", replies)[0]
        score = scored.get("score") if "accuracy" in sample else None
        return ImportedReply(int(scored.get("index", sample["doc_id"])), str(replies), score)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise SceneFileError(f"{file} holds a line that is no sample of this task: {error!r}") from None


LMMS_EVAL = LmmsEval()
