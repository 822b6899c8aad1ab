"""Run an export through lmms-eval with a scripted model, as its command line does.

`python run_lmms_eval.py FOLDER NAME` in the folder of the export, in lmms-eval's environment; prints one line of JSON.
"""

import json
import sys
from pathlib import Path

import lmms_eval.evaluator as evaluator_module
from lmms_eval.api.model import lmms
from lmms_eval.loggers import EvaluationTracker
from lmms_eval.tasks import TaskManager
from scripted import read_replies

folder, name = Path(sys.argv[1]), sys.argv[2]
replies = read_replies(folder)
pictures = 0


class Scripted(lmms):
    """Looks its reply up by the index of the question, after it has opened its pictures."""

    def generate_until(self, requests):
        global pictures
        said = []
        for request in requests:
            text, _, doc_to_visual, doc_id, task, split = request.args
            doc = self.task_dict[task][split][doc_id]
            pictures = max(pictures, len(doc_to_visual(doc) or []))
            assert doc["choices"][0] in text
            said.append(replies[doc["index"]])
        return said

    def loglikelihood(self, requests):
        raise NotImplementedError

    def generate_until_multi_round(self, requests):
        raise NotImplementedError


tracker = EvaluationTracker(output_path=str(folder / "results"))
tracker.general_config_tracker.log_experiment_args("scripted", "model=scripted", None, None, False)
found = evaluator_module.simple_evaluate(
    Scripted(), tasks=[name], task_manager=TaskManager(include_path=str(folder)), evaluation_tracker=tracker,
    log_samples=True, batch_size=1, cli_args=None,
)  # fmt: skip
samples = found.pop("samples")
tracker.save_results_aggregated(results=found, samples=samples, datetime_str="20260101_000000")
for task, of_task in samples.items():
    tracker.save_results_samples(task_name=task, samples=of_task)
of_set = found["results"][name]
metric = "accuracy" if "accuracy,none" in of_set else "answered"
print(
    json.dumps(
        {
            "questions": len(samples[name]),
            "pictures": pictures,
            "accuracy": of_set["accuracy,none"] if metric == "accuracy" else None,
            "clustered": of_set[f"{metric}_stderr_clustered,none"],
        }
    )
)
