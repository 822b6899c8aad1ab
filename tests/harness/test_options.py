"""Options are written once: flags, arguments of tasks and records follow from the fields of a dataclass."""

import inspect
from dataclasses import dataclass, field, fields
from typing import Literal

import pytest

from tests.command_line import Here
from tolman.core.errors import SettingsError
from tolman.harness.options import combinations, from_record, options_of, read_options, recorded
from tolman.harness.registry import BENCHMARKS, find_benchmark, find_task


def letters(text: str) -> tuple[str, ...]:
    return tuple(text.upper())


@dataclass(frozen=True)
class Example:
    """Some options."""

    mode: Literal["fast", "slow"] = "fast"
    """How fast."""
    turns: tuple[int, ...] = (0,)
    """Degrees,
    clockwise."""
    names: tuple[str, ...] = field(default=("a",), metadata={"name": "name", "read": letters})
    most: int | None = None
    scenes: str = "0-9"


def test_fields_are_options_with_their_docstrings():
    mode, turns, names, most, _ = options_of(Example)
    assert mode.choices == ("fast", "slow")
    assert (turns.listed, turns.kind, turns.help) == (True, int, "Degrees, clockwise.")
    assert names.name == "name"
    assert most.optional


@pytest.mark.parametrize("given", ["0,90", [0, 90], (0, 90)])
def test_lists_come_with_commas_or_as_lists(given: object):
    assert read_options(Example, {"turns": given}).turns == (0, 90)
    assert read_options(Example, {"turns": 90}).turns == (90,)
    assert read_options(Example, {"scenes": ["0-4", "7"]}).scenes == "0-4,7"
    assert read_options(Example, {"name": "xy"}).names == ("X", "Y")


def test_what_is_no_number_is_refused():
    with pytest.raises(SettingsError, match="turns takes whole numbers"):
        read_options(Example, {"turns": "north"})


def test_a_record_gives_the_same_options():
    options = Example("slow", (0, 90), ("B",), 3)
    assert from_record(Example, recorded(options)) == options
    assert from_record(Example, {"mode": "slow"}, {"most": 5}) == Example("slow", most=5)


def test_combinations_of_several_values_each_once():
    found = list(combinations({"mode": "fast,slow,fast", "think": (True, False), "turns": "0,90"}, ("mode", "think")))
    assert [(one["mode"], one["think"]) for one in found] == [
        ("fast", True),
        ("fast", False),
        ("slow", True),
        ("slow", False),
    ]
    assert {one["turns"] for one in found} == {"0,90"}


@pytest.mark.parametrize("name", BENCHMARKS)
def test_every_option_is_a_flag_an_argument_and_explained(name: str, here: Here):
    benchmark = find_benchmark(name)
    options = [*options_of(benchmark.selection_class), *options_of(benchmark.options_class)]
    assert len({option.name for option in options}) == len(options)
    arguments = inspect.signature(find_task(name)).parameters
    shown = here("eval", name, "--help").stdout
    for option in options:
        assert option.help, option.name
        assert option.name in arguments
        assert (f"--{option.name.replace('_', '-')}" in shown) is not option.hidden
    assert list(recorded(benchmark.options_class())) == [each.name for each in fields(benchmark.options_class)]
