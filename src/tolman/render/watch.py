"""How far work has come, told from the files that are there: so it holds for workers anywhere, on any cluster."""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

Told = Callable[[int], object]
"""Is told how many files are there by now."""
_EVERY = 0.5
"""Seconds between looks."""


@contextmanager
def watched(files: Sequence[Path], told: Told) -> Generator[None]:
    """Within this context, tell now and then how many of the files are there; once more at the end."""
    missing, over = list(files), Event()

    def look() -> None:
        missing[:] = [file for file in missing if not file.exists()]
        told(len(files) - len(missing))

    def watch() -> None:
        while not over.wait(_EVERY):
            look()

    look()
    thread = Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        look()
