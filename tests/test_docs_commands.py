"""Every command in docs/evaluate.md is run, in order, with a scripted or a fake model in place of one that costs."""

import json
import re
import shlex
import subprocess
import sys
import time
import urllib.request
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from inspect_ai.model._providers._vllm_lora import _vllm_servers

from tests.benchmarks.theory_of_space.released.run_archives import FOLDER
from tests.loopback_server import LoopbackServer
from tolman.cli.app import app

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
PORT = 17575
MODEL = "openai-api/fake/gpt-5.2"
SMALL = {"rooms": 2, "things": 2, "questions": 1}


def commands() -> list[str]:
    text = (ROOT / "docs" / "evaluate.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", text, re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip()]


def in_place(command: str, server: LoopbackServer) -> str:
    """The command with models that cost, or are large, replaced by the fake server's; one scene, and few maps."""
    command = command.replace("openai/gpt-5.2", MODEL).replace("--model local", "--model tolman/random")
    command = re.sub(r"http://127\.0\.0\.1:\d+/v1", server.url, command).replace(" --batch", "")
    command = re.sub(r"(scenes[ =])\d+-\d+", r"\g<1>0", command)
    if command.startswith("tolman eval") and "replay/runs" not in command:
        return f"{command} --probe last"
    return command


def in_a_small_world(command: str) -> str:
    """The same about a world of few things, with few questions."""
    if command.startswith("tolman eval") and "replay/runs" not in command:
        return " ".join([command, *(f"--{name} {n}" for name, n in SMALL.items() if f"--{name}" not in command)])
    if command.startswith("inspect eval "):
        return " ".join([command, *(f"-T {name}={n}" for name, n in SMALL.items())])
    return command


def run(command: str, folder: Path, capture: pytest.CaptureFixture[str]) -> str:
    """What a command prints when it is called in this process, which saves the time of starting."""
    command = command.partition(" > ")[0]
    program, *words = [word for part in shlex.split(command) for word in _expanded(part, folder)]
    if program == "tolman":
        app(words, exit_on_error=False, print_error=False, result_action="return_none")
    else:
        (script,) = entry_points(group="console_scripts", name=program)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sys, "excepthook", sys.excepthook)  # Inspect sets its own
            patch.setattr(sys, "argv", [program, *words])
            with pytest.raises(SystemExit) as end:
                script.load()()
        assert not end.value.code, f"{command}\n{capture.readouterr()}"
    return capture.readouterr().out


def _expanded(word: str, folder: Path) -> list[str]:
    return [str(path.relative_to(folder)) for path in folder.glob(word)] if "*" in word else [word]


def test_every_command_runs(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With --slow in worlds of the usual size, with the authors' runs if they are here, and with a viewer. One form in
    a process: Inspect keeps models, and where they are, for as long as it runs."""
    small = not request.config.getoption("--slow")
    archive = next(iter(sorted(FOLDER.glob("*.tar.xz"))), None) if not small else None
    if archive is not None:
        (tmp_path / "runs-00-03.tar.xz").symlink_to(archive.resolve())
    (tmp_path / "prices.json").write_text(json.dumps({MODEL: {"input": 1, "output": 1}}))
    monkeypatch.chdir(tmp_path)
    shown: list[str] = []
    _vllm_servers.clear()  # Inspect keeps the address of a model's server
    with LoopbackServer("scout", reasoning=0.5) as server:
        keys = {"FAKE_API_KEY": "none", "FAKE_BASE_URL": server.url, "VLLM_API_KEY": "none"}
        for name, value in {**keys, "TOLMAN_CACHE": str(tmp_path / "cache"), "INSPECT_CACHE_DIR": ""}.items():
            monkeypatch.setenv(name, value)
        for command in commands():
            if command.startswith("inspect view"):
                if not small:
                    looked_at(command, tmp_path)
            elif archive is not None or "runs-00-03" not in command:
                cheap = in_place(command, server)
                shown.append(run(in_a_small_world(cheap) if small else cheap, tmp_path, capsys))
    assert "think tags" in server.injected, "half of the replies came with reasoning, some as Qwen3 writes it"
    assert len(shown) >= 10
    assert sum("Answers, %" in text for text in shown) >= 8, "evaluations and `show` print the tables"
    assert json.loads((tmp_path / "numbers.json").read_text())


def looked_at(command: str, folder: Path) -> None:
    """The viewer starts and serves its page."""
    words = [str(BIN / "inspect"), *shlex.split(command)[1:], "--port", str(PORT)]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as viewer:
        try:
            deadline = time.monotonic() + 60
            while True:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=5) as page:
                        assert page.status == 200
                        return
                except OSError:
                    if time.monotonic() > deadline or viewer.poll() is not None:
                        pytest.fail("the viewer did not start")
                    time.sleep(0.2)
        finally:
            viewer.terminate()
