"""The command that makes a report again."""

import shlex
from collections.abc import Sequence
from pathlib import Path


def report_command(paths: Sequence[Path], *, scripted: bool, scores: Path | None = None) -> str:
    """What to type, without the folders above, which are nobody's business."""
    names = (shlex.quote(path.resolve().name) for path in paths)
    given = [f"--scores {shlex.quote(scores.name)}"] if scores else []
    return " ".join(("tolman report", *names, *["--scripted"] * scripted, *given))
