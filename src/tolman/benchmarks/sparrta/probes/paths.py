"""Which folders `tolman probe` made. Fast to import."""

from collections.abc import Sequence
from pathlib import Path


def is_probe_folder(path: Path) -> bool:
    """Whether `tolman probe` made a folder; an interrupted run has finished cells, but no results.json."""
    return (path / "cells").is_dir() and (
        (path / "results.json").is_file() or any((path / "cells").glob("*/*/*/*.json"))
    )


def split_paths(paths: Sequence[Path]) -> tuple[list[Path], list[Path]]:
    """Folders of probes, and everything else."""
    probes = [path for path in paths if is_probe_folder(path)]
    return probes, [path for path in paths if path not in probes]
