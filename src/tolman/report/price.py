"""What a run took: tokens, and US dollars where prices are known."""

from collections.abc import Sequence
from dataclasses import dataclass

from tolman.benchmarks.call import Call
from tolman.report.intervals import UNKNOWN, Interval, pooled_interval


@dataclass(frozen=True, slots=True)
class Amount:
    """So much a scene, and in all; None where it is not known."""

    scene: Interval = UNKNOWN
    total: float | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """Of the finished scenes. A reply that came from a cache counts as if it had been asked for."""

    input_tokens: Amount
    output_tokens: Amount
    """Reasoning included."""
    dollars: Amount
    priced: bool
    """Whether the price of every reply is known; if not, `dollars` is a lower bound."""


def price(calls: Sequence[Sequence[Call]]) -> Price:
    """What scenes took, from the calls of each. Tokens are unknown where no reply has any, as in a replay."""
    costs = [[call.cost for call in of_scene] for of_scene in calls]
    dollars = [sum(cost or 0.0 for cost in of_scene) for of_scene in costs]
    return Price(
        input_tokens=_tokens([_input(of_scene) for of_scene in calls]),
        output_tokens=_tokens([_output(of_scene) for of_scene in calls]),
        dollars=_amount(dollars) if any(c is not None for of_scene in costs for c in of_scene) else Amount(),
        priced=all(c is not None for of_scene in costs for c in of_scene),
    )


def _input(calls: Sequence[Call]) -> float:
    return sum(call.input_tokens for call in calls)


def _output(calls: Sequence[Call]) -> float:
    return sum(call.output_tokens for call in calls)


def _tokens(scenes: Sequence[float]) -> Amount:
    return _amount(scenes) if any(scenes) else Amount()


def _amount(scenes: Sequence[float]) -> Amount:
    return Amount(pooled_interval([[scene] for scene in scenes]), sum(scenes))
