"""The authors' released runs, unpacked in memory from the archives that lie beside the repository."""

import json
import re
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from tolman.benchmarks.theory_of_space.released import run_files

FOLDER = Path(__file__).resolve().parents[5] / "shared" / "published" / "theory-of-space"
SCENES = FOLDER / "scenes"
WANTED = {
    "history_state.json",
    "metrics.json",
    "messages.json",
    "exploration_turn_logs.json",
    "false_belief_turn_logs.json",
}


@dataclass(frozen=True, eq=False)
class ReleasedRun:
    """The log files of one model in one scene."""

    model: str
    medium: str
    """`text` or `vision`."""
    agent: str
    """`active` for a model that explores, else the scripted agent whose log the model was given."""
    files: dict[str, bytes]

    def load(self, name: str) -> Any:
        return json.loads(self.files[name])

    @property
    def seed(self) -> int:
        """Number of the scene."""
        return self.load("history_state.json")["seed"]

    @property
    def scene_folder(self) -> Path:
        return SCENES / f"run{self.seed:02d}"

    def __str__(self) -> str:
        return f"{self.model}-{self.scene_folder.name}-{self.medium}-{self.agent}"


@cache
def released_runs() -> tuple[ReleasedRun, ...]:
    """Every run in every archive, in the order of their names."""
    folders: dict[PurePosixPath, dict[str, bytes]] = {}
    for archive in sorted(FOLDER.glob("*.tar.xz")):
        for path, content in _log_files(archive):
            folders.setdefault(path.parent, {})[path.name] = content
    runs = [_run(path, files) for path, files in folders.items()]
    return tuple(sorted(runs, key=str))


@cache
def found_runs() -> tuple[run_files.ReleasedRun, ...]:
    """The same runs as Tolman finds them, archive by archive; to be read only."""
    return tuple(run for archive in sorted(FOLDER.glob("*.tar.xz")) for run in run_files.find_runs(archive))


def active_runs() -> list[ReleasedRun]:
    """Runs in which a model explored by itself."""
    return [run for run in released_runs() if run.agent == "active"]


def passive_runs() -> list[ReleasedRun]:
    """Runs in which a model was handed the log of a scripted agent."""
    return [run for run in released_runs() if run.agent != "active"]


def _log_files(archive: Path) -> Iterator[tuple[PurePosixPath, bytes]]:
    with tarfile.open(archive) as unpacked:
        for member in unpacked:
            path = PurePosixPath(member.name)
            stream = unpacked.extractfile(member) if path.name in WANTED else None
            if stream is not None:
                yield path, stream.read()


def _run(folder: PurePosixPath, files: dict[str, bytes]) -> ReleasedRun:
    """A run from its folder, such as `experiments/MODEL/HASH/text/passive/think/strategist`."""
    found = re.fullmatch(r".*?([^/]+)/[0-9a-f]+/(text|vision)/(active|passive)/[^/]+(?:/(\w+))?", str(folder))
    if found is None:
        raise ValueError(f"a run in an unexpected folder: {folder}")
    model, medium, kind, agent = found.groups()
    return ReleasedRun(model, medium, agent if kind == "passive" else kind, files)
