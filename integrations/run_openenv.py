"""The environment behind OpenEnv's own server, over loopback, with its client; its validators and the oracle.

`python run_openenv.py PLANNED.json` in OpenEnv's environment. Prints one line of JSON.
"""

import json
import socket
import subprocess
import sys
import time
import urllib.request
from importlib.metadata import version
from pathlib import Path

from openenv.cli._validation import validate_running_environment
from openenv.validation import Level, run_validation

from tolman.env import openenv as adapter
from tolman.env.openenv import Reply, TheoryOfSpaceClient
from tolman.env.openenv.oracle import oracle_return

planned = json.loads(Path(sys.argv[1]).read_text())
begun = time.monotonic()
with socket.socket() as free:
    free.bind(("127.0.0.1", 0))
    port = free.getsockname()[1]
server = subprocess.Popen([sys.executable, "-m", "tolman.env.openenv.server", "--port", str(port)])
address = f"http://127.0.0.1:{port}"
try:
    while True:
        try:
            urllib.request.urlopen(f"{address}/health", timeout=1).read()
            break
        except OSError:
            assert server.poll() is None, "the server ended"
            assert time.monotonic() - begun < 120, "the server did not start"
            time.sleep(0.2)
    rewards, messages = [], []
    with TheoryOfSpaceClient(address).sync() as client, TheoryOfSpaceClient(address).sync() as other:
        told = client.reset(seed=planned["seed"], episode_id="planned")
        system = told.observation.system
        other.reset(split="train", index=5, rooms=2)  # a second session at the same time
        for reply in planned["replies"]:
            assert not told.done
            told = client.step(Reply(text=reply))
            rewards.append(told.reward)
            messages.append(told.observation.message)
        assert told.done
        state, elsewhere = client.state(), other.state()
        assert (state.episode_id, elsewhere.seed) == ("planned", 100_005)
    running = validate_running_environment(address, timeout_s=20)
finally:
    server.terminate()
    server.wait(30)
assert messages == planned["messages"]
package = run_validation(Path(adapter.__file__).parent, max_level=Level.STATIC, skip_build=True)
failed = [each["id"] for each in running["criteria"] if not each["passed"]]
assert package.verdict.value == "pass", package
print(
    json.dumps(
        {
            "openenv": version("openenv"),
            "rewards": rewards,
            "digest": state.digest,
            "system": len(system),
            "package": package.verdict.value,
            "server": f"{len(running['criteria']) - len(failed)} of {len(running['criteria'])} criteria",
            "failed": failed,
            "oracle": oracle_return(planned["seed"]),
            "seconds": round(time.monotonic() - begun, 1),
        }
    )
)
