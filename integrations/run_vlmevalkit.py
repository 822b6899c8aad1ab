"""Run an export through VLMEvalKit: its data set class, its inference with a scripted model, its own evaluation.

`python run_vlmevalkit.py FOLDER NAME` in VLMEvalKit's environment; prints one line of JSON.
"""

import json
import os
import sys
from pathlib import Path

import torch

folder, name = Path(sys.argv[1]), sys.argv[2]
os.environ["LMUData"] = str(folder)  # noqa: SIM112 so VLMEvalKit calls it
# Wheels of torchvision are built for CUDA, and fail to import with a CPU torch unless their operators are declared.
declared = torch.library.Library("torchvision", "DEF")
for operator in ("nms", "qnms"):
    declared.define(f"{operator}(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")

from scripted import read_replies
from vlmeval.dataset import build_dataset
from vlmeval.inference import infer_data_job
from vlmeval.vlm.base import BaseModel

data = build_dataset(name)
replies = read_replies(folder)
by_prompt, most = {}, 0
for place in range(len(data)):
    message = data.build_prompt(place)
    by_prompt[json.dumps(message)] = replies[int(data[place]["index"])]
    pictures = [part["value"] for part in message if part["type"] == "image"]
    most = max(most, len(pictures))
    assert all(Path(picture).stat().st_size > 0 for picture in pictures), "a picture was not stored"


class Scripted(BaseModel):
    """Looks its reply up by the whole prompt."""

    is_api = False

    def generate(self, message, dataset=None):
        return by_prompt[json.dumps(message)]

    def generate_inner(self, message, dataset=None):
        return self.generate(message, dataset)


work = folder / "results" / "scripted"
work.mkdir(parents=True, exist_ok=True)
infer_data_job(Scripted(), str(work), "scripted", data)
accuracy = None
if "answer" in data.data:
    found = data.evaluate(str(work / f"scripted_{name}.xlsx"), model="exact_matching", nproc=1)
    accuracy = float(found["Overall"][0])
print(json.dumps({"class": type(data).__name__, "questions": len(data), "pictures": most, "accuracy": accuracy}))
