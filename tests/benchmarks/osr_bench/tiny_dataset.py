"""Two small rooms in folders of the authors' layout, with panoramas of a few pixels: nothing needs to be rendered."""

import json
from pathlib import Path

import numpy as np
from PIL import Image

from tolman.benchmarks.osr_bench.maps.grid import GridMap, map_from_instances
from tolman.benchmarks.osr_bench.questions.generate import negative_questions, standard_questions
from tolman.benchmarks.osr_bench.questions.question import SKILLS, AskedSet, Question
from tolman.benchmarks.osr_bench.released.scenes import QUESTION_FILES

ABSENT = ("piano", "bicycle", "oven", "rug", "mirror", "vase", "radio", "crate", "stove", "pouf")
ROOMS: dict[str, GridMap] = {
    "kitchen": map_from_instances(
        {
            "table": [(4, 4)],
            "chair": [(3, 4), (5, 2), (5, 6)],
            "lamp": [(0, 9)],
            "sofa": [(8, 4)],
            "door": [(4, 0), (9, 9)],
            "window": [(0, 0)],
            "television": [(2, 7)],
        }
    ),
    "study": map_from_instances(
        {
            "desk": [(1, 1)],
            "bookcase": [(1, 6), (1, 8)],
            "chair": [(3, 1)],
            "plant": [(8, 8)],
            "door": [(5, 5)],
            "armchair": [(1, 4)],
            "clock": [(6, 1)],
        }
    ),
}


def write_set(folder: Path, each: int = 2) -> Path:
    """The folder of both rooms, with standard and negative questions."""
    for number, (name, room) in enumerate(ROOMS.items()):
        scene = folder / name
        scene.mkdir(parents=True)
        stored = {"cognitive_map": room.as_lists, "class_count": room.counts, "handedness": "true"}
        (scene / "cognitive_map.json").write_text(json.dumps(stored))
        write_questions(scene, "standard", room.classes, standard_questions(room, number, each))
        pool = (*room.classes, *ABSENT)
        write_questions(scene, "negative", pool, negative_questions(room, ABSENT, number, each))
        pixels = np.random.default_rng(number).integers(0, 255, (32, 64, 3), np.uint8)
        Image.fromarray(pixels).save(scene / "rgb.png")
    return folder


def write_questions(scene: Path, asked: AskedSet, pool: tuple[str, ...], questions: list[Question]) -> None:
    opening = {"turn_id": 0, "question": f"Map {{{', '.join(pool)}}}", "answer": "", "skills_tested": "cognitive_map"}
    turns = [
        {"turn_id": q.turn, "question": q.text, "answer": q.answer, "skills_tested": SKILLS[q.kind]} for q in questions
    ]
    (scene / f"{scene.name}{QUESTION_FILES[asked]}").write_text(json.dumps({"conversation": [opening, *turns]}))
