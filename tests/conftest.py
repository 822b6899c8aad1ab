"""Options of the test run, and the two settings under which property tests look for counterexamples."""

import gc
import os
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tolman.cli.app import OBJECTS_PER_COLLECTION

if TYPE_CHECKING:
    from playwright.sync_api import Browser

    from tests.command_line import Here

settings.register_profile("quick", deadline=None, derandomize=True, database=None, max_examples=60)
settings.register_profile("thorough", deadline=None, max_examples=1000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="also run slow tests, and search longer in property tests")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("numprocesses", None):  # tests are at work on every core
        for workers in ("LOKY_MAX_CPU_COUNT", "OMP_NUM_THREADS"):
            os.environ.setdefault(workers, "1")
    gc.set_threshold(OBJECTS_PER_COLLECTION, 20, 20)
    settings.load_profile("thorough" if config.getoption("--slow") else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="slow; run with --slow"))


def pytest_collection_finish() -> None:
    """What was imported and collected stays: the collector need not go through it again and again."""
    gc.freeze()


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str]) -> "Here":
    """Runs a command in this process."""
    from tests.command_line import called_here  # noqa: PLC0415

    return partial(called_here, capsys)


@pytest.fixture(scope="module")
def chromium() -> Iterator["Browser"]:
    """A real browser, started once for each module: while it runs, nothing else in the process may run a loop."""
    from tests.browser import launched  # noqa: PLC0415

    with launched() as browser:
        yield browser
