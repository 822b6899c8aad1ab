"""Prices of models, and the budget in US dollars that a whole run may spend, restarts included."""

import heapq
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import anyio
import yaml
from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info
from pydantic import BaseModel, ConfigDict, NonNegativeFloat, TypeAdapter, ValidationError

from tolman.core.errors import SettingsError, TolmanError


class Price(BaseModel):
    """US dollars for a million tokens."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: NonNegativeFloat
    output: NonNegativeFloat
    input_cache_read: NonNegativeFloat | None = None
    input_cache_write: NonNegativeFloat | None = None


_PRICES = TypeAdapter(dict[str, Price])


def read_prices(file: Path) -> dict[str, Price]:
    """Prices by model from a JSON or YAML file."""
    try:
        return _PRICES.validate_python(yaml.safe_load(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise SettingsError(f"{file} can't be read: {error.strerror}") from None
    except (ValidationError, yaml.YAMLError, UnicodeDecodeError):
        example = '{"openai/gpt-5.2": {"input": 1.25, "output": 10}}'
        raise SettingsError(f"{file} is not a list of prices; write, for example, {example}") from None


def set_price(model: str, file: Path | None, *, needed: bool) -> None:
    """Set a model's price in Inspect. `needed`: refuse a model whose price is unknown, as under a cost limit."""
    if file is None and not needed:
        return
    prices = {} if file is None else read_prices(file)
    price = prices.get(model)
    info = get_model_info(model)
    if price is None:
        if needed and (info is None or info.cost is None):
            raise SettingsError(f"--limit-cost needs the price of {model}: give a file that lists it with --prices")
        return
    read = price.input if price.input_cache_read is None else price.input_cache_read
    write = price.input if price.input_cache_write is None else price.input_cache_write
    cost = ModelCost(input=price.input, output=price.output, input_cache_write=write, input_cache_read=read)
    set_model_info(model, (info or ModelInfo()).model_copy(update={"cost": cost}))


_MARGIN = 2.0
"""A call is assumed to cost at most this many times the most expensive call so far."""


class CostLimitReached(TolmanError):
    """The run has reached its cost limit; finished work is kept, and a higher limit continues from there."""


class CostBudget:
    """US dollars spent so far, against a limit. A call is paid for once, however often its reply is read again."""

    def __init__(self) -> None:
        self.limit: float | None = None
        self._ledger: Path | None = None
        self._reset()

    def _reset(self) -> None:
        self._paid: dict[str, float] = {}
        self._by_scene: dict[str, float] = {}
        self._finished: set[str] = set()
        self._running: dict[str, int] = {}
        """Scenes in progress, with the order in which they were started."""
        self._in_flight = 0
        self._order = count()
        self._calls_waiting: list[tuple[int, int, anyio.Event]] = []
        self._scenes_waiting: list[anyio.Event] = []

    def open(self, limit: float | None, ledger: Path) -> None:
        """Start or continue a run. The ledger has a line for each call that was paid for and each finished scene."""
        self.limit, self._ledger = limit, ledger
        self._reset()
        for line in ledger.read_text(encoding="utf-8").splitlines() if ledger.exists() else ():
            try:
                self._read(json.loads(line))
            except (ValueError, TypeError, AttributeError):
                continue  # the run was cut off in the middle of this line

    def close(self) -> None:
        """The run is over: calls outside of runs have no limit and leave no trace. What was spent can still be read."""
        self.limit = self._ledger = None

    def _read(self, entry: list[str | float]) -> None:
        if len(entry) == 1:
            self._finished.add(str(entry[0]))
            return
        call, cost, *scene = entry
        self._add(str(call), float(cost), str(scene[0]) if scene else "")

    def _add(self, call: str, cost: float, scene: str) -> None:
        self._paid[call] = cost
        self._by_scene[scene] = self._by_scene.get(scene, 0.0) + cost

    def _write(self, entry: list[str | float]) -> None:
        if self._ledger is not None:
            with self._ledger.open("a", encoding="utf-8") as file:
                file.write(json.dumps(entry) + "\n")

    @property
    def spent(self) -> float:
        return sum(self._paid.values())

    @property
    def is_spent(self) -> bool:
        return self.limit is not None and self.spent >= self.limit

    def check(self) -> None:
        """Refuse a call once the limit is reached."""
        if self.is_spent:
            raise CostLimitReached(
                f"the run has cost {self.spent:.2f} US dollars, its limit is {self.limit:.2f}; "
                "run the same command with a higher --limit-cost to go on"
            )

    def pay(self, call: str, cost: float | None, scene: str = "") -> None:
        """Record the cost of a call."""
        if cost is None or call in self._paid:
            return
        self._add(call, cost, scene)
        self._write([call, cost, scene])

    # ---- admission of calls and scenes ----

    @asynccontextmanager
    async def call(self, name: str, scene: str) -> AsyncGenerator[None]:
        """Wait until the budget allows a call, and count it as in flight. Calls of the oldest scene go first."""
        if self.limit is None or name in self._paid:
            yield
            return
        self.check()
        if not self._affords_call():
            await self._wait_for_call(scene)
        else:
            self._in_flight += 1
        try:
            yield
        finally:
            self._in_flight -= 1
            self._wake()

    async def _wait_for_call(self, scene: str) -> None:
        turn = anyio.Event()
        place = (self._running.get(scene, 0), next(self._order), turn)
        heapq.heappush(self._calls_waiting, place)
        try:
            await turn.wait()
        except BaseException:
            if place in self._calls_waiting:
                self._calls_waiting.remove(place)
                heapq.heapify(self._calls_waiting)
            else:
                self._in_flight -= 1
                self._wake()
            raise
        try:
            self.check()
        except CostLimitReached:
            self._in_flight -= 1
            raise

    def _affords_call(self) -> bool:
        """With nothing in flight, one call is always allowed."""
        if not self._in_flight:
            return True
        most_expensive = max(self._paid.values(), default=None)
        if most_expensive is None or self.limit is None:
            return False
        return self.spent + (self._in_flight + 1) * _MARGIN * most_expensive <= self.limit

    def _wake(self) -> None:
        while self._calls_waiting and (self.is_spent or self._affords_call()):
            self._in_flight += 1
            heapq.heappop(self._calls_waiting)[2].set()

    @asynccontextmanager
    async def scene(self, name: str) -> AsyncGenerator[None]:
        """Wait until the budget covers a scene besides those in progress; with none in progress, it always does."""
        while self.limit is not None and not self._affords_scene():
            turn = anyio.Event()
            self._scenes_waiting.append(turn)
            await turn.wait()
        self._running[name] = next(self._order)
        try:
            yield
            if self.limit is not None and name not in self._finished:
                self._finished.add(name)
                self._write([name])
        finally:
            self._running.pop(name, None)
            for turn in self._scenes_waiting:
                turn.set()
            self._scenes_waiting.clear()

    def _affords_scene(self) -> bool:
        if not self._running or self.is_spent:
            return True
        costs = [self._by_scene[scene] for scene in self._finished if scene in self._by_scene]
        if not costs or self.limit is None:
            return False
        mean = sum(costs) / len(costs)
        still_needed = sum(max(0.0, mean - self._by_scene.get(scene, 0.0)) for scene in self._running)
        return self.spent + still_needed + mean <= self.limit


COST_BUDGET = CostBudget()
"""The budget of this process, which does one run at a time."""
