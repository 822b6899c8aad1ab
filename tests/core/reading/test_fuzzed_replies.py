"""A sample of what `benchmarks/fuzz_readers.py` does: no mutated reply makes a reader raise, or takes it long."""

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "benchmarks" / "fuzz_readers.py"


def fuzzed(*options: str) -> str:
    run = subprocess.run([sys.executable, SCRIPT, *options], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return run.stdout


def test_mutated_replies_are_read_without_fail_and_at_once():
    told = fuzzed("--replies", "1200", "--templates", "--long", "0")
    assert "1,200 replies, 7,200 readings" in told
    assert "exceptions: 0; over 100 ms of CPU: 0" in told


@pytest.mark.slow
def test_a_megabyte_takes_no_longer():
    fuzzed("--replies", "1", "--templates", "--long", "1000000")
