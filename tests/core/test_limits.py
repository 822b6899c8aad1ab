"""Small files that ask for a lot: each is refused with a reason, quickly and in little memory.

All attacks run in one process of their own, whose peak of memory is measured. Times are those of the
refusal alone, in CPU seconds and without the start of the program; they are printed (`pytest -s`).
"""

import gzip
import io
import json
import lzma
import resource
import struct
import subprocess
import sys
import tarfile
import time
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.benchmarks.sparrta.painted_scenes import painted
from tests.benchmarks.theory_of_space.leaderboard.entries import entry_from_a_file, values
from tests.benchmarks.theory_of_space.logged_runs import lived, sample, write_log
from tolman.benchmarks.sparrta.sample import triple_of
from tolman.core import limits
from tolman.core.errors import TolmanError
from tolman.core.limits import MIB, TooLargeError, UnpackLimit, check_json_pieces, unpacking
from tolman.world import WorldSettings, generate

SECONDS, MEMORY = 2.0, 500 * MIB
EMPTY_LISTS = b"[],"


# ---- the attacks ----


def attacked(attacks: Path) -> dict[str, dict[str, str]]:
    """Why each file was refused, by command and name. Fails where one was not in time, or memory was not bounded."""
    run = [sys.executable, "-c", f"from tests.core.test_limits import main; main({str(attacks)!r})"]
    done = subprocess.run(run, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stderr[-3000:]
    told = json.loads(done.stdout.splitlines()[-1])
    sys.stdout.write(f"{told['peak'] / MIB:.0f} MiB at the most, {told['before'] / MIB:.0f} MiB before the first\n")
    found: dict[str, dict[str, str]] = {}
    for command, name, seconds, reason in told["refused"]:
        sys.stdout.write(f"{command} {name}: {seconds:.2f} s: {reason}\n")
        assert seconds < SECONDS, name
        found.setdefault(command, {})[name.partition("-")[0]] = reason
    assert told["peak"] < MEMORY
    return found


def main(attacks: str) -> None:
    """Run in a process of its own: try all attacks on all commands, and print what became of them."""
    attempts = _attempts()
    before = _peak()
    refused: list[tuple[str, str, float, str]] = []
    for path in sorted(Path(attacks).glob("*/*")):
        begin = time.process_time()
        try:
            reason = attempts[path.parent.name](path)
        except TolmanError as error:
            reason = " ".join(str(error).split())
        refused.append((path.parent.name, path.name, time.process_time() - begin, reason or "NOT REFUSED"))
    sys.stdout.write("\n" + json.dumps({"refused": refused, "peak": _peak(), "before": before}) + "\n")


def _peak() -> int:
    """Bytes of memory that this process had at the most, and not the one that began it, which `ru_maxrss` counts."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024


def _attempts() -> dict[str, Callable[[Path], str]]:
    from tolman.benchmarks.osr_bench.panoramas import read_panorama  # noqa: PLC0415
    from tolman.benchmarks.osr_bench.released.scenes import read_scenes  # noqa: PLC0415
    from tolman.benchmarks.sparrta.dataset.files import stored_picture  # noqa: PLC0415
    from tolman.benchmarks.theory_of_space.released.run_files import find_runs  # noqa: PLC0415
    from tolman.benchmarks.theory_of_space.runs import read_runs  # noqa: PLC0415
    from tolman.report.leaderboard.board import read_board  # noqa: PLC0415
    from tolman.world.select import choose_scenes  # noqa: PLC0415

    def board(path: Path) -> str:
        return "".join(aside.reason for aside in read_board(path).refused)

    def rescore(path: Path) -> str:
        for run in find_runs(path):
            assert run.history
        return ""

    def show(path: Path) -> str:
        told: list[str] = []
        with suppress(TolmanError):
            for run in read_runs([path], told.append):
                told += [reason for _, reason in run.failed]
        return " ".join(told)

    def scene(path: Path) -> str:
        choose_scenes(str(path))[0].load()
        return ""

    def osr(path: Path) -> str:
        if path.suffix == ".png":
            read_panorama(path.read_bytes(), path.name)
        else:
            list(read_scenes(path))
        return ""

    def sparrta(path: Path) -> str:
        picture = stored_picture(path / "mid-objects" / "img_0000.png")
        return str(picture.rgb.shape)

    return {"board": board, "rescore": rescore, "show": show, "scene": scene, "osr": osr, "sparrta": sparrta}


# ---- entries ----


def _entry(folder: Path, name: str, content: bytes) -> None:
    (folder / name).mkdir(parents=True)
    (folder / name / ("entry.json.gz" if content[:2] == b"\x1f\x8b" else "entry.json")).write_bytes(content)


def _gzipped(block: bytes, times: int) -> bytes:
    """Many blocks of a megabyte, packed: members of a gzip file follow one another."""
    return gzip.compress(block, 9) * times


def _little(rooms: int, things: int, **options: object) -> bytes:
    """An entry of less than a kilobyte that asks for as much work as it may."""
    told = values()
    digest = generate(0, WorldSettings(rooms=rooms, things_per_room=things)).digest
    told["scenes"] = [{**told["scenes"][0], "digest": digest, "record": {"calls": []}, "scores": {}}]
    told["worlds"], told["summary"] = {"rooms": rooms, "things": things}, {}
    told["options"], told["generation"] = options, {}
    return json.dumps(told, separators=(",", ":")).encode()


def _entries(folder: Path) -> None:
    _entry(folder, "a-many-rooms", small := _little(32, 6, mode="passive", explorer="planner"))
    _entry(folder, "b-as-many-as-allowed", _little(16, 6, mode="passive", explorer="planner"))
    _entry(folder, "c-gzip-of-lists", packed := _gzipped(b"[],[" * (MIB // 4), 250))
    _entry(folder, "d-gzip-of-zeros", _gzipped(bytes(MIB), 300))
    _entry(folder, "e-plain-lists", b"[" + EMPTY_LISTS * (8 * MIB) + b"0]")
    _entry(folder, "f-deep", b"[" * (2 * MIB))
    _entry(folder, "g-long-number", b'{"format": "tolman.entry/1", "x": 1' + b"0" * (4 * MIB) + b"}")
    _entry(folder, "h-a-hall", _with_a_hall(folder.parent.parent / "made"))
    assert len(small) < 1000
    assert len(packed) < 300_000


def _with_a_hall(folder: Path) -> bytes:
    """A scene from a file, with a room of a million million cells."""
    told: Any = json.loads(entry_from_a_file(folder).model_dump_json())
    told["scenes"][0]["case"]["scene"]["rooms"][0] = {"low": [-500_000, -500_000], "high": [500_000, 500_000]}
    return json.dumps(told).encode()


# ---- archives of released runs ----

RUN = "model/0123456789ab/text/active/think"


def _archive(path: Path, files: dict[str, bytes], *, sizes: dict[str, int] | None = None) -> None:
    """A tar archive, packed by xz; files with a size are of zeros."""
    with lzma.open(path, "wb", preset=0) as packed, tarfile.open(fileobj=packed, mode="w|") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
        for name, size in (sizes or {}).items():
            member = tarfile.TarInfo(name)
            member.size = size
            archive.addfile(member, _Zeros(size))  # pyright: ignore[reportArgumentType]


class _Zeros(io.RawIOBase):
    def __init__(self, size: int) -> None:
        self._left = size

    def read(self, size: int = -1) -> bytes:
        taken = min(self._left, size if size >= 0 else self._left)
        self._left -= taken
        return bytes(taken)


def _archives(folder: Path) -> None:
    lists = b"[" + EMPTY_LISTS * (10 * MIB) + b"0]"
    _archive(folder / "a-one-large.tar.xz", {}, sizes={f"{RUN}/history_state.json": 33 * MIB})
    _archive(folder / "b-many.tar.xz", {}, sizes={f"{RUN}/{i}/history_state.json": 22 * MIB for i in range(3)})
    _archive(folder / "c-lists.tar.xz", {f"{RUN}/history_state.json": lists})
    _long_name(folder / "d-long-name.tar.xz")
    (folder / "e-cut.tar.xz").write_bytes((folder / "c-lists.tar.xz").read_bytes()[:2000])
    assert max(path.stat().st_size for path in folder.iterdir()) < 50_000


def _long_name(path: Path) -> None:
    member = tarfile.TarInfo("x")
    member.type, member.size = tarfile.XHDTYPE, 60 * MIB
    path.write_bytes(lzma.compress(member.tobuf() + bytes(60 * MIB), preset=0))


# ---- logs ----


def _log(folder: Path, name: str, member: bytes, *, says: int | None = None) -> None:
    """A log with a part of its scene replaced, packed by deflate; the archive may lie about its length."""
    honest = write_log(folder / "honest", [sample(lived(0))])
    with zipfile.ZipFile(honest) as old, zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            new.writestr(info.filename, member if info.filename.startswith("samples/") else old.read(info))
    if says is not None:
        data = bytearray((folder / name).read_bytes())
        at = data.rindex(b"PK\x01\x02", 0, data.rindex(b"samples/"))
        data[at + 24 : at + 28] = struct.pack("<I", says)
        (folder / name).write_bytes(data)
    honest.unlink()
    (folder / "honest").rmdir()


def _logs(folder: Path) -> None:
    told = json.loads(sample(lived(0)).model_dump_json())
    lists = EMPTY_LISTS.decode() * (5 * MIB // 2)
    _log(folder, "a-lists.eval", json.dumps(told).replace('"store": {', f'"store": {{"x": [{lists}0], ').encode())
    _log(folder, "b-a-long-text.eval", b" " * (64 * MIB))
    _log(folder, "c-lies.eval", b" " * (40 * MIB), says=1000)
    told["metadata"]["case"] = f"[{lists}0]"
    _log(folder, "d-lists-in-text.eval", json.dumps(told).encode())


# ---- scenes, panoramas, pictures ----


def _png(width: int, height: int) -> bytes:
    """A picture that says it is large, with next to nothing in it."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


def _others(scenes: Path, osr: Path, sparrta: Path) -> None:
    lists = b"[" + EMPTY_LISTS * (3 * MIB) + b"0]"
    (scenes / "a-lists.json").write_bytes(lists)
    (scenes / "b-zeros.json").write_bytes(b"0" * (65 * MIB))
    (osr / "a-room").mkdir()
    (osr / "a-room/cognitive_map.json").write_bytes(lists)
    (osr / "b-wide.png").write_bytes(_png(12_000, 6_000))
    for name in ("a", "b"):
        inner = painted(sparrta / name, 1) / triple_of("forest", 1).name / "mid-objects"
        inner.rename(sparrta / name / "mid-objects")
    (sparrta / "a/mid-objects/img_0000.png").write_bytes(_png(12_000, 6_000))
    (sparrta / "b/mid-objects/params_0000.json").write_bytes(lists)


def test_small_files_that_ask_for_a_lot_are_refused(tmp_path: Path):
    attacks = tmp_path / "attacks"
    for command in ("board", "rescore", "show", "scene", "osr", "sparrta"):
        (attacks / command).mkdir(parents=True)
    _entries(attacks / "board")
    _archives(attacks / "rescore")
    _logs(attacks / "show")
    _others(attacks / "scene", attacks / "osr", attacks / "sparrta")
    told = attacked(attacks)
    expected = {
        "board": {
            "a": "worlds.rooms",
            "b": "seconds, which is the most for its size",
            "c": "unpacks to more than",
            "d": "unpacks to more than",
            "e": "2,000,000 values",
            "f": "nested too deeply",
            "g": "not valid JSON",
            "h": "can't be made",
        },
        "rescore": {
            "a": "too large for a log",
            "b": "unpacks to more than 64 MiB",
            "c": "2,000,000 values",
            "d": "is too long",
            "e": "not a readable tar archive",
        },
        "show": {
            "a": "2,000,000 values",
            "b": "unpacks to 64 MiB",
            "c": "is longer than it says",
            "d": "2,000,000 values",
        },
        "scene": {"a": "2,000,000 values", "b": "more than 64 MiB"},
        "osr": {"a": "2,000,000 values", "b": "no panorama"},
        "sparrta": {"a": "12000 x 6000 pixels", "b": "2,000,000 values"},
    }
    for command, reasons in expected.items():
        assert told[command].keys() == reasons.keys()
        for name, reason in reasons.items():
            assert reason in told[command][name], (command, name)


# ---- the measures themselves ----


@given(
    st.lists(st.text(alphabet='a\\"[{,é', max_size=6) | st.lists(st.none(), max_size=3), max_size=6), st.integers(1, 7)
)
def test_values_are_counted_outside_of_texts_however_they_are_cut(value: list[str | list[None]], step: int):
    text = json.dumps(value).encode()
    limit = limits.VALUES
    counted = 0
    try:
        while True:
            limits.VALUES = counted
            try:
                check_json_pieces((text[at : at + step] for at in range(0, len(text), step)), "it")
                break
            except TooLargeError:
                counted += 1
    finally:
        limits.VALUES = limit
    lists = 1 + sum(isinstance(one, list) for one in value)
    commas = sum(max(0, len(one) - 1) for one in (value, *value) if not isinstance(one, str))
    assert counted == lists + commas


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress, bytes], ids=["gzip", "xz", "plain"])
def test_what_is_within_its_limit_is_read_whole(tmp_path: Path, pack: Callable[[bytes], bytes]):
    content = bytes(range(256)) * 20_000
    (tmp_path / "file").write_bytes(pack(content) + (pack(b"more") if pack is not bytes else b"more"))
    with unpacking(tmp_path / "file", UnpackLimit(max_bytes=6 * MIB, max_ratio=10_000, ratio_free_bytes=0)) as stream:
        assert stream.read() == content + b"more"
    with (
        unpacking(tmp_path / "file", UnpackLimit(max_bytes=MIB, max_ratio=10_000, ratio_free_bytes=0)) as stream,
        pytest.raises(TooLargeError, match="more than 1 MiB"),
    ):
        stream.read()


def test_work_is_ended_after_its_seconds_and_nothing_else_is():
    def busy() -> None:
        with limits.cpu_limit(0.2):
            while True:
                pass

    with pytest.raises(TooLargeError, match=r"more than 0\.2 seconds"):
        busy()
    with limits.cpu_limit(5):
        assert sum(range(1000)) == 499500
