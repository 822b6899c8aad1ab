"""Run the training environments in the real trainers, and compare episodes, rewards and digests.

`make integrations` calls it. Each library has an environment of its own under `.integrations/`, which is made once
(about 2 GB). Everything after the installation runs without network.
"""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PLACE = ROOT / ".integrations"
sys.path.insert(0, str(ROOT))

from tests.env.planned_episode import expected_episode

TORCH = "torch==2.13.0"
"""Installed first, so that nothing pulls in another build."""
LIBRARIES = {
    "openenv": (("openenv==0.10.0", "-e", str(ROOT)),),
    "trl": ((TORCH,), ("trl==1.16.0", "-e", str(ROOT))),
}
"""What is installed, step by step; `run_NAME.py` then runs in it."""


def installed(name: str) -> Path:
    """The interpreter of a library's environment, which is made if it is missing."""
    folder = PLACE / name
    python, done = folder / "bin" / "python", folder / "installed.json"
    steps = [list(step) for step in LIBRARIES[name]]
    if not done.exists() or json.loads(done.read_text()) != steps:
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        (PLACE / "torch.txt").write_text(f"{TORCH}\n")
        for step in steps:
            pip = [str(python), "-m", "pip", "install", "--quiet", "-c", str(PLACE / "torch.txt")]
            subprocess.run([*pip, *step], check=True)
        done.write_text(json.dumps(steps))
    return python


def run(name: str, python: Path, planned: Path) -> dict[str, object]:
    """What a library made of the planned episode."""
    alone = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    ran = subprocess.run(
        [str(python), str(HERE / f"run_{name}.py"), str(planned)],
        capture_output=True, text=True, env={**os.environ, **alone}, check=False,
    )  # fmt: skip
    if ran.returncode:
        raise SystemExit(f"{name} failed:\n{ran.stdout[-3000:]}\n{ran.stderr[-6000:]}")
    return json.loads(ran.stdout.strip().splitlines()[-1])


def main() -> None:
    """The planner's episode in all trainers."""
    begun = time.monotonic()
    PLACE.mkdir(exist_ok=True)
    expected = expected_episode()
    planned = PLACE / "planned.json"
    planned.write_text(json.dumps(expected))
    for name in sys.argv[1:] or LIBRARIES:
        python = installed(name)
        found = run(name, python, planned)
        for key in ("rewards", "digest"):
            assert found[key] == expected[key], (name, key, found[key], expected[key])
        print(f"{name:<8} {json.dumps(found)}", flush=True)
    print(f"All trainers gave the same episode, rewards and digest: {(time.monotonic() - begun) / 60:.1f} min")


if __name__ == "__main__":
    main()
