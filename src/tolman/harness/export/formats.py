"""Formats of other harnesses: each writes a set, and most read the results that the harness writes for it."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import ClassVar, Literal, cast

from tolman.core.errors import SettingsError
from tolman.harness.export.exported_set import ExportedSet, Manifest, Show

FormatName = Literal["vlmevalkit", "lmms-eval", "hf"]
ResultFormat = Literal["vlmevalkit", "lmms-eval"]
_PLACES: dict[FormatName, str] = {
    "vlmevalkit": "vlmevalkit:VLMEVALKIT",
    "lmms-eval": "lmms_eval:LMMS_EVAL",
    "hf": "huggingface:HUGGING_FACE",
}


@dataclass(frozen=True)
class ImportedReply:
    """A model's reply to one question, and the score that the harness gave it, where it tells one."""

    index: int
    reply: str
    score: float | None = None


@dataclass(frozen=True)
class ImportedRun:
    """All replies of one model in a file of results."""

    model: str
    replies: list[ImportedReply]
    file: Path


class ExportFormat(ABC):
    """One format."""

    name: ClassVar[str]
    title: ClassVar[str]

    @abstractmethod
    def write(self, made: ExportedSet, folder: Path, show: Show) -> list[str]:
        """Write all files but the manifest; returns the commands that run the set."""

    def read(self, path: Path, manifest: Manifest) -> list[ImportedRun]:
        """The runs in a file or folder of results."""
        del path, manifest
        raise SettingsError(f"results of {self.title} are Inspect logs, which need no import")


def find_format(name: FormatName) -> ExportFormat:
    """The format of a name."""
    module, _, attribute = _PLACES[name].partition(":")
    return cast("ExportFormat", getattr(import_module(f"{__package__}.{module}"), attribute))


def found_files(path: Path, fits: Callable[[Path], bool]) -> list[Path]:
    """The file that is given, or the fitting ones in a folder, the newest of each name."""
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise SettingsError(f"there is no {path}; name a file or folder of results")
    newest: dict[str, Path] = {}
    for file in sorted((file for file in path.rglob("*") if file.is_file() and fits(file)), key=_written):
        newest[file.name] = file
    if not newest:
        raise SettingsError(f"{path} holds no results of this export; name the file of predictions itself")
    return list(newest.values())


def _written(file: Path) -> tuple[float, str]:
    return file.stat().st_mtime, str(file)
