"""A server that misbehaves, and a run that is killed: nothing is lost, and nothing is paid for twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import list_eval_logs, read_eval_log

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


@pytest.mark.parametrize(("scenes", "faults"), [(8, 0.25), pytest.param(100, 0.05, marks=pytest.mark.slow)])
@pytest.mark.usefixtures("environment")
def test_all_scenes_finish_behind_a_server_that_misbehaves(tmp_path: Path, scenes: int, faults: float) -> None:
    options = ("--scenes", f"0-{scenes - 1}", "--mode", "active", "--phases", "explore", "--no-tables")
    with LoopbackServer("scout", faults=faults, cut=0.02) as server:
        here(command(server, tmp_path / "logs", *options))
    assert set(server.injected) == set(DISTURBANCES), "every kind of fault was met"
    assert scenes_done(tmp_path / "logs") == scenes
    assert all(times <= 3 for times in server.requests.values()), "no conversation was sent without end"


SMALL = ("--scenes", "0-1", "--rooms", "2", "--things", "3", "--questions", "1", "--mode", "active", "--no-tables")
WHOLE = ("--scenes", "0-2", "--questions", "1", "--mode")


@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (0, SMALL),
        *(
            pytest.param(seed, (*WHOLE, "active,passive" if seed % 2 else "active"), marks=pytest.mark.slow)
            for seed in range(6)
        ),
    ],
)
def test_a_killed_run_goes_on_and_ends_as_an_unbroken_one(
    seed: int, options: tuple[str, ...], tmp_path: Path, environment: dict[str, str]
) -> None:
    with LoopbackServer("scout", cut=0.02) as server:
        here(command(server, tmp_path / "unbroken", *options))
        needed = len(server.requests)
    with LoopbackServer("scout", cut=0.02, delay=0.02) as server:
        kill_at = random.Random(seed).uniform(0.1, 0.9) * needed  # noqa: S311
        run = command(server, tmp_path / "broken", *options)
        with subprocess.Popen(run, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 120
            while sum(server.answered.values()) < kill_at and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
        assert 0 < sum(server.answered.values()) < needed, "it was killed in the middle"
        here(run)
        sent_again = sum(server.requests.values()) - len(server.requests)
    assert len(server.requests) == needed
    assert sent_again <= CONNECTIONS, "at most what was in flight is sent again"
    unbroken = numbers(tmp_path / "unbroken", tmp_path / "a.json")
    broken = numbers(tmp_path / "broken", tmp_path / "b.json")
    assert broken == unbroken
