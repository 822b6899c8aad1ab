"""Open an export with `datasets`, validate its Croissant metadata, and run it as `inspect eval hf/...` does.

`python run_huggingface.py FOLDER NAME`; the folder must be `ORG/NAME` below the working folder. The hub itself is not
reached: the one file that Inspect downloads from it, `eval.yaml`, is taken from the folder. Prints one line of JSON.
"""

import json
import sys
from pathlib import Path

import huggingface_hub
import mlcroissant
from datasets import load_dataset
from inspect_ai import eval as inspect_eval
from inspect_ai._eval.task.hf import task_create_from_hf
from inspect_ai.model import ModelAPI, ModelOutput, get_model, modelapi
from scripted import read_replies

folder, name = Path(sys.argv[1]), sys.argv[2]
replies = read_replies(folder)
rows = load_dataset(str(folder), split="test")
pictures = max((len(row["images"]) for row in rows), default=0) if "images" in rows.column_names else 0
assert all(picture.width > 1 for row in rows for picture in row.get("images") or ())
described = mlcroissant.Dataset(str(folder / "croissant.json"))
assert not described.metadata.ctx.issues.errors, described.metadata.ctx.issues.errors
assert not described.metadata.ctx.issues.warnings, described.metadata.ctx.issues.warnings
records = sum(1 for _ in described.records("questions")) if pictures == 0 else None

by_question = {}
for row in rows:
    by_question.setdefault(row.get("input_image") or "", []).append((row["question"], row["choices"], row["index"]))


@modelapi("scripted")
class Scripted(ModelAPI):
    """Looks its reply up by the picture, the question and the choices; Inspect wants `ANSWER: LETTER`."""

    async def generate(self, input, tools, tool_choice, config):
        content = input[-1].content
        parts = [] if isinstance(content, str) else content
        picture = next((part.image for part in parts if part.type == "image"), "")
        text = content if isinstance(content, str) else "\n".join(part.text for part in parts if part.type == "text")
        (index,) = [
            index
            for question, choices, index in by_question[picture]
            if question.strip() in text and all(choice in text for choice in choices)
        ]
        letter = next(sign for sign in replies[index].replace("The answer is", "") if sign.isupper())
        return ModelOutput.from_content("scripted", f"ANSWER: {letter}")


accuracy = None
if (folder / "eval.yaml").exists():
    huggingface_hub.hf_hub_download = lambda repo_id, filename, **_: str(Path(repo_id) / filename)
    (task,) = task_create_from_hf(f"hf/ORG/{name}")
    (log,) = inspect_eval(
        task, model=get_model("scripted/seven-of-ten"), log_dir=str(folder.parent / "inspect-logs"), display="none"
    )
    assert log.status == "success", log.error
    accuracy = log.results.scores[0].metrics["accuracy"].value
print(json.dumps({"questions": len(rows), "pictures": pictures, "records": records, "accuracy": accuracy}))
