"""A real Chromium for tests of pages. Every error that a page prints or throws fails the test that opened it."""

import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-quic"),
)
SCREENSHOTS = Path(os.environ.get("TOLMAN_SCREENSHOTS", "out/screenshots"))
"""Where tests leave pictures of what they saw."""
expect.set_options(timeout=30_000)  # milliseconds: machines may be busy


@contextmanager
def launched() -> Generator[Browser]:
    """The browser of this machine; the test is skipped where there is none (`make browser` installs one)."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no Chromium here; `make browser` installs one")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


@contextmanager
def watched(browser: Browser, width: int = 1280, height: int = 900) -> Generator[Page]:
    """A page, so many CSS pixels wide and high, that must end without having complained, or asked the network."""
    page = browser.new_page(viewport={"width": width, "height": height})
    complaints: list[str] = []

    def listen(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and "GL Driver Message" not in message.text:  # of a screenshot
            complaints.append(message.text)

    def object_to(address: str) -> None:
        if not address.startswith(("file:", "data:", "blob:", "http://127.0.0.1:")):
            complaints.append(f"asked for {address}")

    page.on("console", listen)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: object_to(request.url))
    yield page
    page.close()
    assert complaints == []


def follow(link: Locator) -> None:
    """Click a link and wait until the page that it leads to has loaded. A click alone waits for its first bytes."""
    with link.page.expect_navigation():
        link.click()


def keep_picture(page: Page, name: str, *, whole: bool = False) -> None:
    """Keep what a page looks like, or all of it down to its end, as `name`.png."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)
