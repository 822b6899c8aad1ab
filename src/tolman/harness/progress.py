"""Progress of a run on the terminal: scenes, replies and their cost."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from tolman.harness.cost import COST_BUDGET
from tolman.harness.names import counted
from tolman.harness.server_health import HEALTH

_EVERY = 15.0
"""Seconds between two lines where there is no bar."""


class _Spent(ProgressColumn):
    def render(self, task: Task) -> Text:
        """The current state."""
        del task
        return Text(spent_words())


def spent_words() -> str:
    """The number of replies so far, and their cost."""
    cost = f", {COST_BUDGET.spent:.2f} US dollars" if COST_BUDGET.spent else ""
    return f"{counted(HEALTH.replies, 'reply', 'replies')}{cost}"


class RunProgress:
    """A bar on a terminal, else a line every 15 s. `display` is `rich` or `plain`; with others nothing is printed."""

    def __init__(self, total: int, done: int, display: str) -> None:
        self._console = Console(stderr=True)
        self._total, self._done = total, done
        self._prints = display in {"rich", "plain"}
        self._last_line = time.monotonic()
        columns = (TextColumn("scenes"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, _Spent(), console=self._console, transient=True)
        self._is_bar = display == "rich" and self._console.is_terminal
        self._task = self._bar.add_task("scenes", total=total, completed=done)

    def __enter__(self) -> "RunProgress":
        if self._is_bar:
            self._bar.start()
        _DISPLAYS.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _DISPLAYS.remove(self)
        if self._is_bar:
            self._bar.stop()

    def tell(self, line: str) -> None:
        """Print a line above the bar."""
        if self._prints:
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def scene_done(self) -> None:
        """Count one more finished scene."""
        self._done += 1
        self._bar.update(self._task, completed=self._done)
        if not self._is_bar and time.monotonic() - self._last_line > _EVERY:
            self._last_line = time.monotonic()
            self.tell(f"{self._done} of {counted(self._total, 'scene')} done, {spent_words()}")


_DISPLAYS: list[RunProgress] = []


def scene_done() -> None:
    """Count a finished scene in the progress display of this process."""
    for display in _DISPLAYS:
        display.scene_done()
