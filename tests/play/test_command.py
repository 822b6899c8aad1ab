"""`tolman play`, run as a user runs it."""

import re
import signal
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tolman.core.errors import SettingsError
from tolman.play.server import is_loopback, listen

TOLMAN = Path(sys.executable).with_name("tolman")


ANYWHERE = "0.0.0.0"  # noqa: S104 - a person may ask for it


def test_the_command_says_where_serves_a_page_and_ends_in_peace(tmp_path: Path) -> None:
    words = ["play", "--scenes", "0", "--port", "0", "--no-open", "--host", ANYWHERE, "--log-dir", str(tmp_path)]
    with subprocess.Popen([TOLMAN, *words], stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        told = re.search(r"1 place at http://127\.0\.0\.1:(\d+)/", running.stderr.readline())
        assert told
        assert "Anyone who can reach this machine" in running.stderr.readline(), "not loopback: a warning"
        assert "Explore a place" in fetched(int(told[1]), "127.0.0.1")
        assert "does not answer to that name" in fetched(int(told[1]), "evil.example")
        running.send_signal(signal.SIGINT)
        said = running.stderr.read()
        assert running.wait(30) == 0
    assert "Traceback" not in said
    assert f"tolman show {tmp_path}" in said.replace("\n", "")


def fetched(port: int, name: str) -> str:
    """What the server says to someone who calls it by a name."""
    connection = HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", "/", headers={"host": name})
    return connection.getresponse().read().decode()


def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(SettingsError, match="choose another --port"):
        listen("127.0.0.1", taken.getsockname()[1])


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("::1", True), ("localhost", True), (ANYWHERE, False), ("10.0.0.3", False), ("", False)],
)
def test_what_is_loopback(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback
