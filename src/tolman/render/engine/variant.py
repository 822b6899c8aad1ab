"""Choice of the Mitsuba variant: a GPU if there is one, else all cores with LLVM, else scalar."""

import ctypes.util
import importlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from tolman.core.errors import RenderError, optional_library

Variant = Literal["cuda_ad_rgb", "llvm_ad_rgb", "scalar_rgb"]
"""Mitsuba's names, in order of preference."""
CHOICE = "TOLMAN_RENDER_ENGINE"
"""Environment variable that overrides the choice."""
_LLVM = "DRJIT_LIBLLVM_PATH"
_OLDEST_LLVM = 17
"""Debian's LLVM 15 and 16 crash on some processors."""


@cache
def mitsuba() -> Any:
    """The module with its variant set, the same for the whole process."""
    if not _llvm_is_set():
        os.environ.pop(_LLVM, None)
        if library := _find_llvm():
            os.environ[_LLVM] = library
    module = optional_library("mitsuba", "rendering needs Mitsuba: pip install 'tolman[render]'", RenderError)
    _quiet(module)
    module.set_variant(_choose(module))
    return module


def drjit() -> Any:
    """Mitsuba's compiler; never to be imported before `mitsuba`, as it would search for LLVM by itself."""
    mitsuba()
    return importlib.import_module("drjit")


def _quiet(module: Any) -> None:
    """Disable log messages: the compiler writes them holding its own lock while waiting for Python's, which can
    deadlock (mitsuba-renderer/drjit#524). Errors are still raised."""
    module.set_log_level(module.LogLevel.Error)
    importlib.import_module("drjit").set_log_level(0)


def variant() -> Variant:
    """The variant in use."""
    name: Variant = mitsuba().variant()
    return name


def _choose(module: Any) -> Variant:
    choice = os.environ.get(CHOICE)
    if choice is not None and choice not in get_args(Variant):
        raise RenderError(f"{CHOICE} is {choice!r}; choose one of {', '.join(get_args(Variant))}")
    for name in get_args(Variant):
        if choice in (None, name) and name in module.variants() and _works(module, name):
            return name
    if choice is not None:
        raise RenderError(f"the engine {choice} does not run here; unset {CHOICE} to let Tolman choose")
    raise RenderError(f"rendering needs a GPU or an LLVM library: pip install 'tolman[render]', or name one in {_LLVM}")


def _works(module: Any, name: Variant) -> bool:
    """Whether a small computation succeeds, as a library may be installed without its driver."""
    if name == "llvm_ad_rgb" and _LLVM not in os.environ:
        return False
    if name == "cuda_ad_rgb" and not (os.path.exists("/dev/nvidiactl") or sys.platform == "win32"):
        return False
    if name == "scalar_rgb":
        module.set_variant(name)
        return True
    try:
        module.set_variant(name)
        return float((module.Float(1.0) + module.Float([1.0, 2.0])).numpy().sum()) == 5.0
    except Exception:
        return False


def _llvm_is_set() -> bool:
    """Whether the environment names an existing LLVM library."""
    path = os.environ.get(_LLVM)
    return path is not None and (not os.path.isabs(path) or os.path.exists(path))


def _find_llvm() -> str | None:
    """An LLVM library: the one that pip installed, else one of the system that is new enough."""
    folder = Path(sys.prefix, "lib")
    installed = [*sorted(folder.glob("libLLVM.so.*")), *sorted(folder.glob("libLLVM*.dylib"))]
    if installed:
        return str(installed[-1])
    for major in range(30, _OLDEST_LLVM - 1, -1):
        library = ctypes.util.find_library(f"LLVM-{major}")
        if library:
            return library
    return None
