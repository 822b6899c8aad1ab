"""docs/extending.md: every block of Python runs, and its benchmark is found by every command."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
_SECTION = re.compile(r"^## ([^\n]+)\n(?:(?!^## ).)*?```python\n(.*?)```", re.DOTALL | re.MULTILINE)
END = "(end of a command)"
BLOCKS: dict[str, str] = dict(_SECTION.findall(PAGE))


def test_there_is_a_block_for_each_thing_to_add():
    assert {"A kind of question", "An agent", "A thing", "An encoder", "A probe head", "A table"} <= set(BLOCKS)


@pytest.mark.parametrize("heading", BLOCKS)
def test_a_block_runs(heading: str):
    done = subprocess.run([sys.executable, "-c", BLOCKS[heading]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


ALL_IN_ONE = f"""
import json, sys
from tolman.cli import main
for words in json.loads(sys.argv[1]):
    sys.argv = ["tolman", *words]
    try:
        main()
    except SystemExit as end:
        assert not end.code, f"{{words}}: {{end.code}}"
    print({END!r})
"""
"""A program that runs commands one after another, which saves the time of starting each."""


def printed(commands: Iterable[tuple[str, ...]], folder: Path) -> list[str]:
    """What each command prints where the packages in a folder are installed."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "TOLMAN_CACHE": str(folder / "cache")}
    program = [sys.executable, "-c", ALL_IN_ONE, json.dumps([*commands])]
    done = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.split(END)[:-1]


def test_a_benchmark_of_another_package_is_in_every_command(tmp_path: Path):
    """Installed as any package is: a folder of modules, and metadata that names its entry point."""
    shutil.copytree(ROOT / "examples" / "heading_benchmark" / "heading_benchmark", tmp_path / "heading_benchmark")
    about = tmp_path / "heading_benchmark-0.1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: heading-benchmark\nVersion: 0.1.0\n")
    points = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert points is not None
    named = points[1].replace('[project.entry-points."tolman.benchmarks"]', "[tolman.benchmarks]").replace('"', "")
    (about / "entry_points.txt").write_text(named)
    quiet = ("--turns", "5", "--display", "none", "--no-tables")
    rooms = ROOT / "tests" / "golden" / "runs" / "osr-oracle"
    commands = (
        ("eval", "--help"),
        ("eval", "headings", "--help"),
        *(("eval", "headings", "--model", f"tolman/{agent}", *quiet) for agent in ("oracle", "constant")),
        ("show", "logs/headings", "--format", "csv"),
        ("report", "logs", str(rooms), "--out", "report"),
    )
    benchmarks, options, *_, shown, _ = printed(commands, tmp_path)
    assert "headings" in benchmarks
    assert "Turns of 90 degrees in each case." in " ".join(options.split())
    assert re.search(r"^,tolman/oracle,.*,100", shown, re.MULTILINE)
    front = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "Headings" in front
    assert (tmp_path / "report" / "headings.html").is_file()
