"""What is damaged and has been stood in for, told in one line as errors are."""

import sys
import warnings
from typing import TextIO

from tolman.render.assets.source import DamagedPart

_usual = warnings.showwarning


def tell_plainly() -> None:
    """From now on, warnings of damaged models are single lines without places in the code. For whole programs only."""
    warnings.showwarning = _show


def _show(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    if issubclass(category, DamagedPart):
        (file or sys.stderr).write(f"tolman: {message}\n")
    else:
        _usual(message, category, filename, lineno, file, line)
