"""How far a run has come, on the screen: scenes, replies, and what they cost."""

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
from tolman.harness.server_health import HEALTH

_EVERY = 15.0
"""Seconds between two lines where there is no bar."""


class _Spent(ProgressColumn):
    def render(self, task: Task) -> Text:
        """As it is now."""
        del task
        return Text(spent_words())


def spent_words() -> str:
    """What has come so far, and what it cost."""
    cost = f", {COST_BUDGET.spent:.2f} US dollars" if COST_BUDGET.spent else ""
    return f"{HEALTH.replies:,} replies{cost}"


class RunProgress:
    """A bar on a terminal, else a line now and then. `display` is `rich`, `plain`, or anything else for silence."""

    def __init__(self, total: int, done: int, display: str) -> None:
        self._console = Console(stderr=True)
        self._total, self._done = total, done
        self._speaks = display in {"rich", "plain"}
        self._told = time.monotonic()
        columns = (TextColumn("scenes"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        self._bar = Progress(*columns, _Spent(), console=self._console, transient=True)
        self._is_bar = display == "rich" and self._console.is_terminal
        self._task = self._bar.add_task("scenes", total=total, completed=done)

    def __enter__(self) -> "RunProgress":
        if self._is_bar:
            self._bar.start()
        _SHOWN.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _SHOWN.remove(self)
        if self._is_bar:
            self._bar.stop()

    def tell(self, line: str) -> None:
        """A line for people, above the bar."""
        if self._speaks:
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def scene_done(self) -> None:
        """One more is done."""
        self._done += 1
        self._bar.update(self._task, completed=self._done)
        if not self._is_bar and time.monotonic() - self._told > _EVERY:
            self._told = time.monotonic()
            self.tell(f"{self._done} of {self._total} scenes done, {spent_words()}")


_SHOWN: list[RunProgress] = []


def scene_done() -> None:
    """Tell whoever shows how far this process has come."""
    for shown in _SHOWN:
        shown.scene_done()
