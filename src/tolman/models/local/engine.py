"""llama.cpp in this process: one model in memory, one reply at a time."""

import os
import secrets
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from threading import Lock
from types import ModuleType
from typing import Any

from tolman.errors import TolmanError

SILENT = -1
"""Below llama.cpp's least verbose level: it would write to the terminal."""
CACHE_MEBIBYTES = 1024
"""Most memory for histories that were set aside; llama.cpp would take eight times as much."""
PATIENCE = "300"
"""Rounds for which a thread of llama.cpp spins before it sleeps, where it would be 300,000. On two quiet cores that
makes a reply a sixth slower; on cores that do other work too, up to ten times faster."""
_LOADING = Lock()

Request = Mapping[str, object]
"""A chat completion request as llama.cpp's server takes it."""


class LocalModelError(TolmanError):
    """llama.cpp is missing, can't load a model, or was asked for what a local model can't do."""


class Engine:
    """A loaded model. It remembers the last prompt, so that one which goes on from there costs only what is new."""

    def __init__(self, gguf: Path, context: int, threads: int | None = None) -> None:
        try:
            self._server = bindings().Server(_settings(gguf, context, threads))
        except RuntimeError:
            hint = "it may be damaged, too large for memory, or of a kind that this xllamacpp does not know"
            raise LocalModelError(f"llama.cpp can't load {gguf}: {hint}") from None

    def answer(self, request: Request) -> dict[str, Any]:
        """llama.cpp's reply, or its `error`. Safe in any thread: the server queues what comes at the same time."""
        return self._server.handle_chat_completions(dict(request))


def load(gguf: Path, context: int, threads: int | None = None) -> Engine:
    """The engine for a file, loaded once in a process however many threads ask for it."""
    with _LOADING:
        return _load(gguf, context, threads)


@cache
def _load(gguf: Path, context: int, threads: int | None) -> Engine:
    return Engine(gguf, context, threads)


@cache
def bindings() -> ModuleType:
    """The package `xllamacpp`, an extra, imported so that its threads don't spin for long while they wait.

    OpenMP reads the wish once, as it is loaded, so the environment is then left as it was.
    """
    patient = {"GOMP_SPINCOUNT", "OMP_WAIT_POLICY"}.isdisjoint(os.environ)
    if patient:
        os.environ["GOMP_SPINCOUNT"] = PATIENCE
    try:
        return import_module("xllamacpp")
    except ModuleNotFoundError:
        raise LocalModelError("local models need xllamacpp: run pip install 'tolman[local]'") from None
    except ImportError as error:
        hint = "if libgomp is missing, install it (Debian and Ubuntu: apt install libgomp1)"
        raise LocalModelError(f"xllamacpp can't be loaded ({error}): {hint}") from None
    finally:
        if patient:
            del os.environ["GOMP_SPINCOUNT"]


def _settings(gguf: Path, context: int, threads: int | None) -> Any:
    """Settings of a server that is called in process.

    It opens a port on this machine all the same, so it gets a key that nobody knows. Flash attention is for GPUs: on a
    CPU it halves the speed of a reply to a long prompt.
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
