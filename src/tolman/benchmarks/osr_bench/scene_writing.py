"""A room of our own as a folder in the authors' layout: its map and four files of questions."""

import json
from collections.abc import Sequence
from pathlib import Path

from tolman import __version__
from tolman.benchmarks.osr_bench.osr_case import OsrCase
from tolman.benchmarks.osr_bench.osr_options import OsrOptions
from tolman.benchmarks.osr_bench.osr_prompts import map_prompt
from tolman.benchmarks.osr_bench.own_set import OwnRoom, scene_name
from tolman.benchmarks.osr_bench.question import MAP_SKILL, SKILLS
from tolman.benchmarks.osr_bench.released_files import DATA, FILES, MAP_FILE, PANORAMA_FILE, WITHOUT_MAP
from tolman.errors import SettingsError
from tolman.whole_file import write_whole

VERSION = "1.0"
"""Of the authors' files."""


def write_room(room: OwnRoom, folder: Path, options: OsrOptions) -> None:
    """Write all of a room but its pictures. What is there already and the same is left alone."""
    truth = room.truth
    stored = {
        "cognitive_map": truth.as_lists,
        "class_count": truth.counts,
        "handedness": options.hand,
        "seed": room.seed,
    }
    write_new(folder / MAP_FILE, json.dumps(stored).encode())
    for asked, case in room.cases.items():
        turns = conversation(case, options)
        write_new(folder / f"{folder.name}{FILES[asked]}", _file(room, turns))
        write_new(folder / f"{folder.name}{WITHOUT_MAP[asked]}", _file(room, turns[1:]))


def conversation(case: OsrCase, options: OsrOptions) -> list[dict[str, object]]:
    """The turns of a case: the map, then its questions."""
    asked: list[dict[str, object]] = [
        {"turn_id": q.turn, "question": q.text, "answer": q.answer, "skills_tested": SKILLS[q.kind]}
        for q in case.questions
    ]
    first = {"question": map_prompt(case, options), "answer": case.truth.as_lists, "skills_tested": MAP_SKILL}
    return [{"turn_id": 0, **first}, *asked]


def image_id(seed: int) -> str:
    """How a set names the panorama of a room."""
    return f"{DATA}/{scene_name(seed)}/{PANORAMA_FILE}"


def write_new(path: Path, data: bytes) -> None:
    """Write a file whole unless it is there with the same content; SettingsError where that can't be done.

    One that a power failure damages is written again by the next call.
    """
    try:
        if not path.is_file() or path.read_bytes() != data:
            write_whole(path, data, lasting=False)
    except OSError as error:
        raise SettingsError(f"{path} can't be written: {error.strerror}") from None


def _file(room: OwnRoom, turns: Sequence[dict[str, object]]) -> bytes:
    """No date: the same room gives the same bytes on any day."""
    stored = {
        "image_id": image_id(room.seed),
        "pre_prompt": "",
        "conversation": list(turns),
        "metadata": {"version": VERSION, "seed": room.seed, "made_by": f"tolman {__version__}"},
    }
    return json.dumps(stored, indent=1).encode()
