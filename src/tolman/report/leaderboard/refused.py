"""Why an entry is refused."""

import math
from collections.abc import Iterator, Mapping

from tolman.errors import TolmanError
from tolman.rules import RuleSetName

SAME = 1e-9
"""Numbers closer than this differ by rounding on another machine."""


class EntryRefused(TolmanError):
    """An entry is damaged, or does not say what its own replies say."""


def differing(
    place: str, claimed: Mapping[str, float], found: Mapping[str, float], rules: RuleSetName
) -> Iterator[str]:
    """A line for each number that is claimed and is not so, or is so and not claimed."""
    for name in dict.fromkeys((*found, *claimed)):
        where = f"{place}, {name} under {rules}"
        if name not in claimed:
            yield f"{where}: nothing is claimed, recomputed {_shown(found[name])}"
        elif name not in found:
            yield f"{where}: claimed {_shown(claimed[name])}, but there is no such item"
        elif not _same(claimed[name], found[name]):
            yield f"{where}: claimed {_shown(claimed[name])}, recomputed {_shown(found[name])}"


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=0.0, abs_tol=SAME)


def _shown(value: float) -> str:
    return f"{value:.10g}" if value != round(value, 1) else f"{value:.1f}"
