"""A run as a user meets it: what is on the screen at its end, when it fails, when it is stopped, and beside another."""

import signal
from pathlib import Path

import pytest
from inspect_ai.log import list_eval_logs

from tests.benchmarks.sparrta.painted_scenes import painted
from tests.command_line import Here, ended, started, still_at_work, tolman
from tests.loopback_server import LoopbackServer
from tolman.core.errors import SettingsError
from tolman.harness.evaluation import locked, set_aside_unreadable

SCENES = 4


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"FAKE_API_KEY": "none", "TOLMAN_CACHE": str(tmp_path / "cache")}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return painted(tmp_path_factory.mktemp("painted"), SCENES)


def command(server: LoopbackServer, data: Path, logs: Path, *more: str) -> list[str | Path]:
    model = ["--model", "openai-api/fake/m", "--base-url", server.url]
    return ["eval", "sparrta", "--data", data, *model, "--log-dir", logs, *more]


def left(messages: list[tuple[str, str]]) -> str:
    del messages
    return "left"


def test_a_run_ends_with_our_tables_and_the_next_command(data: Path, tmp_path: Path) -> None:
    with LoopbackServer(thought=left) as server:
        done = tolman(*command(server, data, tmp_path / "logs"))
    assert done.returncode == 0
    assert done.stdout.startswith(f"SpaRRTa: 1 model, 1 run, {SCENES} pictures")
    for noise in ("nan", "stderr", "continue_on_fail", "successfully", "total time"):
        assert noise not in done.stdout + done.stderr
    assert done.stderr.rstrip().splitlines()[-1].startswith(f"Logs are in {tmp_path / 'logs'}. Next: tolman report ")


def test_a_dead_server_is_named_within_seconds_and_nothing_is_written(data: Path, tmp_path: Path) -> None:
    with LoopbackServer() as server:
        pass
    done = tolman(*command(server, data, tmp_path / "logs", "--display", "none"))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert server.url in line
    assert "Connect" in line
    assert list_eval_logs(str(tmp_path / "logs")) == []


def test_the_reason_of_a_failure_is_printed_last_though_nothing_is_shown(data: Path, tmp_path: Path) -> None:
    with LoopbackServer(thought=left) as server:

        def once(messages: list[tuple[str, str]]) -> str:
            server.refuse = (503, "closed for the night")
            return left(messages)

        server.thought = once
        options = ("--display", "none", "--give-up-after", "0.5")
        failed = tolman(*command(server, data, tmp_path / "logs", *options))
        assert failed.returncode == 1
        assert failed.stdout == ""
        assert failed.stderr.startswith(f"tolman: 0 of {SCENES} scenes done, run the same command to go on")
        assert failed.stderr.rstrip().endswith("closed for the night")
        assert server.url in failed.stderr
        assert "Traceback" not in failed.stderr
        server.refuse, server.thought = None, left
        again = tolman(*command(server, data, tmp_path / "logs", *options, "--no-tables"))
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_files_that_are_no_logs_are_named_and_passed_over(data: Path, tmp_path: Path, here: Here) -> None:
    logs = tmp_path / "logs"
    with LoopbackServer(thought=left) as server:
        run = command(server, data, logs, "--no-tables", "--display", "none")
        assert here(*run).returncode == 0
        (log,) = logs.glob("*.eval")
        cut = logs / f"2025{log.name[4:]}"
        cut.write_bytes(log.read_bytes()[:2000])
        (logs / "notes.eval").write_text("these are my notes")
        (logs / "notes.json").write_text("{}")
        asked = server.requests.total()
        again = here(*run)
    assert again.returncode == 0
    assert "Traceback" not in again.stderr
    assert [str(cut) in line or "notes.eval" in line for line in again.stderr.splitlines()] == [True, True]
    assert (logs / "notes.eval.unreadable").read_text() == "these are my notes"
    assert server.requests.total() == asked, "what is done stays done"


@pytest.mark.slow
def test_a_run_keeps_its_folder_until_it_is_interrupted_and_says_how_far_it_has_come(
    data: Path, tmp_path: Path
) -> None:
    logs = tmp_path / "logs"
    with LoopbackServer(thought=left, delay=0.3) as server:
        run = command(server, data, logs, "--scenes-at-once", "1", "--max-connections", "1")
        process = started(*run)
        assert still_at_work(process, lambda: server.answered.total() > 3)
        server.delay = 60.0  # so that it is still at work however long the next lines take
        refused = tolman(*run)
        process.send_signal(signal.SIGINT)
        out, err = ended(process)
        server.delay = 0.0
        assert process.returncode == 130
        assert out == ""
        assert refused.returncode == 2
        assert f"another run (process {process.pid}) is writing to {logs}" in refused.stderr
        said = err.rstrip().splitlines()[-1]
        assert said.startswith("tolman: interrupted, ")
        assert said.endswith(f"of {SCENES} scenes done, run the same command to go on")
        assert int(said.split()[2]) >= 1
        for noise in ("successfully", "CancelledError", "Traceback"):
            assert noise not in err
        assert tolman(*run, "--no-tables").returncode == 0
        assert server.requests.total() - len(server.requests) <= 3, "what was answered is not asked again"


def test_a_lock_is_for_others_as_well_in_this_process(tmp_path: Path) -> None:
    with locked(tmp_path), pytest.raises(SettingsError, match="another run"), locked(tmp_path):
        pass
    with locked(tmp_path):
        pass


def test_what_a_run_below_is_just_writing_is_left_alone(tmp_path: Path) -> None:
    below, told = tmp_path / "below", list[str]()
    below.mkdir()
    (below / "half.eval").write_bytes(b"PK")
    with locked(below):
        set_aside_unreadable(tmp_path, told.append)
    assert ((below / "half.eval").exists(), told) == (True, [])
    set_aside_unreadable(tmp_path, told.append)
    assert ([path.name for path in below.glob("*.eval*")], len(told)) == (["half.eval.unreadable"], 1)
