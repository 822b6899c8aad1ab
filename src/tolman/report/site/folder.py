"""The folder of a report: written whole or not at all, never over something else, with all that its pages need."""

import json
import shlex
import shutil
from collections.abc import Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from secrets import token_hex
from typing import Any, cast

from tolman.core.errors import SettingsError
from tolman.harness.names import public_path
from tolman.ideal.observer import ObserverName


def report_command(
    paths: Sequence[Path], *, scripted: bool, scores: Path | None = None, observer: ObserverName | None = None
) -> str:
    """The command that reproduces a report, with names instead of full paths, which may be private."""
    names = (shlex.quote(public_path(str(path)) or path.resolve().name) for path in paths)
    given = [f"--scores {shlex.quote(public_path(str(scores)))}"] if scores else []
    given += [f"--observer {observer}"] if observer is not None else []
    return " ".join(("tolman report", *names, *["--scripted"] * scripted, *given))


MARK = "tolman-report.json"
"""A file that marks a folder as a report."""
FORMAT = "tolman.report/1"
_REPORT_FILES = (
    *("index.html", "numbers.json", "assets", "figures", "episodes"),
    *("theory-of-space.html", "theory-of-space.json", "osr-bench.html", "osr-bench.json"),
    *("sparrta-questions.html", "sparrta-questions.json", "sparrta-probes.html", "sparrta-probes.json"),
)

_HERE = Path(__file__).parent


def check_folder(out: Path, *, force: bool = False) -> None:
    """Refuse a file, and, unless forced, a folder that holds something other than an earlier report."""
    if out.exists() and not out.is_dir():
        raise SettingsError(f"{out} is a file; name a folder for the report with --out")
    if not force and out.is_dir() and any(out.iterdir()) and not (out / MARK).is_file():
        raise SettingsError(
            f"{out} holds something other than a report; name another folder with --out, or add the report to what "
            "is there with --force"
        )
    if out.resolve() == Path.cwd() or out.is_mount():
        raise SettingsError(f"{out} can't be replaced as a whole; name a folder in it, such as --out {out / 'report'}")


@contextmanager
def whole_folder(out: Path, *, force: bool = False) -> Generator[Path]:
    """A folder beside `out` to write a report into; it takes the place of `out` when all went well, else it is removed.

    An earlier report is replaced, and stays as it is if anything fails. Files there that are of no report stay, too.
    """
    out = out.resolve()
    unfinished = out.with_name(f".{out.name}.unfinished-{token_hex(4)}")
    try:
        check_folder(out, force=force)
        open_folder(unfinished)
        yield unfinished
        check_folder(out, force=force)
        _replace_folder(unfinished, out)
    except OSError as error:
        raise SettingsError(f"{out} can't be written: {error.strerror or error}") from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def open_folder(out: Path) -> None:
    """Put all that pages of a report need into a new or empty folder."""
    out.mkdir(parents=True, exist_ok=True)
    (out / MARK).write_text(json.dumps({"format": FORMAT}) + "\n", encoding="utf-8")
    for name in ("assets", "figures", "episodes"):
        (out / name).mkdir()
    _write_assets(out / "assets")


def _replace_folder(new: Path, out: Path) -> None:
    """Two renames: the old folder is complete until the first, the new one from the second."""
    if not out.exists():
        new.rename(out)
        return
    old = new.with_name(new.name.replace("unfinished", "old"))
    out.rename(old)
    try:
        new.rename(out)
    except OSError:
        old.rename(out)
        raise
    for other in [path for path in old.iterdir() if path.name not in (*_REPORT_FILES, MARK)]:
        other.rename(out / other.name)
    shutil.rmtree(old, ignore_errors=True)


def _write_assets(assets: Path) -> None:
    for file in (_HERE / "style.css", *sorted((_HERE / "scripts").iterdir())):
        shutil.copyfile(file, assets / file.name)


@contextmanager
def vega_beside(assets: Path) -> Generator[None]:
    """Write the script that draws figures beside the pages, in the background; it needs no network."""
    with ThreadPoolExecutor(1) as background:
        written = background.submit(lambda: (assets / "vega.js").write_text(_vega(), encoding="utf-8"))
        yield
        written.result()


@cache
def _vega() -> str:
    """Bundled once per process, which takes seconds; in a function, as its names would clash with other scripts."""
    import vl_convert  # noqa: PLC0415 loads a whole JavaScript engine

    bundle = cast("Any", vl_convert).javascript_bundle("window.vegaEmbed = vegaEmbed;")
    return f"(() => {{\n{bundle}\n}})();\n"
