"""One report of real logs on OSR-Bench alone, one of both benchmarks, and a browser that can draw with WebGL."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.benchmarks.osr_bench.logged_runs import careless_answer, careless_map, panorama, write_run
from tests.benchmarks.theory_of_space.logged_runs import OPTIONS as WALKED
from tests.benchmarks.theory_of_space.logged_runs import lived as walked
from tests.benchmarks.theory_of_space.logged_runs import sample as walked_sample
from tests.benchmarks.theory_of_space.logged_runs import write_log as write_walked
from tests.browser import FLAGS, NAMES
from tolman.benchmarks.osr_bench.case import Case
from tolman.benchmarks.osr_bench.options import Options
from tolman.benchmarks.osr_bench.questions.question import Question
from tolman.cli.show import report

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> & \u202eback"
IN_SOFTWARE = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""WebGL without a graphics card, and without the warning that Chromium prints when it has to copy what it drew."""


@dataclass(frozen=True)
class Written:
    """A report on OSR-Bench alone, and one on both benchmarks."""

    alone: Path
    both: Path

    def scene(self, model: str, name: str = "kitchen") -> Path:
        (folder,) = (self.alone / "episodes").glob(f"osr-openai-{model}-*")
        return folder / f"scene-{name}.html"


def hostile_answer(case: Case, question: Question) -> str:
    return f"{HOSTILE} {careless_answer(case, question)}"


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    folder = tmp_path_factory.mktemp("osr")
    logs, picture = folder / "logs", panorama()
    for options in (Options(mode="first", turns=(0, 90)), Options(mode="none"), Options(asked="negative")):
        write_run(logs, options, careless_answer, careless_map, model="openai/careless", picture=picture)
    write_run(logs, Options(mode="first"), model="openai/knowing", picture=picture)
    hostile = Options(mode="first", think=True)
    write_run(logs, hostile, hostile_answer, lambda case: HOSTILE + careless_map(case), model="openai/hostile")
    report([logs], out=folder / "alone", jobs=1)
    walked_logs = write_walked(folder / "walked", [walked_sample(walked(0))], options=WALKED)
    report([logs, walked_logs], out=folder / "both", jobs=1)
    return Written(folder / "alone", folder / "both")


@pytest.fixture(scope="module")
def graphic() -> Iterator[Browser]:
    """A browser with WebGL; as ever, none is no failure."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium here; `make browser` installs one")
    with sync_playwright() as playwright:
        flags = [flag for flag in FLAGS if flag != "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path=found, args=[*flags, *IN_SOFTWARE])
        yield browser
        browser.close()
