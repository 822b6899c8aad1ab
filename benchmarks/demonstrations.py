"""Speed and memory of `tolman make demonstrations`: `docs/results/demonstrations.csv`, and a summary on the terminal.

    python benchmarks/demonstrations.py --scenes 100000-109999 --workers 2

Memory is the resident set of every process of the command in MB, CPU time theirs in seconds; both are sampled from
/proc (Linux). The last row is the whole run.
"""

import argparse
import csv
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

TOLMAN = Path(sys.executable).parent / "tolman"
FILE = Path(__file__).resolve().parent.parent / "docs" / "results" / "demonstrations.csv"


def family(pid: int) -> list[int]:
    """A process and those that it started, oldest first."""
    children = Path(f"/proc/{pid}/task/{pid}/children")
    try:
        started = [int(child) for child in children.read_text().split()]
    except OSError:
        return []
    return [pid, *(process for child in started for process in family(child))]


def resident_mb(pid: int) -> int:
    """Resident memory of a process in MB; 0 where it has ended."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except OSError:
        return 0
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6)


def cpu_seconds(pid: int) -> float:
    """User and system time of a process and of those it has waited for; 0 where it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def worlds_in(folder: Path) -> int:
    """Worlds in finished files."""
    return sum(1 for part in folder.glob("part-*.jsonl") for _ in part.open(encoding="utf-8"))


def main() -> None:
    """Run the command, and sample it until it ends."""
    parser = argparse.ArgumentParser(description="Speed and memory of `tolman make demonstrations`.")
    parser.add_argument("--agent", default="greedy-planner")
    parser.add_argument("--scenes", default="100000-109999")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--every", type=float, default=10, help="seconds between samples")
    parser.add_argument("--out", type=Path, default=FILE)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as made, given.out.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["seconds", "worlds_written", "processes", "largest_mb", "total_mb", "cpu_seconds", "load"])
        words = ["--agent", given.agent, "--scenes", given.scenes, "--workers", str(given.workers), "--out", made]
        begin, sizes = time.monotonic(), [0]
        with subprocess.Popen([TOLMAN, "make", "demonstrations", *words]) as command:  # noqa: S603
            while command.poll() is None:
                try:
                    command.wait(given.every)
                except subprocess.TimeoutExpired:
                    processes = family(command.pid)
                    sizes = [size for process in processes if (size := resident_mb(process))]
                    cpu = sum(map(cpu_seconds, processes))
                    written = worlds_in(Path(made))
                    seconds, load = time.monotonic() - begin, os.getloadavg()[0]
                    row = [f"{seconds:.0f}", written, len(sizes), max(sizes, default=0), sum(sizes), f"{cpu:.0f}"]
                    rows.writerow([*row, f"{load:.1f}"])
                    file.flush()
        seconds, worlds = time.monotonic() - begin, worlds_in(Path(made))
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = used.ru_utime + used.ru_stime
        row = [f"{seconds:.0f}", worlds, len(sizes), max(sizes), sum(sizes), f"{cpu:.0f}", f"{os.getloadavg()[0]:.1f}"]
        rows.writerow(row)
    if command.returncode:
        sys.exit(command.returncode)
    print(
        f"{worlds:,} worlds in {seconds:,.0f} s, {worlds / seconds:.1f} per second; {cpu / worlds:.3f} CPU s per world"
    )


if __name__ == "__main__":
    main()
