"""SpaRRTa in reports: tables and figures of probes on frozen encoders, with the paper's rows beside them. Fast."""

from pathlib import Path


def is_probe_folder(path: Path) -> bool:
    """Whether `tolman probe` made a folder; an interrupted run has finished cells, but no results.json."""
    return (path / "cells").is_dir() and (
        (path / "results.json").is_file() or any((path / "cells").glob("*/*/*/*.json"))
    )
