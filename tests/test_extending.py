"""docs/extending.md: every block of Python runs, and its benchmark is found by every command."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import TOLMAN

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
_SECTION = re.compile(r"^## ([^\n]+)\n(?:(?!^## ).)*?```python\n(.*?)```", re.DOTALL | re.MULTILINE)
BLOCKS: dict[str, str] = dict(_SECTION.findall(PAGE))


def test_there_is_a_block_for_each_thing_to_add():
    assert {"A kind of question", "An agent", "A thing", "An encoder", "A probe head", "A table"} <= set(BLOCKS)


@pytest.mark.parametrize("heading", BLOCKS)
def test_a_block_runs(heading: str):
    done = subprocess.run([sys.executable, "-c", BLOCKS[heading]], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


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
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "TOLMAN_CACHE": str(tmp_path / "cache")}

    def tolman(*words: str) -> str:
        done = subprocess.run(
            [TOLMAN, *words], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert "headings" in tolman("eval", "--help")
    assert "Turns of 90 degrees in each case." in " ".join(tolman("eval", "headings", "--help").split())
    for agent in ("oracle", "constant"):
        tolman("eval", "headings", "--model", f"tolman/{agent}", "--turns", "5", "--display", "none", "--no-tables")
    shown = tolman("show", "logs/headings", "--format", "csv")
    assert re.search(r"^,tolman/oracle,.*,100", shown, re.MULTILINE)
    rooms = ROOT / "tests" / "golden" / "runs" / "osr-oracle"
    tolman("report", "logs", str(rooms), "--out", "report")
    front = (tmp_path / "report" / "index.html").read_text(encoding="utf-8")
    assert "Headings" in front
    assert (tmp_path / "report" / "headings.html").is_file()
