"""A limit of cost: kept to within one call whatever calls cost, and scenes are finished one after another."""

import random
import shutil
from pathlib import Path

import anyio
import pytest

from tolman.harness.cost import CostBudget, CostLimitReached

CALLS = 12


class Run:
    """Scenes of some calls each, all sent at once; what a call costs is drawn from a seed."""

    def __init__(self, budget: CostBudget, seed: int, *, grows: bool = False) -> None:
        self.budget, self._seed, self._grows = budget, seed, grows
        self.finished: list[int] = []
        self.begun: set[int] = set()
        self.dearest = 0.0
        self.most_in_flight = self._in_flight = 0

    def cost(self, scene: int, number: int) -> float:
        drawn = random.Random(f"{self._seed} {scene} {number}").uniform(0.5, 1.0)  # noqa: S311
        return drawn * (1 + number / CALLS if self._grows else 1)

    async def one(self, scene: int) -> None:
        async with self.budget.scene(f"o/{scene}"), anyio.create_task_group() as group:
            for number in range(CALLS):
                group.start_soon(self.call, scene, number)
        self.finished.append(scene)

    async def call(self, scene: int, number: int) -> None:
        name = f"o/{scene}/{number}"
        async with self.budget.call(name, f"o/{scene}"):
            self.begun.add(scene)
            self._in_flight += 1
            self.most_in_flight = max(self.most_in_flight, self._in_flight)
            await anyio.sleep(random.Random(name).uniform(0, 0.002))  # noqa: S311
            self._in_flight -= 1
            cost = self.cost(scene, number)
            self.dearest = max(self.dearest, cost)
            self.budget.pay(name, cost, f"o/{scene}")

    def through(self, scenes: int) -> None:
        async def failing(scene: int) -> None:
            try:
                await self.one(scene)
            except* CostLimitReached:
                pass

        async def main() -> None:
            async with anyio.create_task_group() as group:
                for scene in range(scenes):
                    group.start_soon(failing, scene)

        anyio.run(main)


@pytest.mark.parametrize("limit", [3.0, 30.0, 61.5])
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("grows", [False, True])
def test_the_limit_is_kept_to_within_one_call_and_scenes_are_finished(
    tmp_path: Path, limit: float, seed: int, grows: bool
) -> None:
    budget = CostBudget()
    budget.open(limit, tmp_path / "paid.jsonl")
    run = Run(budget, seed, grows=grows)
    run.through(20)
    assert limit <= budget.spent < limit + run.dearest
    assert len(run.begun) - len(run.finished) <= 1, "what was begun is finished, but for the last"
    assert run.most_in_flight > 1 or limit < 10


def test_under_a_high_limit_scenes_run_side_by_side(tmp_path: Path) -> None:
    budget = CostBudget()
    budget.open(1e6, tmp_path / "paid.jsonl")
    run = Run(budget, 0)
    run.through(20)
    assert len(run.finished) == 20
    assert run.most_in_flight > CALLS


def test_a_run_goes_on_with_what_it_has_paid_for_and_finished(tmp_path: Path) -> None:
    budget = CostBudget()
    budget.open(30.0, tmp_path / "paid.jsonl")
    first = Run(budget, 0)
    first.through(20)
    spent = budget.spent
    budget.open(60.0, tmp_path / "paid.jsonl")
    assert budget.spent == pytest.approx(spent)
    again = Run(budget, 0)
    again.through(20)
    assert 60 <= budget.spent < 60 + again.dearest
    assert set(first.finished) < set(again.finished)


def test_without_a_limit_nothing_waits(tmp_path: Path) -> None:
    budget = CostBudget()
    budget.open(None, tmp_path / "paid.jsonl")
    run = Run(budget, 0)
    run.through(5)
    assert len(run.finished) == 5
    assert run.most_in_flight > 20


def test_a_ledger_of_an_older_version_and_a_line_cut_off_are_read(tmp_path: Path) -> None:
    ledger = tmp_path / "paid.jsonl"
    ledger.write_text('["o/1/a", 0.5]\n["o/1/b", 0.25, "o/1"]\n["o/1"]\n["o/1/c", 0.')
    budget = CostBudget()
    budget.open(1.0, ledger)
    assert budget.spent == pytest.approx(0.75)


def test_after_a_run_its_ledger_may_be_gone(tmp_path: Path) -> None:
    budget, ledger = CostBudget(), tmp_path / "calls" / "paid.jsonl"
    ledger.parent.mkdir()
    budget.open(1.0, ledger)
    budget.pay("a call of the run", 2.0)
    budget.close()
    shutil.rmtree(ledger.parent)
    budget.check()
    budget.pay("a call after it", 2.0)
    assert not ledger.parent.exists()
    assert budget.spent == 4.0
