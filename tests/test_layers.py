"""The architecture holds: imports go one way only, and the heavy parts stay out of the core."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_imports_go_down_the_layers_only():
    linter = Path(sys.executable).with_name("lint-imports")
    run = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout


def test_worlds_and_belief_need_no_drawing_and_no_statistics():
    code = "import sys, tolman.belief, tolman.explore.agents.greedy_planner; print([m for m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    for heavy in ("matplotlib", "scipy", "torch", "inspect_ai"):
        assert f"'{heavy}'" not in run.stdout
