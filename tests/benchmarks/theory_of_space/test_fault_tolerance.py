"""A server that misbehaves, and a run that is killed: nothing is lost, and nothing is paid for twice."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

from tests.loopback_replies import SHAPES, THOUGHTS
from tests.loopback_server import DISTURBANCES, LoopbackServer
from tolman.cli.app import app

TOLMAN = Path(sys.executable).with_name("tolman")
CONNECTIONS = 20


def command(server: LoopbackServer, folder: Path, *more: str) -> list[str]:
    model = ["--model", "openai-api/fake/scout", "--base-url", server.url, "--max-connections", str(CONNECTIONS)]
    return [str(TOLMAN), "eval", "theory-of-space", *model, "--log-dir", str(folder), "--display", "none", *more]


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The same for this process and for those that are killed."""
    for name, value in {
        "FAKE_API_KEY": "none",
        "TOLMAN_CACHE": str(tmp_path / "cache"),
        "INSPECT_CACHE_DIR": "",
    }.items():
        monkeypatch.setenv(name, value)
    return dict(os.environ)


def numbers(folder: Path, file: Path) -> dict[str, Any]:
    here(["tolman", "show", str(folder), "--json", str(file)])
    return json.loads(file.read_text())


def here(words: list[str]) -> None:
    """Run a command in this process, which saves the time of starting."""
    app(words[1:], exit_on_error=False, print_error=False, result_action="return_none")


def scenes_done(folder: Path) -> int:
    logs = [read_eval_log(info, header_only=True) for info in list_eval_logs(str(folder))]
    return sum(log.results.completed_samples for log in logs if log.results)


def misbehaving(delay: float = 0.0) -> LoopbackServer:
    """Disturbs three conversations of ten, answers a fifth in an odd shape, and thinks before half of the replies."""
    return LoopbackServer("scout", faults=0.3, odd=0.2, reasoning=0.5, cut=0.02, delay=delay)


KINDS = {*DISTURBANCES, *SHAPES, *THOUGHTS}


@pytest.mark.parametrize("scenes", [8, pytest.param(100, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("environment")
def test_all_scenes_finish_behind_a_server_that_misbehaves(tmp_path: Path, scenes: int) -> None:
    options = ("--scenes", f"0-{scenes - 1}", "--mode", "active", "--phases", "explore", "--no-tables")
    with misbehaving() as server:
        here(command(server, tmp_path / "logs", *options))
    assert set(DISTURBANCES) <= set(server.injected), "every kind of disturbance was met"
    assert scenes_done(tmp_path / "logs") == scenes
    assert all(times <= 4 for times in server.requests.values()), "no conversation was sent without end"


EVERYTHING = ("--rooms", "2", "--things", "3", "--questions", "1", "--mode", "active")


@pytest.mark.parametrize(
    ("scenes", "kills"),
    [(2, 1), pytest.param(24, 5, marks=[pytest.mark.slow, pytest.mark.timeout(3000)])],
)
def test_a_run_that_is_killed_over_and_over_ends_as_an_unbroken_one(
    scenes: int,
    kills: int,
    tmp_path: Path,
    environment: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    record_property: Callable[[str, object], None],
) -> None:
    """Behind a server with every kind of fault. No scene is lost, nobody meets a traceback, the report is built."""
    options = ("--scenes", f"0-{scenes - 1}", *EVERYTHING)
    with misbehaving() as server:
        here(command(server, tmp_path / "unbroken", *options))
        needed = len(server.requests)
    for name, value in {"conversations": needed, "requests": server.requests.total(), **server.injected}.items():
        record_property(name, value)
    assert "Traceback" not in "".join(capsys.readouterr())
    assert scenes_done(tmp_path / "unbroken") == scenes
    if scenes > 2:
        assert set(server.injected) >= KINDS, "every kind of fault was met"
    with misbehaving(delay=0.02) as server:
        run = command(server, tmp_path / "broken", *options, "--no-tables")
        for kill in range(kills):
            kill_at = (kill + 1) / (kills + 1) * needed
            with subprocess.Popen(run, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
                deadline = time.monotonic() + 500
                while len(server.answered) < kill_at and process.poll() is None and time.monotonic() < deadline:
                    time.sleep(0.005)
                process.send_signal(signal.SIGKILL)
                assert b"Traceback" not in (process.stdout.read() if process.stdout else b"")
            assert 0 < len(server.answered) < needed, "it was killed in the middle"
        here(run)
        assert "Traceback" not in "".join(capsys.readouterr())
        sent_again = sum(times - 1 for times in server.answered.values())
    record_property("answered again after kills", sent_again)
    assert len(server.requests) == needed
    refused_by_filter = sum(times for name, times in server.injected.items() if name == "content filter")
    assert sent_again <= kills * (CONNECTIONS + 1) + refused_by_filter, "at most what was in flight is sent again"
    table = numbers(tmp_path / "broken", tmp_path / "b.json")
    assert table == numbers(tmp_path / "unbroken", tmp_path / "a.json")
    here(["tolman", "report", str(tmp_path / "broken"), "--out", str(tmp_path / "report"), "--jobs", "1"])
    pages = list((tmp_path / "report" / "episodes").rglob("*.html"))
    assert len([page for page in pages if page.name != "index.html"]) >= scenes
    assert (tmp_path / "report" / "index.html").is_file()
