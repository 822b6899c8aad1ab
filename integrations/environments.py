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

sys.path.insert(0, str(Path(__file__).resolve().parent))

from run import HERE, PLACE, ROOT, TORCH, Library, installed
from tests.env.planned_episode import expected_episode

LIBRARIES = (
    Library("openenv", (("openenv==0.10.0", "-e", str(ROOT)),), "run_openenv.py"),
    Library("trl", ((TORCH,), ("trl==1.16.0", "-e", str(ROOT))), "run_trl.py"),
)


def run(library: Library, python: Path, planned: Path) -> dict[str, object]:
    """What a library made of the planned episode."""
    alone = {"HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
    command = [str(python), str(HERE / library.script), str(planned)]
    ran = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **alone}, check=False)
    if ran.returncode:
        raise SystemExit(f"{library.form} failed:\n{ran.stdout[-3000:]}\n{ran.stderr[-6000:]}")
    return json.loads(ran.stdout.strip().splitlines()[-1])


def main() -> None:
    """The planner's episode in all trainers."""
    begun = time.monotonic()
    PLACE.mkdir(exist_ok=True)
    expected = expected_episode()
    planned = PLACE / "planned.json"
    planned.write_text(json.dumps(expected))
    for library in LIBRARIES:
        found = run(library, installed(library), planned)
        for key in ("rewards", "digest"):
            assert found[key] == expected[key], (library.form, key, found[key], expected[key])
        print(f"{library.form:<8} {json.dumps(found)}", flush=True)
    print(f"All trainers gave the same episode, rewards and digest: {(time.monotonic() - begun) / 60:.1f} min")


if __name__ == "__main__":
    main()
