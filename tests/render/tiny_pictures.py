"""Scenes and settings that render in moments."""

import hashlib
from pathlib import Path

from tolman.render.prerender import prerender
from tolman.render.views import RenderJob, RenderSubject
from tolman.world import WorldSettings, generate

JOB = RenderJob(views=("ego",), size=16, preset="draft", assets="built-in")
SCENE = generate(0, WorldSettings(rooms=1, things_per_room=1))
SUBJECT = RenderSubject("00000", SCENE)
ARGUMENTS = (
    *("render", "--scenes", "0", "--rooms", "1", "--things", "1"),
    *("--views", "ego", "--size", "16", "--preset", "draft", "--assets", "built-in"),
)
"""The same, on the command line."""


def rendered(out: Path, job: RenderJob = JOB, **options: int | bool) -> list[int]:
    """Render in this process, and return what was told about the progress."""
    told: list[int] = []
    prerender([SUBJECT], out, job, told.append, **options)  # pyright: ignore[reportArgumentType]
    return told


def digests(folder: Path) -> dict[str, str]:
    """Every file below a folder, hidden ones too, with its SHA-256."""
    files = sorted(file for file in folder.rglob("*") if file.is_file())
    return {str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}
