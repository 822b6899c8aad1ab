"""Test the paper's findings here (Linear < AbMILP < efficient probing, allo < ego) and the gain over a random
network, as tables and in words. Differences are paired by triple and seed.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal

from tolman.benchmarks.sparrta.probes.cells import ProbeCell
from tolman.benchmarks.sparrta.probes.encoders import (
    BOTH,
    HEAD_TITLES,
    ProbeColumn,
    ProbedEncoder,
    enumeration,
    environment_title,
    environments_of,
    probe_columns,
    published_results,
)
from tolman.benchmarks.sparrta.probes.means import (
    MIN_TRIPLES,
    TOO_FEW_TRIPLES,
    interval_of,
    paired_differences,
    values_of,
)
from tolman.benchmarks.sparrta.sample import VIEWPOINTS
from tolman.harness.names import counted
from tolman.probing.protocol import HEADS
from tolman.report.statistics import Interval
from tolman.report.table import Cell, Table, heading, one_row, points

Claim = Literal["linear < abmilp", "abmilp < efficient", "allo < ego"]
CLAIMS: dict[Claim, str] = {
    "linear < abmilp": "Linear < AbMILP",
    "abmilp < efficient": "AbMILP < Efficient",
    "allo < ego": "allo < ego",
}
State = Literal["holds", "open", "reversed"]
SIGNS: dict[State, str] = {"holds": "✓", "open": "○", "reversed": "✗"}


@dataclass(frozen=True)
class Finding:
    """One comparison: the difference in accuracy between the side that should be higher and the other."""

    claim: Claim
    encoder: str
    environment: str
    """Empty for all environments together."""
    within: str
    """The viewpoint of a comparison of heads, or the head of a comparison of viewpoints."""
    difference: Interval
    triples: int
    """That it is taken over."""

    @property
    def state(self) -> State:
        return state_of(self.difference, self.triples)


def state_of(difference: Interval, triples: int) -> State:
    """Holds if the interval is above 0, reversed if below; else, or with few triples, open."""
    if triples < MIN_TRIPLES:
        return "open"
    if difference.low > 0:
        return "holds"
    return "reversed" if difference.high < 0 else "open"


def findings_of(encoders: Sequence[ProbedEncoder]) -> list[Finding]:
    """All comparisons that there are cells for, at the layer of the tables."""
    return [one for one in _all_comparisons(encoders) if not math.isnan(one.difference.mean)]


def _all_comparisons(encoders: Sequence[ProbedEncoder]) -> Iterator[Finding]:
    places = environments_of(encoders)
    for encoder in encoders:
        for environment in ("", *places) if len(places) > 1 else places:
            for view in VIEWPOINTS:
                linear, abmilp, efficient = (encoder.select([head], [view], environment) for head in HEADS)
                yield Finding("linear < abmilp", encoder.name, environment, view, *difference(abmilp, linear))
                yield Finding("abmilp < efficient", encoder.name, environment, view, *difference(efficient, abmilp))
            for head in HEADS:
                ego, allo = (encoder.select([head], [view], environment) for view in VIEWPOINTS)
                yield Finding("allo < ego", encoder.name, environment, HEAD_TITLES[head], *difference(ego, allo))


def difference(larger: Sequence[ProbeCell], smaller: Sequence[ProbeCell]) -> tuple[Interval, int]:
    """Mean paired difference over the triples and seeds that both have, and the number of these triples. The interval
    is clipped to ±1."""
    found = interval_of(paired_differences(values_of(larger), values_of(smaller)))
    return Interval(found.mean, max(found.low, -1.0), min(found.high, 1.0)), found.triples


RANDOM = "random"


@dataclass(frozen=True)
class GainOverRandom:
    """One probe of an encoder against the same probe of a random network."""

    encoder: str
    column: ProbeColumn
    difference: Interval
    triples: int

    @property
    def state(self) -> State:
        return state_of(self.difference, self.triples)


def gains_over_random(encoders: Sequence[ProbedEncoder]) -> list[GainOverRandom]:
    """All comparisons that there are cells for, over all environments, at the layers of the tables; a random network
    counts only if its last layer was probed."""
    found: list[GainOverRandom] = []
    measures = [one for one in encoders if one.encoder == RANDOM and one.layer == one.layers]
    for one in encoders:
        for column in probe_columns(encoders) if one.encoder != RANDOM else ():
            cells = column.cells(one)
            others = [cell for two in measures for cell in column.cells(two)]
            others = [cell for cell in others if any(_same_protocol(cell, mine) for mine in cells)]
            if column.group != BOTH and others:
                found.append(GainOverRandom(one.name, column, *difference(cells, others)))
    return [one for one in found if one.triples]


def _same_protocol(one: ProbeCell, other: ProbeCell) -> bool:
    return (one.key.protocol, one.key.ambiguity) == (other.key.protocol, other.key.ambiguity)


_ASKED: dict[Claim, str] = {
    "linear < abmilp": "AbMILP minus Linear",
    "abmilp < efficient": "Efficient minus AbMILP",
    "allo < ego": "Ego minus allo",
}
_FINDING_NOTE = (
    "Percentage points, paired by triple and seed; below, the 95 % interval of the difference. ✓ holds: the interval "
    f"is above 0. ✗ reversed: below 0. ○ open: it includes 0, is missing, or {TOO_FEW_TRIPLES}."
)
_COUNTED = (
    "Each encoder is compared with itself{over}, by the interval of the paired difference: above 0 it holds, below 0 "
    "it is reversed, else it is open. Names link to all comparisons, under Findings."
)
_MOST = 3
"""Maximum number of exceptions in a sentence."""


def finding_tables(found: Sequence[Finding]) -> Iterator[Table]:
    """One table for each finding: encoders by environment."""
    for claim, title in CLAIMS.items():
        of_claim = [one for one in found if one.claim == claim]
        if of_claim:
            yield _table(claim, f"{_ASKED[claim]}: is {title}?", of_claim)


def finding_counts(found: Sequence[Finding]) -> Table:
    """How many comparisons hold, are open or are reversed, over all environments if there are several; each
    finding links to its table."""
    several = any(not one.environment for one in found)
    whole = [one for one in found if not (several and one.environment)]
    entries = tuple(
        one_row(title, (Cell(str(states.count(state))) for state in SIGNS), href=f"#table-{_table_name(claim)}")
        for claim, title in CLAIMS.items()
        if (states := [one.state for one in whole if one.claim == claim])
    )
    heads = tuple(heading(f"{state} {sign}") for state, sign in SIGNS.items())
    notes = [_COUNTED.format(over=" over all environments" if several else ""), *_too_few(whole)]
    return Table("verdicts", "Replication of the paper's findings", "finding", heads, entries, tuple(notes))


def _too_few(found: Sequence[Finding]) -> list[str]:
    few = sum(one.triples < MIN_TRIPLES for one in found)
    if not few:
        return []
    which = "All" if few == len(found) else f"{few} of {len(found)}"
    return [f"{which} comparisons are open because {TOO_FEW_TRIPLES}."]


def _table_name(claim: Claim) -> str:
    return f"verdict-{claim.replace(' < ', '-')}"


def _table(claim: Claim, title: str, found: Sequence[Finding]) -> Table:
    order = [HEAD_TITLES[head] for head in HEADS] if claim == "allo < ego" else list(VIEWPOINTS)
    withins = [within for within in order if any(one.within == within for one in found)]
    places = list(dict.fromkeys(one.environment for one in found))
    keys = [(where, within) for where in places for within in withins]
    heads = tuple(heading(within, environment_title(where) or "all environments") for where, within in keys)
    by_key = {(one.encoder, one.environment, one.within): one for one in found}
    entries = tuple(
        one_row(name, (signed(by_key.get((name, *key))) for key in keys))
        for name in dict.fromkeys(one.encoder for one in found)
    )
    return Table(_table_name(claim), title, "encoder", heads, entries, (_FINDING_NOTE,))


def signed(one: Finding | GainOverRandom | None) -> Cell:
    """A difference with its interval and the sign of its state; empty for None."""
    if one is None:
        return Cell()
    shown = points(one.difference)
    return replace(shown, text=f"{shown.text} {SIGNS[one.state]}")


def finding_sentences(found: Sequence[Finding]) -> list[str]:
    """Sentences on each finding, over all environments and then within them, and on comparisons with few triples."""
    sentences: list[str] = []
    for claim, title in CLAIMS.items():
        whole = [one for one in found if one.claim == claim and not one.environment]
        single = [one for one in found if one.claim == claim and one.environment]
        if whole:
            sentences.append(f"{title}: over all environments it {_counts(whole)}")
        if single:
            sentences.append(f"{title}{', environment by environment' if whole else ''}: it {_counts(single)}")
    return [*sentences, *_too_few(found)]


def _counts(found: Sequence[Finding]) -> str:
    held = [one for one in found if one.state == "holds"]
    against = [one for one in found if one.state == "reversed"]
    unsettled = [one for one in found if one.state == "open"]
    leaning = [one for one in unsettled if one.difference.mean < 0]
    if len(held) == len(found):
        return f"holds in all {counted(len(found), 'comparison')}."
    text = f"holds in {len(held)} of {counted(len(found), 'comparison')}."
    if against:
        text += f" It is reversed in {len(against)}: {_named(against)}."
    if unsettled:
        text += f" It is open in {len(unsettled)}"
        text += f" and leans the other way in {len(leaning)} of these: {_named(leaning)}." if leaning else "."
    return text


def _named(found: Sequence[Finding]) -> str:
    ranked = sorted(found, key=lambda one: one.difference.mean)
    names = [f"{_where(one)} ({_range(one.difference)})" for one in ranked[:_MOST]]
    more = len(ranked) - _MOST
    return enumeration([*names, f"{more} more"] if more > 0 else names)


def _where(one: Finding) -> str:
    return ", ".join(filter(None, (one.encoder, environment_title(one.environment), one.within)))


def _range(interval: Interval) -> str:
    mean = f"{100 * interval.mean:+z.1f}".replace("-", "−")
    if math.isnan(interval.low):
        return f"{mean}, no interval"
    return f"{mean}, {100 * interval.low:z.1f} to {100 * interval.high:z.1f}".replace("-", "−")


def paper_exceptions() -> str:
    """A sentence on where the paper's own ego numbers by environment contradict its findings."""
    rows = published_results()
    found = [
        f"{model} in {environment_title(environment)} ({HEAD_TITLES[low]} {one:.1f}, {HEAD_TITLES[high]} {other:.1f})"
        for model in rows.models
        for environment in rows.source.environments
        for low, high in pairwise(HEADS)
        if (one := rows.ego_in(model, environment, low)) >= (other := rows.ego_in(model, environment, high))
    ]
    pairs = len(rows.models) * len(rows.source.environments) * 2
    return (
        f"The paper reports Linear < AbMILP < Efficient for every encoder. In its own egocentric numbers by "
        f"environment {len(found)} of {pairs} comparisons are reversed: {enumeration(found)}."
    )


_GAIN_NOTE = (
    "Percentage points above a ViT with random weights, probed with the same protocol, paired by triple "
    "and seed; below, the 95 % interval. ✓ higher: the interval is above 0. ✗ lower: below 0. ○ open: it includes 0, "
    f"is missing, or {TOO_FEW_TRIPLES}."
)


def gain_table(found: Sequence[GainOverRandom]) -> Table:
    """Encoders by probe and viewpoint."""
    shown = list(dict.fromkeys(one.column for one in found))
    heads = tuple(heading(column.title, column.group) for column in shown)
    by_key = {(one.encoder, one.column): one for one in found}
    entries = tuple(
        one_row(name, (signed(by_key.get((name, column))) for column in shown))
        for name in dict.fromkeys(one.encoder for one in found)
    )
    return Table("beyond-random", "Gain over a random network", "encoder", heads, entries, (_GAIN_NOTE,))


def gain_sentence(found: Sequence[GainOverRandom]) -> str:
    """A sentence on the number of probes in which each encoder is above and below a random network."""
    said: list[str] = []
    for name in dict.fromkeys(one.encoder for one in found):
        states = [one.state for one in found if one.encoder == name]
        less = states.count("reversed")
        said.append(
            f"{name} in {states.count('holds')} of {counted(len(states), 'comparison')}"
            + (f" (and below it in {less})" if less else "")
        )
    return f"Above a random network: {enumeration(said)}."
