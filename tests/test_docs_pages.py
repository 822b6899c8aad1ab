"""Commands and Python blocks of README.md and all pages run, in small worlds and pictures, in order, page by page.

Pages that need more (a server, a sealed split, a package) have tests of their own: `ELSEWHERE`. What other programs do
is not run here: `OTHERS`, with the reason.
"""

import re
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from types import ModuleType
from urllib.parse import urlencode, urljoin
from urllib.request import urlopen

import pytest

from tests.benchmarks.osr_bench.tiny_dataset import write_set
from tests.benchmarks.theory_of_space.released.run_archives import FOLDER as RUNS
from tests.play.sessions import spoken
from tests.test_docs_commands import run
from tolman.benchmarks.theory_of_space.options import Options
from tolman.world import WorldSettings

ROOT = Path(__file__).parent.parent
GOLDEN = ROOT / "tests" / "golden"
TOLMAN = Path(sys.executable).with_name("tolman")
PAGES = {
    page.name: page for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
}
FENCED = re.compile(r"^```(console|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)
ELSEWHERE = {
    "evaluate.md": "tests/test_docs_commands.py",
    "python.md": "tests/test_docs_python.py",
    "leaderboard.md": "tests/benchmarks/theory_of_space/leaderboard/test_docs_commands.py",
    "extending.md": "tests/test_extending.py",
}
"""Pages whose blocks a test of their own runs."""
LONG = {
    *("README.md", "abstention.md", "baselines.md", "commands.md", "exploration-patterns.md", "export.md"),
    *("ideal-observer.md", "osr-bench.md", "play.md", "sparrta.md", "tutorial-probe.md", "tutorial-vllm.md"),
    *("report.md", "vision-world.md"),
}
"""Pages whose commands render pictures or evaluate for long: these are run with --slow."""
OTHERS = {
    "make ": "sets up environments; the demo, the site and the tests are targets of CI",
    "pip install": "installs packages; tests/wheel_install.sh",
    "python -m http.server": "serves a folder until it is stopped",
    "LMUData=": "VLMEvalKit; integrations/run.py runs it",
    "cd ": "goes to the folder of the next command",
    "lmms-eval": "lmms-eval; integrations/run.py runs it",
    "hf upload": "the Hugging Face hub, over the network",
    "inspect eval hf/": "the Hugging Face hub; integrations/run.py runs it on a folder",
    "tolman assets fetch": "downloads; tests/render/assets run the installation from a file",
    "tolman assets check": "minutes of rendering; tests/render/test_apparent_size.py",
    "tolman assets sheet": "minutes of rendering; tests/render/assets",
    "vllm serve": "a server on a GPU",
    "git ": "version control",
    ".venv/bin/pytest": "the tests themselves",
    ".venv/bin/python benchmarks": "measurements that take minutes",
    "OWN_BASE_URL": "llama.cpp's server; tests/harness/test_provider_conformance.py has one of its shape",
    "tolman import results": "results of VLMEvalKit; tests/harness/export, integrations/run.py",
    "tolman import RESULTS": "the same",
    "tolman show logs/theory-of-space/vlmevalkit": "the same",
    "tolman report logs/theory-of-space/vlmevalkit": "the same",
    "tolman make osr-bench --from FOLDER": "a folder of annotated panoramas; tests/benchmarks/osr_bench/dataset",
}
"""Beginnings of commands that are not run here, and why."""
OTHER_BLOCKS = {
    "from transformers import ViTMAEModel": "downloads weights",
    "from models.croco": "needs the authors' repository",
    "import datasets": "integrations/run.py opens every layout with datasets",
    "from datasets import Dataset": "integrations/environments.py trains with TRL",
    "from tolman.env.openenv": "integrations/environments.py runs the server and its client",
    "import pickle": "a conversion of files that are not here; tests/benchmarks/osr_bench/dataset run it",
    "import time, xllamacpp": "a server of local weights",
}
"""What Python blocks hold that are not run here, and why."""
SMALL = (
    (r"--model (openai/|vllm/|local/|MODEL\b)\S*", "--model tolman/random"),
    (r"--judge \S+", "--judge tolman/random"),
    (r" --base-url \S+| --max-connections \d+| --temperature \S+| --max-tokens \d+| -M (threads|context)=\d+", ""),
    (r"--scenes 1000\d\d-\d+", "--scenes 100000-100001"),
    (r"--scenes 1000-\d+", "--scenes 1000-1001"),
    (r"(--scenes|--data|scenes=) ?0-\d+", r"\1 0"),
    (r"--images 0-99 --out p$", "--images 0-11 --out p"),
    (r"--images 0-199", "--images 0-11"),
    (r"--images 0-(?!11 )\d+", "--images 0-3"),
    (r"--triple 1,2,3", "--triple 1"),
    (r"--data 0-\d+ --turns 0,90,200", "--data 0 --turns 0,90"),
    (r"--mode first,none,true --think --no-think --asked standard,negative", "--mode first,none --asked negative"),
    (r"--environment (desert,city|forest,desert)", "--environment desert"),
    (r"(-T world=vision)", r"\1 -T image_size=48 -T rooms=1 -T things=2 -T questions=1 -T mode=passive"),
    (r"--workers \d+", "--workers 1"),
    (r"--encoder resnet-50", "--encoder pixels"),
    (r"--out probes", "--out own-probes"),
    (r"-o entry.json", "-o entries/entry.json"),
    (r"logs/theory-of-space/(openai-gpt-5.2|vllm-Qwen-Qwen3-8B)", "logs/theory-of-space/tolman-scout"),
)
"""Replacements that make a command small; models that cost become scripted ones."""
SHORT = "--rooms 2 --things 2 --questions 1"
WORLD = f"{SHORT} --probe last --display none"
DRAFT = "--preset draft --assets built-in"
MORE = (
    ("tolman eval theory-of-space --model replay/", "--display none"),
    ("tolman eval theory-of-space --world vision", f"{WORLD} {DRAFT} --image-size 48 --scenes 0 --mode passive"),
    ("tolman eval theory-of-space", WORLD),
    ("tolman eval osr-bench", f"{DRAFT} --width 128 --each 1 --display none"),
    ("tolman eval sparrta", "--size 64 --images 0 --display none"),
    ("tolman render", f"{DRAFT} --size 48 --rooms 1 --things 2 --views ego"),
    ("tolman make osr-bench", f"{DRAFT} --width 128"),
    ("tolman make sparrta", f"{DRAFT} --size 64"),
    ("tolman export osr-bench", f"{DRAFT} --width 128"),
    ("tolman export sparrta", "--size 64 --images 0-1"),
    ("tolman make demonstrations", "--rooms 1 --workers 1"),
    ("tolman calibrate", "--jobs 1"),
    ("tolman probe --encoder", "--probe linear --epochs 2"),
    ("tolman play --scenes", SHORT),
    ("tolman play --benchmark osr-bench", f"{DRAFT} --width 128 --data 0"),
    ("tolman play --benchmark sparrta", f"{DRAFT} --size 64 --environment desert --images 0"),
)
"""Flags that are added to a command."""


def commands(block: str) -> Iterator[str]:
    """The commands of a block, without comments and prompts; what a terminal printed is left out."""
    shown = [line for line in block.splitlines() if line.startswith("$ ")]
    for line in shown or [line for line in block.splitlines() if not line.startswith("#")]:
        bare = re.sub(r"\s+#.*$", "", line.removeprefix("$ ").strip())
        yield from filter(None, map(str.strip, re.split(r";|&&", bare)))


def blocks(page: Path) -> list[tuple[str, str]]:
    """Language and content of the commands and the Python of a page, in order."""
    return FENCED.findall(page.read_text(encoding="utf-8"))


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which earlier commands left their logs, probes and files."""
    monkeypatch.setenv("TOLMAN_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("INSPECT_CACHE_DIR", raising=False)
    monkeypatch.chdir(tmp_path)
    for run_name, place in {
        "tos-scout": "theory-of-space/tolman-scout",
        "tos-random": "theory-of-space/tolman-random",
        "osr-oracle": "osr-bench/tolman-oracle",
        "osr-constant": "osr-bench/tolman-constant",
        "sparrta-oracle": "sparrta/tolman-oracle",
    }.items():
        shutil.copytree(GOLDEN / "runs" / run_name, tmp_path / "logs" / place)
    shutil.copytree(GOLDEN / "runs" / "tos-scout", tmp_path / "LOGS")
    shutil.copytree(GOLDEN / "probes", tmp_path / "probes")
    (tmp_path / "scores.csv").write_text(
        "encoder,benchmark,score\npixels,other,0.4\nrandom,other,0.3\n", encoding="utf-8"
    )
    (tmp_path / "entries").mkdir()
    return tmp_path


def small(command: str) -> str:
    for pattern, replacement in SMALL:
        command = re.sub(pattern, replacement, command)
    more = next((flags for start, flags in MORE if command.startswith(start)), "")
    given = set(re.findall(r"--[\w-]+", command))
    return " ".join([command, *(flag for flag in _flags(more) if flag.split()[0] not in given)])


def _flags(text: str) -> list[str]:
    return [f"--{part}".strip() for part in text.split("--") if part.strip()]


def reason_not_to_run(command: str, *, slow: bool) -> str:
    """Why a command is not run here; empty where it is."""
    for start, reason in OTHERS.items():
        if command.startswith(start):
            return reason
    released = re.search(r"runs[\w-]*\.tar\.xz|replay/released|--scenes FOLDER|logs/released", command)
    if released and not (slow and RUNS.exists()):
        return "the authors' data; run with --slow where they are"
    return ""


def play(command: str) -> None:
    """The page is served, Ann plays a place of Theory of Space to its end, and the server is interrupted."""
    words = [str(TOLMAN), *shlex.split(command)[1:], "--port", "0", "--no-open"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        assert server.stdout is not None
        deadline = time.monotonic() + 300
        shown = ""
        while "http://127.0.0.1:" not in shown and time.monotonic() < deadline and server.poll() is None:
            shown += server.stdout.readline()
        try:
            found = re.search(r"http://127\.0\.0\.1:\d+/", shown)
            assert found, shown
            assert 'name="name"' in opened(found[0]), "the first page asks for a name"
            if "--benchmark" not in command:
                play_as_ann(found[0])
        finally:
            server.send_signal(signal.SIGINT)
            server.wait(30)


def play_as_ann(server: str) -> None:
    """Ann gives the replies of the scout on every page, over HTTP, until her log is written."""
    said = spoken("0", Options(probe="last", questions=1), WorldSettings(rooms=2, things_per_room=2)).replies
    place = urljoin(server, "people/ann/0")
    page = opened(urljoin(server, "begin"), name="Ann")
    for _ in said:
        call = re.search(r'name="call" value="([^"]+)"', page)
        assert call, page
        page = opened(f"{place}/reply", call=call[1], reply=said[unescape(call[1])])
    assert 'name="call"' not in page, "every reply was asked for"
    deadline = time.monotonic() + 60
    while "being written" in (page := opened(urljoin(server, "result/ann"))) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert "human/ann" in page


def opened(address: str, **form: str) -> str:
    """A page, or what a server says to a form."""
    with urlopen(address, urlencode(form).encode() if form else None, timeout=60) as response:  # noqa: S310 loopback
        return response.read().decode()


def extract_released(folder: Path) -> None:
    """Both archives of the authors' runs in one folder, as the page says."""
    for archive in sorted(RUNS.glob("runs-*.tar.xz")):
        with tarfile.open(archive) as packed:
            packed.extractall(folder, filter="data")


@pytest.mark.timeout(3600)  # the README alone has thirty commands, some of which render
@pytest.mark.parametrize("name", [name for name in PAGES if name not in ELSEWHERE and blocks(PAGES[name])])
def test_commands_and_python_of_a_page_run(
    name: str, request: pytest.FixtureRequest, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In order, and in one folder; Python blocks share what they define. Long commands are left out without --slow."""
    slow = bool(request.config.getoption("--slow"))
    if slow and RUNS.exists():
        for archive in ("runs.tar.xz", "runs-00-03.tar.xz"):
            (folder / archive).symlink_to(RUNS / "runs-00-03.tar.xz")
        (folder / "FOLDER").symlink_to(RUNS / "scenes")
        if name == "exploration-patterns.md":
            extract_released(folder / "released")
    if name == "osr-bench.md":
        write_set(folder / "rooms")
    values = ModuleType("page").__dict__
    for language, block in blocks(PAGES[name]):
        if language == "console" and (slow or name not in LONG):
            for command in commands(block):
                if not reason_not_to_run(command, slow=slow):
                    play(small(command)) if command.startswith("tolman play") else run(small(command), folder, capsys)
        elif language == "python" and not any(sign in block for sign in OTHER_BLOCKS):
            exec(compile(block, name, "exec"), values)  # noqa: S102 our own pages
