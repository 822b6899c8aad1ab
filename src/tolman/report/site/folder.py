"""The folder of a report: never one that holds something else, and with all that its pages need."""

import json
import shutil
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

from tolman.errors import SettingsError

MARK = "tolman-report.json"
"""Tells a folder that holds a report from any other."""
FORMAT = "tolman.report/1"
_OURS = (
    *("index.html", "numbers.json", "assets", "figures", "episodes"),
    *("theory-of-space.html", "theory-of-space.json", "osr-bench.html", "osr-bench.json"),
    *("sparrta-questions.html", "sparrta-questions.json", "sparrta-probes.html", "sparrta-probes.json"),
)

_HERE = Path(__file__).parent


def check_folder(out: Path) -> None:
    """Refuse a folder that is none, or that holds something else than an earlier report."""
    if out.exists() and not out.is_dir():
        raise SettingsError(f"{out} is a file; name a folder for the report with --out")
    if out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise SettingsError(f"{out} holds something else than a report; name another folder with --out")


def open_folder(out: Path) -> None:
    """Make a folder for a report. An earlier report there is removed; anything else that is there is left alone."""
    try:
        check_folder(out)
        out.mkdir(parents=True, exist_ok=True)
        (out / MARK).write_text(json.dumps({"format": FORMAT}) + "\n", encoding="utf-8")
        _clear(out)
        for name in ("assets", "figures", "episodes"):
            (out / name).mkdir()
        _write_assets(out / "assets")
    except OSError as error:
        raise SettingsError(f"{out} can't be written: {error.strerror}") from None


def _clear(out: Path) -> None:
    for name in _OURS:
        old = out / name
        if old.is_dir() and not old.is_symlink():
            shutil.rmtree(old)
        else:
            old.unlink(missing_ok=True)


def _write_assets(assets: Path) -> None:
    for file in (_HERE / "style.css", *sorted((_HERE / "scripts").iterdir())):
        shutil.copyfile(file, assets / file.name)


@contextmanager
def vega_beside(assets: Path) -> Generator[None]:
    """Put the program that draws figures beside the pages, meanwhile; no network is needed for it."""
    with ThreadPoolExecutor(1) as meanwhile:
        written = meanwhile.submit(lambda: (assets / "vega.js").write_text(_vega(), encoding="utf-8"))
        yield
        written.result()


@cache
def _vega() -> str:
    """Bundled anew in each process, which takes seconds. Its names would clash with those of other scripts."""
    import vl_convert  # noqa: PLC0415 loads a whole JavaScript engine

    bundle = cast("Any", vl_convert).javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return f"(() => {{\n{bundle}\n}})();\n"
