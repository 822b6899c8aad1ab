"""The command that makes a report again."""

import shlex
from collections.abc import Sequence
from pathlib import Path


def report_command(paths: Sequence[Path], *, scripted: bool) -> str:
    """What to type, without the folders above, which are nobody's business."""
    names = (shlex.quote(path.resolve().name) for path in paths)
    return " ".join(("tolman report", *names, *["--scripted"] * scripted))
