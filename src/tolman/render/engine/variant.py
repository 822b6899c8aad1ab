"""Which engine to render with: a GPU where there is one, else all cores through LLVM, else one ray after another."""

import ctypes.util
import importlib
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from tolman.core.errors import RenderError

Variant = Literal["cuda_ad_rgb", "llvm_ad_rgb", "scalar_rgb"]
"""Mitsuba's names, the best first."""
CHOICE = "TOLMAN_RENDER_ENGINE"
"""Environment variable that overrides the choice."""
_LLVM = "DRJIT_LIBLLVM_PATH"
_OLDEST = 17
"""Debian's LLVM 15 and 16 crash on some processors."""


@cache
def mitsuba() -> Any:
    """The module, with its variant set; one process keeps to one."""
    if not _named_llvm():
        os.environ.pop(_LLVM, None)
        if library := _find_llvm():
            os.environ[_LLVM] = library
    try:
        module: Any = importlib.import_module("mitsuba")
    except ImportError:
        raise RenderError("rendering needs Mitsuba: pip install 'tolman[render]'") from None
    _quiet(module)
    module.set_variant(_choose(module))
    return module


def drjit() -> Any:
    """The compiler below Mitsuba; never to be imported before it, as it would look for LLVM by itself."""
    mitsuba()
    return importlib.import_module("drjit")


def _quiet(module: Any) -> None:
    """No messages: the compiler holds its own lock while it waits for Python's to write one, so two threads may wait
    for each other for ever (mitsuba-renderer/drjit#524). What goes wrong is raised all the same."""
    module.set_log_level(module.LogLevel.Error)
    importlib.import_module("drjit").set_log_level(0)


def variant() -> Variant:
    """The engine that pictures are made with here."""
    name: Variant = mitsuba().variant()
    return name


def _choose(module: Any) -> Variant:
    wanted = os.environ.get(CHOICE)
    if wanted is not None and wanted not in get_args(Variant):
        raise RenderError(f"{CHOICE} is {wanted!r}; choose one of {', '.join(get_args(Variant))}")
    for name in get_args(Variant):
        if wanted in (None, name) and name in module.variants() and _works(module, name):
            return name
    if wanted is not None:
        raise RenderError(f"the engine {wanted} does not run here; unset {CHOICE} to let Tolman choose")
    raise RenderError(f"rendering needs a GPU or an LLVM library: pip install 'tolman[render]', or name one in {_LLVM}")


def _works(module: Any, name: Variant) -> bool:
    """Whether a tiny computation can be done, as a library may be there and its driver not."""
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


def _named_llvm() -> bool:
    """Whether the environment names a library that is there; else the engine would complain in its own words."""
    named = os.environ.get(_LLVM)
    return named is not None and (not os.path.isabs(named) or os.path.exists(named))


def _find_llvm() -> str | None:
    """A shared library of LLVM: the one that comes along by pip, else one of the system that is new enough."""
    brought = sorted(Path(sys.prefix, "lib").glob("libLLVM.so.*")) + sorted(
        Path(sys.prefix, "lib").glob("libLLVM*.dylib")
    )
    if brought:
        return str(brought[-1])
    for major in range(30, _OLDEST - 1, -1):
        found = ctypes.util.find_library(f"LLVM-{major}")
        if found:
            return found
    return None
