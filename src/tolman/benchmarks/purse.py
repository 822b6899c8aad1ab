"""What a whole run may cost: all its tasks and scenes together, restarts included."""

import json
from pathlib import Path

from tolman.errors import TolmanError


class CostLimitReached(TolmanError):
    """The run has spent what it may; what is done is kept, and a higher limit goes on from there."""


class Purse:
    """US dollars spent so far, against a limit. A call is paid for once, however often its reply is read again."""

    def __init__(self) -> None:
        self.limit: float | None = None
        self._paid: dict[str, float] = {}
        self._ledger: Path | None = None

    def open(self, limit: float | None, ledger: Path) -> None:
        """Begin or go on with a run. The ledger holds a line for each call that was paid for."""
        self.limit, self._ledger, self._paid = limit, ledger, {}
        lines = ledger.read_text(encoding="utf-8").splitlines() if ledger.exists() else []
        for line in lines:
            try:
                call, cost = json.loads(line)
                self._paid[str(call)] = float(cost)
            except (ValueError, TypeError):
                continue  # the run was cut off in the middle of this line

    @property
    def spent(self) -> float:
        return sum(self._paid.values())

    def check(self) -> None:
        """Refuse a call once the limit is reached."""
        if self.limit is not None and self.spent >= self.limit:
            raise CostLimitReached(
                f"the run has cost {self.spent:.2f} US dollars, its limit is {self.limit:.2f}; "
                "run the same command with a higher --limit-cost to go on"
            )

    def pay(self, call: str, cost: float | None) -> None:
        """Put down what a call has cost."""
        if cost is None or call in self._paid:
            return
        self._paid[call] = cost
        if self._ledger is not None:
            with self._ledger.open("a", encoding="utf-8") as file:
                file.write(json.dumps([call, cost]) + "\n")


PURSE = Purse()
"""The purse of this process, which does one run at a time."""
