"""Where Tolman keeps what can be had again: fetched weights, replies of runs that are not complete."""

import os
from pathlib import Path


def cache_folder() -> Path:
    """The folder named by `TOLMAN_CACHE`, else `tolman` where the system keeps caches."""
    own = os.environ.get("TOLMAN_CACHE")
    if own:
        return Path(own).expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache").expanduser() / "tolman"
